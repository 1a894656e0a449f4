// The command of SRP, or the response, that a packet ends.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Nothing: it ends none.
[[nodiscard]] std::optional<CommandMark> srp_mark(const Packet& packet);

}  // namespace rocescope
