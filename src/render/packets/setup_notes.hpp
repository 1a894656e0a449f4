// Management datagrams and the set-up exchange, for a packet's one line.
#pragma once

#include "render/packets/notes.hpp"
#include "rocescope/packet.hpp"

namespace rocescope::render {

/// Notes the parameters of a CM message, the subject of another management datagram, the content of a message of the set-up
/// exchange. False for any other packet.
bool add_setup_notes(const Packet& packet, Notes& notes);

}  // namespace rocescope::render
