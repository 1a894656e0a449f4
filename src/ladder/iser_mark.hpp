// The command of iSER, or the response, that a packet ends.
#pragma once

#include <optional>

#include "ladder/command_mark.hpp"

namespace rocescope {

/// Nothing: it ends none, or the capture cut what kind of PDU it is.
[[nodiscard]] std::optional<CommandMark> iser_mark(const Packet& packet);

}  // namespace rocescope
