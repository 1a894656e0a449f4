// What the express lane borrows of a requester.
#include <cstddef>
#include <span>
#include <utility>

#include "tracking/express/express_stream.hpp"
#include "tracking/requests/requester.hpp"

namespace rocescope {
namespace {

bool is_plain(const Message& message) {
  const bool carries = message.operation == Operation::kSend || message.operation == Operation::kWrite;
  return carries && message.has_first && !message.resent && message.attempts == 1 && message.counts &&
         message.outcome == MessageOutcome::kOutstanding && !message.invalidated_r_key &&
         message.packets == static_cast<std::uint64_t>(message.first_psn.distance_to(message.last_psn)) + 1;
}

/// Whether all that is outstanding is whole but for the end of the last message.
bool are_plain(std::span<const Message> messages, Psn next) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Psn behind = i + 1 < messages.size() ? messages[i + 1].first_psn : next;
    if (!is_plain(messages[i]) || messages[i].last_psn + 1 != behind) return false;
    if (!messages[i].has_last && i + 1 < messages.size()) return false;
  }
  return true;
}

}  // namespace

bool Requester::lend(ExpressStream& stream) {
  constexpr std::size_t kMostOutstanding = 1'024;
  if (!order_.is_plain() || !responses_.is_plain() || !recoveries_.is_over() || reads_) return false;
  if (lost_acks_ && !lost_acks_->is_quiet()) return false;
  if (captured_twice_.get() != nullptr && captured_twice_.get()->wait()) return false;
  if (messages_.presumes() || messages_.size() > kMostOutstanding || !are_plain(messages_.all(), order_.next())) {
    return false;
  }
  const auto outstanding = static_cast<std::uint32_t>(order_.unacknowledged().distance_to(order_.next()));
  if (outstanding > kMostOutstanding || outstanding != totals_.in_flight.packets) return false;
  std::uint32_t plain = 0;
  std::uint64_t bytes = 0;
  order_.sent().visit(order_.unacknowledged(), outstanding, kMostOutstanding, [&](const SentPacket& sent) {
    const bool usual = sent.span == 1 && !sent.missed && !sent.read && !sent.depth;
    plain += usual ? 1 : 0;
    bytes += sent.payload();
  });
  if (plain != outstanding || bytes != totals_.in_flight.bytes || totals_.in_flight.reads != 0) return false;

  stream = {.next = order_.next(),
            .unacknowledged = order_.unacknowledged(),
            .last_request = order_.last_request(),
            .sent = std::move(order_.sent()),
            .send_order = order_.send_order(),
            .messages = std::move(stream.messages),  // its memory
            .course = responses_.course(),
            .now = totals_.in_flight,
            .most = totals_.most_in_flight};
  for (const Message& message : messages_.all()) stream.messages.add() = ExpressMessage::of(message);
  messages_.lend();
  return true;
}

void Requester::take_back(ExpressStream& stream) {
  order_.go_on(stream.next, stream.unacknowledged, stream.last_request);
  order_.sent() = std::move(stream.sent);
  order_.send_order() = stream.send_order;
  order_.trim();
  responses_.set_course(stream.course, stream.responses);
  for (; !stream.messages.empty(); stream.messages.pop_front()) {
    messages_.put_back(stream.messages.front().message());
  }
  messages_.add_ended(stream.ended_bytes);
  totals_.in_flight = stream.now;
  totals_.most_in_flight = stream.most;
  StreamSums& sums = totals_.sums;
  sums.in_order += stream.requests;
  sums.new_packets += stream.requests;
  sums.payload_bytes += stream.payload;
  sums.responses += stream.responses;
  sums.acks += stream.responses;
  sums.messages += stream.begun;
  sums.messages_completed += stream.ended;
}

}  // namespace rocescope
