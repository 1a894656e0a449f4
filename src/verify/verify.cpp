#include "verify/verify.hpp"

#include <utility>

#include "verify/comparison.hpp"

namespace rocescope::verify {
namespace {

std::uint64_t capture_lost(const Report& report) {
  std::uint64_t lost = 0;
  for (const CaptureReport& capture : report.captures) {
    for (const CaptureInterface& interface : capture.info.interfaces) lost += interface.dropped.value_or(0);
  }
  if (lost > 0) return lost;
  for (const Connection& connection : report.connections) {
    for (const ConnectionSide& side : connection.sides) lost += side.capture_lost();
  }
  return lost;
}

void note_gaps_of_truth(const truth::Truth& truth, Comparison& comparison) {
  if (truth.posts.empty() && truth.queue_pairs.empty()) {
    comparison.note(
        "the truth has no queue pairs and no work requests (only rdmagen records them): messages, keys, regions and "
        "outcomes were not compared");
  }
  if (truth.counters.empty()) comparison.note("the truth has no counters of the devices");
}

}  // namespace

Agreement verify(const truth::Truth& truth, const Report& report, const MessageList& messages) {
  const TruthBook book(truth);
  Comparison comparison(book, report, messages);
  compare_queue_pairs(comparison);
  compare_states(comparison);
  compare_messages(comparison);
  compare_receives(comparison);
  compare_memory(comparison);
  compare_datagrams(comparison);
  compare_cm(comparison);
  compare_counters(comparison);
  note_gaps_of_truth(truth, comparison);
  Agreement& result = comparison.result();
  result.truth_files = truth.files;
  result.capture_lost = capture_lost(report);
  return std::move(result);
}

}  // namespace rocescope::verify
