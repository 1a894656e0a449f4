// What a packet with immediate data of RTRS says.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Nothing: it has none.
[[nodiscard]] std::optional<CommandMark> rtrs_mark(const Packet& packet);

}  // namespace rocescope
