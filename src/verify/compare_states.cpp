#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/comparison.hpp"
#include "verify/lost_packets.hpp"

namespace rocescope::verify {
namespace {

/// A state of a queue pair in the truth, and the fact that has it.
struct TruthState {
  std::string_view state;
  const truth::QueuePairState* fact = nullptr;
};

/// Each state once, in the order of the truth.
std::vector<TruthState> states_of(const TruthQueuePair& queue_pair) {
  std::vector<TruthState> states;
  const auto add = [&](std::string_view state, const truth::QueuePairState& fact) {
    const auto is_it = [&](const TruthState& other) { return other.state == state; };
    if (std::none_of(states.begin(), states.end(), is_it)) states.push_back({state, &fact});
  };
  for (const truth::QueuePairState* fact : queue_pair.states) {
    for (const std::string& passed : fact->via) add(passed, *fact);
    add(fact->state, *fact);
  }
  return states;
}

/// Without RESET: the truth has no state of a queue pair that is destroyed.
std::vector<QpTransition> states_of(const WireSide& wire) {
  std::vector<QpTransition> states = wire.own().states;
  std::erase_if(states, [](const QpTransition& to) { return to.state == QpState::kReset; });
  return states;
}

/// A local error, which no packet shows.
bool failed_locally(const TruthQueuePair& queue_pair) {
  return std::any_of(queue_pair.requests.begin(), queue_pair.requests.end(), [](const WorkRequest& request) {
    return request.completion != nullptr && request.completion->status.starts_with("LOC_");
  });
}

class StateComparison {
 public:
  StateComparison(Comparison& comparison, ComparedFact& fact) : comparison_(comparison), fact_(fact) {}

  void compare(const MatchedQueuePair& matched) {
    const std::vector<TruthState> states = states_of(*matched.truth);
    if (states.empty()) return;
    fact_.truth += states.size();
    if (!matched.wire) return count_absent(fact_, *matched.truth, states.size());
    const std::vector<QpTransition> shown = states_of(*matched.wire);
    // Once a state is shown, earlier states of the truth are no longer expected.
    std::size_t next = 0;
    for (const QpTransition& to : shown) {
      const auto is_it = [&](const TruthState& each) { return each.state == to_string(to.state); };
      const auto found = std::find_if(states.begin() + static_cast<std::ptrdiff_t>(next), states.end(), is_it);
      if (found == states.end()) {
        only_shown(matched, to);
        continue;
      }
      const auto at = static_cast<std::size_t>(found - states.begin());
      fact_.explain(PartOf::kTruth, at - next, "passed through before a state that the capture shows");
      next = at + 1;
      ++fact_.capture;
      ++fact_.agree;
    }
    for (; next < states.size(); ++next) {
      const std::string why = why_not_shown(*matched.truth, states[next]);
      if (why.empty()) {
        only_recorded(matched, states[next]);
      } else {
        fact_.explain(PartOf::kTruth, 1, why);
      }
    }
  }
  /// Of a queue pair that the truth does not know. compare_queue_pairs() reports it.
  void count_unknown(const WireSide& wire) {
    const std::size_t shown = states_of(wire).size();
    fact_.capture += shown;
    fact_.differing += shown;
  }

 private:
  /// Empty: the capture must show it.
  [[nodiscard]] std::string why_not_shown(const TruthQueuePair& queue_pair, const TruthState& recorded) const {
    if (recorded.state == "ERR") {
      if (failed_locally(queue_pair)) return "ERR after a local error, which no packet shows";
      const std::uint64_t lost = lost_before_capture(comparison_, queue_pair);
      return lost > 0 && std::ranges::any_of(queue_pair.requests, was_given_up) ? why_given_up_unseen(lost) : "";
    }
    if (recorded.state != "RTS") return "no packet shows it";
    return queue_pair.must_have_sent() ? "" : std::string(kNeedNotBeSeen);
  }
  /// The kernel tears down the connections of a killed program, which cannot record that.
  void only_shown(const MatchedQueuePair& matched, const QpTransition& to) {
    const TruthBook& book = comparison_.truth();
    ++fact_.capture;
    if (to.state == QpState::kErr && book.parties()[matched.truth->party].was_killed) {
      return fact_.explain(PartOf::kCapture, 1, "ERR of a program that was killed, and could not record it");
    }
    ++fact_.differing;
    comparison_.differs({.fact = fact_.name,
                         .what = fmt::format("{}: the capture shows that it was in {}, the truth does not",
                                             book.name_of(*matched.truth), to_string(to.state)),
                         .truth = {},
                         .packet = to.packet,
                         .connection = matched.wire->connection->number});
  }
  void only_recorded(const MatchedQueuePair& matched, const TruthState& recorded) {
    const TruthBook& book = comparison_.truth();
    ++fact_.differing;
    comparison_.differs({.fact = fact_.name,
                         .what = fmt::format("{}: it was in {}, and the capture does not show it",
                                             book.name_of(*matched.truth), recorded.state),
                         .truth = book.place_of(*recorded.fact),
                         .connection = matched.wire->connection->number});
  }

  Comparison& comparison_;
  ComparedFact& fact_;
};

}  // namespace

void compare_states(Comparison& comparison) {
  ComparedFact fact{.name = "states"};
  StateComparison states(comparison, fact);
  for (const MatchedQueuePair& matched : comparison.matcher().matched()) {
    if (!matched.truth->is_datagram()) states.compare(matched);
  }
  if (fact.truth > 0) {
    for (const WireSide& wire : comparison.matcher().unknown()) states.count_unknown(wire);
  }
  comparison.add(fact);
}

}  // namespace rocescope::verify
