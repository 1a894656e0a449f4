#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "verify/comparison.hpp"
#include "verify/work_request.hpp"

namespace rocescope::verify {
namespace {

bool takes_receive(const Message& message) {
  return message.operation == Operation::kSend ||
         (message.operation == Operation::kWrite && message.immediate.has_value());
}

/// Not every device reports the key that a SEND with Invalidate invalidated: rdma_rxe does not.
bool agree(const truth::Completion& receive, const Message& message) {
  const bool writes = receive.opcode == truth::WorkOpcode::kRecvRdmaWithImm;
  const bool same_key = !receive.invalidated_r_key || receive.invalidated_r_key == message.invalidated_r_key;
  return writes == (message.operation == Operation::kWrite) && receive.bytes == message.bytes &&
         receive.immediate == message.immediate && same_key;
}

std::string receive_text(const truth::Completion& receive) {
  std::string text =
      fmt::format("a receive ended as {} with {} bytes", truth::to_string(receive.opcode), receive.bytes);
  if (receive.immediate) text += fmt::format(", immediate 0x{:x}", *receive.immediate);
  if (receive.invalidated_r_key) text += fmt::format(", rkey 0x{:x} invalidated", *receive.invalidated_r_key);
  return text;
}

/// The receives of a queue pair that the capture lacks. Messages to it came, so the capture should have them.
void count_absent(Comparison& comparison, const TruthQueuePair& truth, ComparedFact& fact) {
  if (truth.receives.empty()) return;
  fact.differing += truth.receives.size();
  const TruthBook& book = comparison.truth();
  comparison.differs({.fact = fact.name,
                      .what = fmt::format("{} is not in the capture, though {} of its receives succeeded",
                                          book.name_of(truth), truth.receives.size()),
                      .truth = book.place_of(*truth.receives.front())});
}

void compare(Comparison& comparison, const MatchedQueuePair& matched, ComparedFact& fact) {
  const TruthBook& book = comparison.truth();
  const auto& receives = matched.truth->receives;
  fact.truth += receives.size();
  if (!matched.wire) return count_absent(comparison, *matched.truth, fact);
  const WireSide& wire = *matched.wire;
  std::vector<Message> messages = comparison.messages().of(wire.connection->number, 1 - wire.side);
  std::erase_if(messages, [](const Message& message) {
    return !takes_receive(message) || message.outcome == MessageOutcome::kRefused;
  });
  fact.capture += messages.size();
  const bool reliable = wire.connection->transport != Transport::kUc;
  std::size_t lost = 0;
  auto next = messages.begin();
  for (const truth::Completion* receive : receives) {
    if (!reliable) {  // any of them may be lost behind the capture point, and none is sent again
      const auto found =
          std::find_if(next, messages.end(), [&](const Message& message) { return agree(*receive, message); });
      if (found != messages.end()) {
        lost += static_cast<std::size_t>(found - next);
        next = found;
      }
    }
    const Message* message = next != messages.end() ? &*next++ : nullptr;
    if (message != nullptr && agree(*receive, *message)) {
      ++fact.agree;
      continue;
    }
    ++fact.differing;
    comparison.differs({.fact = fact.name,
                        .what = fmt::format("{}: {}, and {}", book.name_of(*matched.truth), receive_text(*receive),
                                            message != nullptr ? to_text(*message) + " is what arrived"
                                                               : std::string("no message arrived")),
                        .truth = book.place_of(*receive),
                        .packet = message != nullptr ? message->first_frame : 0,
                        .connection = wire.connection->number});
  }
  const bool finished = book.parties()[matched.truth->party].finished;
  for (; next != messages.end(); ++next) {
    if (!reliable) {
      ++lost;
    } else if (next->outcome != MessageOutcome::kCompleted) {
      fact.explain(PartOf::kCapture, 1,
                   "messages that no response acknowledges: nothing proves that they were received");
    } else if (!finished) {
      fact.explain(PartOf::kCapture, 1, "messages after the last receive that was recorded: the program ended first");
    } else {
      ++fact.differing;
      comparison.differs({.fact = fact.name,
                          .what = fmt::format("{}: {} was acknowledged, and the truth has no receive for it",
                                              book.name_of(*matched.truth), to_text(*next)),
                          .truth = {},
                          .packet = next->first_frame,
                          .connection = wire.connection->number});
    }
  }
  fact.explain(PartOf::kCapture, lost,
               "messages without a receive: UC does not send again what is lost behind the capture point");
}

}  // namespace

void compare_receives(Comparison& comparison) {
  ComparedFact fact{.name = "receives"};
  for (const MatchedQueuePair& matched : comparison.matcher().matched()) {
    if (!matched.truth->is_datagram()) compare(comparison, matched, fact);
  }
  comparison.add(fact);
}

}  // namespace rocescope::verify
