// Request packets that came twice, and whether their receiver got both.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/psn.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

/// A capture that has a packet twice shows its receiver answer it once. Where the network duplicated it, the receiver answers the
/// copy as a duplicate request, with an ACK of its PSN (IBTA 9.7.5.1.2), which is another packet than the first ACK.
class Copies {
 public:
  struct Copy {
    Psn psn;
    std::uint8_t answers_needed = 0;  ///< 0: nothing waits
    std::uint8_t credits = 0;         ///< of the last answer, as coded
    std::uint32_t last_icrc = 0;      ///< the same
    std::uint64_t frame = 0;          ///< of a packet that was sent again; 0: the same packet came twice
    std::int64_t time = 0;            ///< of the copy
  };

  /// The same packet came once more. If it asks for an ACK, the original has an answer of its own.
  void add(Psn psn, bool asks_for_ack, std::int64_t time) noexcept {
    add({.psn = psn, .answers_needed = static_cast<std::uint8_t>(asks_for_ack ? 2 : 1), .time = time});
  }
  /// The request at `psn` was sent again in this frame, before its requester could miss the answer. `answered`: the
  /// original was answered. If any of several copies is needless, the last one is.
  void add_resent(Psn psn, bool answered, std::uint64_t frame, std::int64_t time) noexcept {
    for (Copy& each : waiting_) each.answers_needed = each.psn == psn ? 0 : each.answers_needed;
    const std::uint8_t needed = answered ? 1 : 2;
    add({.psn = psn, .answers_needed = needed, .frame = frame, .time = time});
  }
  /// Observes an ACK. `duplicate`: it acknowledges what was acknowledged before. If it shows that the receiver got a
  /// copy as well as the original, returns that copy; else null.
  [[nodiscard]] const Copy* answer(const ResponsePacket& ack, bool duplicate) noexcept {
    constexpr std::int64_t kLately = 1'000'000'000;  // ns: PSNs come again
    const auto copy = std::ranges::find_if(waiting_, [&](const Copy& each) {
      return each.answers_needed > 0 && each.psn == ack.psn && elapsed(each.time, ack.time) <= kLately;
    });
    if (copy == waiting_.end() || copy->last_icrc == ack.icrc) return nullptr;
    if (copy->frame != 0 && copy->answers_needed == 1 && !duplicate) return nullptr;  // the PSNs have gone round since
    // A receiver may also send an ACK once more to give other credits.
    const bool gives_credits = copy->last_icrc != 0 && copy->credits != ack.value;
    copy->last_icrc = ack.icrc;
    copy->credits = ack.value;
    if (copy->frame != 0 && gives_credits) return nullptr;
    return --copy->answers_needed == 0 ? &*copy : nullptr;
  }
  /// Whether the first ACK of a request from `unacknowledged` to before `next` may still show that a copy arrived.
  [[nodiscard]] bool wait_for(Psn unacknowledged, Psn next) const noexcept {
    return std::ranges::any_of(waiting_, [=](const Copy& each) {
      return each.answers_needed > 0 && !each.psn.before(unacknowledged) && each.psn.before(next);
    });
  }

 private:
  friend struct StateMembers;
  void add(const Copy& copy) noexcept {
    waiting_[next_] = copy;
    next_ = (next_ + 1) % waiting_.size();
  }

  std::array<Copy, 16> waiting_{};  // the last ones
  std::size_t next_ = 0;
};

}  // namespace rocescope
