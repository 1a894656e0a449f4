// What a packet with immediate data of rsockets says.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// Nothing: it has none.
[[nodiscard]] std::optional<CommandMark> rsockets_mark(const Packet& packet);

}  // namespace rocescope
