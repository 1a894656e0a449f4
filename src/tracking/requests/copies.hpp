// Request packets that came twice, and whether their receiver got both copies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/psn.hpp"

namespace rocescope {

/// A capture that has a packet twice shows its receiver answer it once. Where the network duplicated it, the receiver answers the
/// copy as a duplicate request, with an ACK of its PSN (IBTA 9.7.5.1.2), which is another packet than the first ACK.
class Copies {
 public:
  /// A copy of the request at `psn`. Of one that asks for an ACK the original has an answer of its own.
  void add(Psn psn, bool asks_for_ack) noexcept {
    waiting_[next_] = {psn, asks_for_ack ? 2 : 1, 0};
    next_ = (next_ + 1) % waiting_.size();
  }
  /// Observes an ACK of `psn`. Returns whether it shows that the receiver got a copy.
  [[nodiscard]] bool answer(Psn psn, std::uint32_t icrc) noexcept {
    const auto copy =
        std::ranges::find_if(waiting_, [=](const Waiting& each) { return each.answers_needed > 0 && each.psn == psn; });
    if (copy == waiting_.end() || copy->last_icrc == icrc) return false;
    copy->last_icrc = icrc;
    return --copy->answers_needed == 0;
  }
  /// Whether an ACK of what is not before `unacknowledged` may still show that.
  [[nodiscard]] bool wait_from(Psn unacknowledged) const noexcept {
    return std::ranges::any_of(
        waiting_, [=](const Waiting& each) { return each.answers_needed > 0 && !each.psn.before(unacknowledged); });
  }

 private:
  friend struct StateMembers;
  struct Waiting {
    Psn psn;
    int answers_needed = 0;  // 0: nothing waits
    std::uint32_t last_icrc = 0;
  };
  std::array<Waiting, 16> waiting_{};  // the last ones
  std::size_t next_ = 0;
};

}  // namespace rocescope
