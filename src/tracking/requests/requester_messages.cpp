// Messages: from their packets to their completion, and the times between.
#include <algorithm>
#include <numeric>
#include <utility>

#include "tracking/requests/requester.hpp"

namespace rocescope {

/// The message that a packet which had not been seen before belongs to.
Message& Requester::message_of(const RequestPacket& packet) {
  const Position position = packet.opcode->position;
  const bool first = position == Position::kFirst || position == Position::kOnly;
  const bool last = position == Position::kLast || position == Position::kOnly;
  const Psn last_psn = packet.psn + (span_of(packet) - 1);

  Message* message = nullptr;
  Message* following = nullptr;  // what was seen of the message behind the packet, when its start was missing
  if (!first) {
    message = open_message(packet.psn - 1);
    if (message != nullptr && (message->has_last || message->operation != packet.opcode->operation)) message = nullptr;
  }
  if (!last && (packet.psn + 1).before(next_)) {
    following = open_message(packet.psn + 1);
    if (following == message ||
        (following != nullptr && (following->has_first || following->operation != packet.opcode->operation))) {
      following = nullptr;
    }
  }
  if (message == nullptr && following != nullptr) {
    message = std::exchange(following, nullptr);
    message->first_psn = packet.psn;
  }
  if (message == nullptr) {
    lend_memory();
    auto place = open_.end();
    while (place != open_.begin() && !(place - 1)->first_psn.before(packet.psn)) --place;
    message = &*open_.insert(place, Message{.number = ++news_->messages,
                                            .operation = packet.opcode->operation,
                                            .first_psn = packet.psn,
                                            .last_psn = last_psn,
                                            .first_frame = packet.frame,
                                            .first_time = packet.time,
                                            .next_response = packet.psn});
    ++totals_.messages;
  }
  message->has_first |= first;
  message->has_last |= last;
  if (message->last_psn.before(last_psn)) message->last_psn = last_psn;
  ++message->packets;
  message->bytes += message->is_read() ? packet.dma_length.value_or(0) : packet.payload;
  if (!last_psn.before(message->last_psn)) {
    message->last_frame = packet.frame;
    message->last_time = packet.time;
  }
  if (packet.address) {
    message->address = packet.address;
    message->r_key = packet.r_key;
  }
  if (packet.immediate) message->immediate = packet.immediate;
  if (packet.invalidated_r_key) message->invalidated_r_key = packet.invalidated_r_key;
  if (following != nullptr) {  // the packet joins two parts
    message->last_psn = following->last_psn;
    message->last_frame = following->last_frame;
    message->last_time = following->last_time;
    message->has_last = following->has_last;
    message->bytes += following->bytes;
    message->packets += following->packets;
    if (following->immediate) message->immediate = following->immediate;
    if (following->invalidated_r_key) message->invalidated_r_key = following->invalidated_r_key;
    const std::uint64_t number = message->number;
    forget(following->number);
    --totals_.messages;
    // By its number: where the PSNs jump, another message may lie between the two parts.
    message = &*std::ranges::find(open_, number, &Message::number);
  }
  return *message;
}

void Requester::lend_memory() {
  if (!open_.is_bare() || news_->spare.empty()) return;
  open_.adopt(std::move(news_->spare.back()));
  news_->spare.pop_back();
}

/// Most queue pairs have nothing open most of the time.
void Requester::return_memory() {
  constexpr std::size_t kMostSpare = 256;
  constexpr std::size_t kLargest = 64;  // messages
  if (!open_.empty() || open_.is_bare()) return;
  std::vector<Message> memory = open_.release();
  if (memory.capacity() <= kLargest && news_->spare.size() < kMostSpare) news_->spare.push_back(std::move(memory));
}

Message* Requester::open_message(Psn psn) noexcept {
  const auto next = std::upper_bound(open_.begin(), open_.end(), psn,
                                     [](Psn value, const Message& message) { return value.before(message.first_psn); });
  if (next == open_.begin()) return nullptr;
  Message& message = *(next - 1);
  return message.contains(psn) ? &message : nullptr;
}

/// Whether the next message is the rest of this one: what was between them never came by here.
bool Requester::join_rest(Message& message) {
  if (message.has_last || open_.size() < 2) return false;
  const Message& rest = open_[1];
  if (rest.has_first || rest.operation != message.operation) return false;
  message.last_psn = rest.last_psn;
  message.has_last = rest.has_last;
  message.bytes += rest.bytes;
  message.packets += rest.packets;
  message.last_frame = rest.last_frame;
  message.last_time = rest.last_time;
  message.resent |= rest.resent;
  if (rest.immediate) message.immediate = rest.immediate;
  if (rest.invalidated_r_key) message.invalidated_r_key = rest.invalidated_r_key;
  open_.erase(open_.begin() + 1);
  --totals_.messages;
  return true;
}

void Requester::complete(Message& message, const ResponsePacket& by, MessageOutcome outcome) {
  message.outcome = outcome;
  message.completion_frame = by.frame;
  message.completion_time = by.time;
  message.nak_code = outcome == MessageOutcome::kRefused ? by.value : std::uint8_t{0};
  ++(outcome == MessageOutcome::kRefused ? troubles().messages_refused
     : outcome == MessageOutcome::kLost  ? troubles().messages_lost
                                         : totals_.messages_completed);
  measure_message(message, by, outcome);
  end(message);
  if (&message == &open_.front()) return open_.pop_front();
  forget(message.number);
}

void Requester::forget(std::uint64_t number) {
  open_.erase(std::find_if(open_.begin(), open_.end(), [=](const Message& other) { return other.number == number; }));
}

void Requester::end(const Message& message) {
  news_->ended.push_back(message);
  if (!message.is_read()) ended_bytes_ += message.bytes;
}

bool Requester::conserves() const noexcept {
  std::uint64_t requests = 0;
  for (std::size_t kind = 0; kind <= static_cast<std::size_t>(VerdictKind::kCaptureDuplicate); ++kind) {
    requests += totals_.of(static_cast<VerdictKind>(kind));
  }
  const std::uint64_t bytes = std::accumulate(
      open_.begin(), open_.end(), ended_bytes_,
      [](std::uint64_t sum, const Message& message) { return sum + (message.is_read() ? 0 : message.bytes); });
  return totals_.new_packets + copies_ + totals_.of(VerdictKind::kCaptureDuplicate) == requests &&
         totals_.payload_bytes - totals_.troubles->resent_bytes == bytes;
}

void Requester::measure_message(const Message& message, const ResponsePacket& by, MessageOutcome outcome) {
  using Kind = ResponsePacket::Kind;
  if (message.resent || outcome == MessageOutcome::kUnacknowledged || outcome == MessageOutcome::kLost) return;
  if (message.has_first && outcome == MessageOutcome::kCompleted) {
    measure(TimeKind::kMessageTime, message.first_time, by.time);
  }
  switch (message.operation) {
    case Operation::kSend:
    case Operation::kWrite:
      if (message.has_last) measure(TimeKind::kAckLatency, message.last_time, by.time);
      return;
    case Operation::kReadRequest:
      if (by.kind == Kind::kRead && by.psn == message.last_psn) {
        measure(TimeKind::kReadLast, message.first_time, by.time);
      }
      return;
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      if (by.kind == Kind::kAtomicAck && by.psn == message.first_psn) {
        measure(TimeKind::kAtomic, message.first_time, by.time);
      }
      return;
    default:
      return;
  }
}

void Requester::settle(std::uint64_t frame, std::int64_t time, StreamNews& news) {
  news_ = &news;
  const ResponsePacket none{.frame = frame, .time = time};
  unacknowledged_ = next_;
  covered_ = true;
  while (!open_.empty() && (open_.front().has_last || open_.size() > 1)) {
    Message& message = open_.front();
    if (join_rest(message)) continue;
    const auto span = static_cast<std::uint32_t>(message.first_psn.distance_to(message.last_psn)) + 1;
    const bool whole = message.has_first && message.has_last && message.packets == span;
    complete(open_.front(), none, whole ? MessageOutcome::kUnacknowledged : MessageOutcome::kLost);
  }
  return_memory();
}

}  // namespace rocescope
