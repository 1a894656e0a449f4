// Management datagrams and the set-up exchange, for a packet's one line.
#pragma once

#include "render/packets/notes.hpp"
#include "rocescope/packet.hpp"

namespace rocescope::render {

/// What a CM message agrees on, what another management datagram is about, what a message of the set-up exchange says.
/// False, and nothing noted, when the packet is none of these.
bool add_setup_notes(const Packet& packet, Notes& notes);

}  // namespace rocescope::render
