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
  /// Whether packets may have passed there less often than the capture has them. Where it misses packets, it may as well miss what asked for
  /// responses.
  [[nodiscard]] bool has_twice() const noexcept { return copies || (unasked && !misses); }
};

/// What the messages of a flow show. They do not show `copies`. Of a message that was completed all packets passed there.
[[nodiscard]] CaptureFaults find_faults(SeenMessages messages) noexcept;

}  // namespace rocescope
