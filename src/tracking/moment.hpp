// When something happens among the packets of a capture, and which messages begin then: what several programs that follow parts of the
// same capture need to find the order of all.
#pragma once

#include <cstdint>
#include <vector>

namespace rocescope {

/// A moment is the number of the frame at hand. When no more come, connection by connection: kMomentOpen, while messages are shown that are
/// open; then kMomentOver.
inline constexpr std::uint64_t kMomentOpen = std::uint64_t{1} << 62U;
inline constexpr std::uint64_t kMomentOver = kMomentOpen + 1;

/// A message took the next number. In a Doubt messages take numbers of their own, which count where the doubt was right.
struct BegunMessage {
  static constexpr std::uint32_t kWasRight = std::uint32_t{1} << 31U;

  std::uint64_t frame = 0;
  std::uint32_t doubt = 0;  ///< its number; 0: none. With kWasRight: no message begins, but that doubt was right
};
using BegunMessages = std::vector<BegunMessage>;

}  // namespace rocescope
