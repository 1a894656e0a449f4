// What the express lane borrows of a requester.
#include <cstddef>
#include <span>
#include <utility>

#include "tracking/express/express_stream.hpp"
#include "tracking/requests/requester.hpp"

namespace rocescope {
namespace {

bool is_plain(const Message& message) {
  const bool read = message.is_read();
  const bool carries = message.operation == Operation::kSend || message.operation == Operation::kWrite;
  const auto psns = static_cast<std::uint64_t>(message.first_psn.distance_to(message.last_psn)) + 1;
  return (carries || (read && message.address)) && message.has_first && !message.resent && message.late_us == 0 &&
         message.attempts == 1 && message.counts && message.outcome == MessageOutcome::kOutstanding &&
         !message.reopened && message.unsure_bytes == 0 && !(message.invalidated_r_key && message.immediate) &&
         message.packets == (read ? 1 : psns);
}

/// Whether no response to it came, or, for the `oldest` message, only responses in order and once each.
bool is_plain_read(const Message& read, bool oldest, Psn unacknowledged) {
  const Psn last_wanted = oldest ? read.last_psn : read.first_psn;
  return !read.first_psn.before(unacknowledged) && !read.next_response.before(read.first_psn) &&
         !last_wanted.before(read.next_response) && read.resent_responses == 0 &&
         read.responses == static_cast<std::uint32_t>(read.first_psn.distance_to(read.next_response));
}

/// Whether all that is outstanding is whole but for the end of the last message.
bool are_plain(std::span<const Message> messages, Psn unacknowledged, Psn next) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    const Psn behind = i + 1 < messages.size() ? messages[i + 1].first_psn : next;
    if (!is_plain(message) || message.last_psn + 1 != behind) return false;
    if (!message.has_last && i + 1 < messages.size()) return false;
    if (message.is_read() && !is_plain_read(message, i == 0, unacknowledged)) return false;
  }
  return true;
}

}  // namespace

bool Requester::is_quiet() const noexcept {
  return order_.is_plain() && responses_.is_plain() && recoveries_.is_over() && !reads_ &&
         !(lost_acks_ && !lost_acks_->is_quiet());
}

bool Requester::lend(ExpressStream& stream, StreamNews& news) {
  if (!is_quiet()) return false;
  if (twice_.get() != nullptr && twice_.get()->wait_for(order_.unacknowledged(), order_.next())) return false;
  if (messages_.presumes() || messages_.size() > ExpressStream::kMostOutstanding ||
      !are_plain(messages_.all(), order_.unacknowledged(), order_.next())) {
    return false;
  }
  const InFlight& flight = totals_.in_flight;
  const auto outstanding = static_cast<std::uint32_t>(order_.unacknowledged().distance_to(order_.next()));
  if (outstanding > ExpressStream::kMostPsns || flight.packets > ExpressStream::kMostOutstanding) return false;
  InFlight plain;
  std::uint64_t psns = 0;
  order_.sent().visit(order_.unacknowledged(), outstanding, ExpressStream::kMostOutstanding,
                      [&](const SentPacket& sent) {
                        if (sent.missed || sent.read != sent.depth || (!sent.read && sent.span != 1)) return;
                        ++plain.packets;
                        plain.bytes += sent.payload();
                        plain.reads += sent.read ? 1 : 0;
                        psns += sent.span;
                      });
  if (psns != outstanding || plain.packets != flight.packets || plain.bytes != flight.bytes ||
      plain.reads != flight.reads) {
    return false;
  }

  stream = {.is_lent = true,
            .has_course = responses_.has_course(),
            .by_ack = responses_.is_acknowledged_by_ack(),
            .next = order_.next(),
            .unacknowledged = order_.unacknowledged(),
            .last_request = order_.last_request(),
            .sent = std::move(order_.sent()),
            .send_order = order_.send_order(),
            .messages = std::move(stream.messages),  // its memory
            .now = flight,
            .most = totals_.most_in_flight,
            .responses = messages_.responses(),
            .course = responses_.course(),
            .answered = std::move(stream.answered)};  // the same
  for (const Message& message : messages_.all()) stream.messages.add() = ExpressMessage::of(message);
  stream.answered.lend(messages_.lend(news));
  return true;
}

void Requester::take_back(ExpressStream& stream, std::uint64_t requests, std::uint64_t responses, std::uint64_t acks,
                          StreamNews& news) {
  order_.go_on(stream.next, stream.unacknowledged, stream.last_request);
  order_.sent() = std::move(stream.sent);
  order_.send_order() = stream.send_order;
  order_.trim();
  responses_.set_course(stream.course, stream.by_ack);
  for (; !stream.messages.empty(); stream.messages.pop_front()) {
    messages_.put_back(stream.messages.front().message(), news);
  }
  messages_.put_back(stream.answered.take_back(), stream.responses);
  messages_.add_ended(stream.ended_bytes);
  totals_.in_flight = stream.now;
  totals_.most_in_flight = stream.most;
  StreamSums& sums = totals_.sums;
  sums.in_order += requests;
  sums.new_packets += requests;
  sums.payload_bytes += stream.payload;
  sums.responses += responses;
  sums.acks += acks;
  sums.messages += stream.begun;
  sums.messages_completed += stream.ended;
}

}  // namespace rocescope
