// The command of SMB, or the response, that a packet ends.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Of several in one message the first. Nothing: it ends none.
[[nodiscard]] std::optional<CommandMark> smb_mark(const Packet& packet);

}  // namespace rocescope
