// Packets that carry no RoCE, for their one line.
#pragma once

#include <string>

#include "render/packets/notes.hpp"
#include "rocescope/packet.hpp"

namespace rocescope::render {

/// What the packet is, with its ports where it has them: `TCP 51032 > 22`, `ARP`, `ICMPv6`.
void append_protocol(const Packet& packet, std::string& out);

/// What matters most about it: TCP flags and payload, paused classes.
void add_other_notes(const Packet& packet, Notes& notes);

}  // namespace rocescope::render
