// What messages show to be wrong with the capture at their point.
#pragma once

#include "analysis/points/seen_message.hpp"

namespace rocescope {

/// Whether it missed packets that passed there: of a message that was completed all packets did.
[[nodiscard]] bool misses_packets(SeenMessages messages) noexcept;

}  // namespace rocescope
