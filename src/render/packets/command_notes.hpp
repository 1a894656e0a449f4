// Commands of the protocols above RoCE, in a few words.
#pragma once

#include <cstdint>
#include <string>

#include "ladder/command_mark.hpp"
#include "render/packets/notes.hpp"
#include "rocescope/command.hpp"
#include "rocescope/packet.hpp"

namespace rocescope::render {

/// `NVMe Read 0x0003, NSID 1, LBA 0 + 8`, `NVMe response to 0x0003: Internal Error`, `NFS READ 0xcabb5ba8, 32768 bytes at 0`
[[nodiscard]] std::string command_text(const CommandMark& mark);

/// `44.1 ms (43.0 ms target, 2.00 ms unknown, 1 message resent)`
[[nodiscard]] std::string took_text(const CommandTimes& times, std::uint64_t resent);

/// Notes the command, or the response, that the packet ends, if any.
void add_command_notes(const Packet& packet, Notes& notes);

}  // namespace rocescope::render
