// Commands of the protocols above RoCE, in a few words.
#pragma once

#include <string>

#include "ladder/command_mark.hpp"
#include "render/packets/notes.hpp"
#include "rocescope/packet.hpp"

namespace rocescope::render {

/// `NVMe Read 0x0003, NSID 1, LBA 0 + 8`, `NVMe response to 0x0003: Internal Error`, `NFS READ 0xcabb5ba8, 32768 bytes at 0`
[[nodiscard]] std::string command_text(const CommandMark& mark);

/// Notes the command, or the response, that the packet ends, if any.
void add_command_notes(const Packet& packet, Notes& notes);

}  // namespace rocescope::render
