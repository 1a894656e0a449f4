// The comparisons of single facts, and what they share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rocescope/report.hpp"
#include "truth/agreement.hpp"
#include "verify/truth_book.hpp"
#include "verify/wire_book.hpp"

namespace rocescope::verify {

class Comparison {
 public:
  /// All outlive it.
  Comparison(const TruthBook& truth, const Report& report, const MessageList& messages)
      : truth_(truth), report_(report), messages_(messages), matcher_(truth, report.connections) {}

  [[nodiscard]] const TruthBook& truth() const noexcept { return truth_; }
  [[nodiscard]] const Report& report() const noexcept { return report_; }
  [[nodiscard]] const MessageList& messages() const noexcept { return messages_; }
  [[nodiscard]] const QueuePairMatcher& matcher() const noexcept { return matcher_; }

  /// Adds a row. A row with 0 on both sides is left out, except for the counters of the devices.
  void add(ComparedFact fact) {
    const bool counted = fact.name == "counters" || fact.truth + fact.capture + fact.differing > 0;
    if (counted) result_.facts.push_back(std::move(fact));
  }
  void differs(Difference difference) {
    if (result_.differences.size() < Agreement::kMostDifferences) {
      result_.differences.push_back(std::move(difference));
    } else {
      ++result_.unlisted;
    }
  }
  void note(std::string_view sentence) { result_.notes.emplace_back(sentence); }

  [[nodiscard]] Agreement& result() noexcept { return result_; }

 private:
  const TruthBook& truth_;
  const Report& report_;
  const MessageList& messages_;
  QueuePairMatcher matcher_;
  Agreement result_;
};

/// Of a queue pair that is not in the capture.
inline constexpr std::string_view kNeedNotBeSeen = "of queue pairs that posted nothing that must have been sent";

/// Of a work request that may_be_missing.
inline constexpr std::string_view kNotSent =
    "of work requests that were flushed, or whose program ended first: nothing proves that they were sent";

/// Counts what the truth has of a queue pair that is not in the capture. compare_queue_pairs() reports one that must be there.
inline void count_absent(ComparedFact& fact, const TruthQueuePair& queue_pair, std::uint64_t count) {
  if (queue_pair.must_have_sent()) {
    fact.differing += count;
  } else {
    fact.explain(PartOf::kTruth, count, kNeedNotBeSeen);
  }
}

/// Queue pairs, their peers' addresses, starting PSNs and path MTUs.
void compare_queue_pairs(Comparison& comparison);
/// States of queue pairs.
void compare_states(Comparison& comparison);
/// Messages by operation, bytes, outcomes.
void compare_messages(Comparison& comparison);
/// Completed receives.
void compare_receives(Comparison& comparison);
/// Keys and regions.
void compare_memory(Comparison& comparison);
/// Messages of datagram queue pairs.
void compare_datagrams(Comparison& comparison);
/// Events of the communication manager.
void compare_cm(Comparison& comparison);
/// Counters of the devices.
void compare_counters(Comparison& comparison);

}  // namespace rocescope::verify
