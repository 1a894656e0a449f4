// The datagram of RDS that a packet ends a fragment of.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Nothing: it ends none.
[[nodiscard]] std::optional<CommandMark> rds_mark(const Packet& packet);

}  // namespace rocescope
