// What messages show to be wrong with the capture at their point.
#pragma once

#include "analysis/points/seen_message.hpp"

namespace rocescope {

struct CaptureFaults {
  bool misses = false;   ///< packets that passed there
  bool copies = false;   ///< it has packets twice, which look like packets that were sent again
  bool unasked = false;  ///< responses to a READ come again, and nothing asked for them

  void add(const CaptureFaults& other) noexcept {
    misses = misses || other.misses;
    copies = copies || other.copies;
    unasked = unasked || other.unasked;
  }
  /// Whether packets may have passed less often than the capture has them. If it misses packets, it may also miss the
  /// requests for the responses that it has.
  [[nodiscard]] bool has_twice() const noexcept { return copies || (unasked && !misses); }
};

/// What the messages of a flow show; they do not show `copies`. All packets of a completed message passed the point.
[[nodiscard]] CaptureFaults find_faults(SeenMessages messages) noexcept;

}  // namespace rocescope
