#include "ladder/failed_messages.hpp"

#include <algorithm>

namespace rocescope {
namespace {

/// Whether outstanding messages are flushed: one of its queue pairs is or was in ERR.
bool is_over(const Connection& connection) {
  return std::ranges::any_of(connection.sides, [](const ConnectionSide& side) {
    if (side.fatal_naks() > 0) return true;
    return !side.states.empty() &&
           (side.states.back().state == QpState::kErr || side.states.back().state == QpState::kReset);
  });
}

}  // namespace

void FailedMessages::add(const Connection& connection, std::size_t /*side*/, const Message& message) {
  const bool failed =
      message.resent || message.outcome == MessageOutcome::kRefused || message.outcome == MessageOutcome::kLost;
  if (!failed && message.outcome != MessageOutcome::kOutstanding) return;
  if (failed_.size() + unanswered_.size() >= most_) {
    ++left_out_;
  } else if (failed) {
    failed_.push_back(message.number);
  } else {
    unanswered_.push_back({connection.number, message.number});
  }
}

std::vector<std::uint64_t> FailedMessages::of(const Connection& connection) const {
  std::vector<std::uint64_t> numbers = failed_;
  if (is_over(connection)) {
    for (const Unanswered& each : unanswered_) {
      if (each.connection == connection.number) numbers.push_back(each.number);
    }
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace rocescope
