// Responses to one side's READs, once something about them is unusual: which were not seen, and up to which PSN the
// requester has them.
#pragma once

#include <cstdint>
#include <vector>

#include "rocescope/psn.hpp"
#include "tracking/requests/missing_psns.hpp"

namespace rocescope {

/// A responder answers the READs that come to it one after the other, each in full, and the repeated ones as well (IBTA
/// 9.7.4.1, 9.7.5). So an answer shows that those of the requests before it were sent. A requester takes answers in the
/// order of their PSNs only, and asks again for what it misses (IBTA 9.7.5.2.8). In bounded memory; what is forgotten
/// does not count as lost.
class ReadAnswers {
 public:
  static constexpr std::size_t kMost = 256;  ///< attempts, and runs of answers

  /// A requester waits for the answer at `wanted`.
  ReadAnswers(Psn wanted, std::int64_t time) : wanted_(wanted), since_(time) {}

  /// A READ Request that asks for the answers from `first` to before `end`. Those before `next` have come.
  struct Attempt {
    Psn first;
    Psn next;  ///< that comes next
    Psn end;
    bool again = false;  ///< of a READ that had been asked for before
    bool fresh = true;   ///< no answer to its READ was seen: those to a later one show that it had some

    [[nodiscard]] bool started() const noexcept { return first != next; }
  };
  void ask(const Attempt& attempt);
  /// A READ that was asked for takes these as well.
  void extend(const Attempt& rest) {
    if (attempts_.size() < kMost) attempts_.insert(attempts_.begin(), rest);
  }
  /// A READ asks again for these. Returns how many of them were sent and not seen, each as often as it was sent: those were lost on
  /// their way here.
  std::uint32_t ask_again(Psn first, Psn end);

  /// Takes an answer that follows `damaged` others. Returns whether it was expected.
  bool answer(Psn psn, std::uint32_t damaged, std::int64_t time);
  /// All requests before `psn` were answered for the first time.
  void answer_before(Psn psn, std::uint32_t damaged, std::int64_t time);
  /// Nothing more comes for the requests to which some answers came.
  void stop(std::int64_t time);
  /// `count` answers from `first` on did not come: later ones did.
  void skip(Psn first, std::uint32_t count);
  /// Whether an answer is one that was skipped and comes after all.
  [[nodiscard]] bool take_skipped(Psn psn);
  /// The responder dropped the requests from `psn` on: it wants that one first.
  void drop(Psn psn);

  /// The answer that the requester waits for.
  [[nodiscard]] Psn wanted() const noexcept { return wanted_; }
  /// When it began to wait for it, or last asked for it again.
  [[nodiscard]] std::int64_t since() const noexcept { return since_; }
  void want(Psn psn, std::int64_t time) noexcept {
    wanted_ = psn;
    since_ = time;
  }
  /// The requester has all answers before `psn`. Returns how many of them were not seen.
  std::uint32_t take_before(Psn psn);
  /// The requester has the first answers that were not seen, or the one that it waited for: it now waits for the next
  /// that it may lack, before `end`. Returns how many were not seen.
  std::uint32_t pass_hole(Psn end, std::int64_t time);
  /// Whether any of these was sent and not seen, which became known at `since` or later.
  [[nodiscard]] bool misses(Psn first, Psn end, std::int64_t since) const noexcept;
  /// Whether nothing is unusual any more: what is open is asked for once, and answered in order.
  [[nodiscard]] bool is_usual() const noexcept;

 private:
  friend struct StateMembers;
  void miss(Psn first, Psn end, std::uint32_t& damaged, std::int64_t time);
  void close(const Attempt& attempt, std::uint32_t& damaged, std::int64_t time);

  std::vector<Attempt> attempts_;    // in the order in which they were seen
  std::vector<MissingRun> missed_;   // answers that were sent and not seen; in the order of their PSNs
  std::uint32_t missed_before_ = 0;  // of those: of an attempt before the last, too
  std::vector<MissingRun> skipped_;  // answers that never came; in no order
  Psn wanted_;
  std::int64_t since_ = 0;
};

}  // namespace rocescope
