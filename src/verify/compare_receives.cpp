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

void compare(Comparison& comparison, const MatchedQueuePair& matched, ComparedFact& fact) {
  const TruthBook& book = comparison.truth();
  const auto& receives = matched.truth->receives;
  const WireSide& wire = *matched.wire;
  std::vector<Message> messages = comparison.messages().of(wire.connection->number, 1 - wire.side);
  std::erase_if(messages, [](const Message& message) {
    return !takes_receive(message) || message.outcome == MessageOutcome::kRefused;
  });
  const bool lost = wire.connection->transport == Transport::kUc && receives.size() < messages.size();
  if (lost) {  // behind the capture point, so which ones is unknown
    comparison.note(fmt::format("{}: {} of {} messages were received; which of them is not known",
                                book.name_of(*matched.truth), receives.size(), messages.size()));
    return;
  }
  fact.truth += receives.size();
  for (std::size_t i = 0; i < receives.size(); ++i) {
    // More messages than receives do not differ: a program may end before it polls all completions.
    const Message* message = i < messages.size() ? &messages[i] : nullptr;
    if (message != nullptr) ++fact.capture;
    if (message != nullptr && agree(*receives[i], *message)) {
      ++fact.agree;
      continue;
    }
    ++fact.differing;
    comparison.differs({.fact = fact.name,
                        .what = fmt::format("{}: {}, and {}", book.name_of(*matched.truth), receive_text(*receives[i]),
                                            message != nullptr ? to_text(*message) + " is what arrived"
                                                               : std::string("no message arrived")),
                        .truth = book.place_of(*receives[i]),
                        .packet = message != nullptr ? message->first_frame : 0,
                        .connection = wire.connection->number});
  }
}

}  // namespace

void compare_receives(Comparison& comparison) {
  ComparedFact fact{.name = "receives"};
  for (const MatchedQueuePair& matched : comparison.matcher().matched()) {
    if (matched.wire && !matched.truth->is_datagram()) compare(comparison, matched, fact);
  }
  comparison.add(fact);
}

}  // namespace rocescope::verify
