#include "tracking/requests/open_messages.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

/// The times that end with a message.
void measure_message(const Message& message, const ResponsePacket& by, MessageOutcome outcome, const StreamLog& log) {
  using Kind = ResponsePacket::Kind;
  if (outcome == MessageOutcome::kUnacknowledged || outcome == MessageOutcome::kLost) return;
  if (message.has_first && outcome == MessageOutcome::kCompleted && !message.is_read()) {
    log.measure(TimeKind::kMessageTime, message.first_time, by.time);
  }
  if (message.resent) return;  // nothing shows which copy was answered (Karn's rule)
  switch (message.operation) {
    case Operation::kSend:
    case Operation::kWrite:
      if (message.has_last) log.measure(TimeKind::kAckLatency, message.last_time, by.time);
      return;
    case Operation::kReadRequest:
      if (by.kind == Kind::kRead && by.psn == message.last_psn) {
        log.measure(TimeKind::kReadLast, message.first_time, by.time);
      }
      return;
    case Operation::kCompareSwap:
    case Operation::kFetchAdd:
      if (by.kind == Kind::kAtomicAck && by.psn == message.first_psn) {
        log.measure(TimeKind::kAtomic, message.first_time, by.time);
      }
      return;
    default:
      return;
  }
}

/// Whether two messages, one behind the other, are pieces of one, as far as is known.
bool is_rest_of(const Message& message, const Message& rest) {
  if (message.has_last || rest.has_first || rest.operation != message.operation) return false;
  if (message.span == 0) return true;
  const Psn last = message.first_psn + (message.span - 1);
  return rest.has_last ? rest.last_psn == last : rest.last_psn.before(last);
}

/// Whether one message may end and another begin between two pieces that is_rest_of() takes for one message: for that,
/// two packets must fit in between.
bool may_be_two(const Message& message, const Message& rest) {
  return message.span == 0 && message.last_psn.distance_to(rest.first_psn) > 2;
}

/// If another message may end between two pieces, only the larger piece is of one message for sure.
void join_bytes(Message& message, const Message& rest, bool unsure) {
  const std::uint64_t first = message.bytes - message.unsure_bytes;
  const std::uint64_t second = rest.bytes - rest.unsure_bytes;
  message.bytes += rest.bytes;
  const std::uint64_t other = message.bytes - (unsure ? std::max(first, second) : first + second);
  message.unsure_bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(other, std::numeric_limits<std::uint32_t>::max()));
}

void join(Message& message, const Message& rest, bool unsure = false) {
  join_bytes(message, rest, unsure);
  message.last_psn = rest.last_psn;
  message.has_last = rest.has_last;
  message.packets += rest.packets;
  message.resent_packets += rest.resent_packets;
  if (rest.late_us > 0) {
    constexpr std::int64_t kMicrosecond = 1'000;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::int64_t late = rest.late_us * kMicrosecond;
    message.note_late(std::min(elapsed(message.first_time, rest.first_time), kMost - late) + late);
  }
  message.last_frame = rest.last_frame;
  message.last_time = rest.last_time;
  message.counts = rest.counts;
  message.resent |= rest.resent;
  message.attempts = std::max(message.attempts, rest.attempts);
  message.first_time = std::min(message.first_time, rest.first_time);
  if (rest.immediate) message.immediate = rest.immediate;
  if (rest.invalidated_r_key) message.invalidated_r_key = rest.invalidated_r_key;
}

}  // namespace

void AnsweredReads::keep(const Message& read) {
  if (reads_.size() < kMost) return reads_.push_back(read);
  reads_[oldest_] = read;
  oldest_ = (oldest_ + 1) % kMost;
}

std::optional<Message> AnsweredReads::take(std::uint64_t number) {
  const auto found = std::ranges::find(reads_, number, &Message::number);
  if (found == reads_.end()) return std::nullopt;
  Message read = *found;
  const auto at = found - reads_.begin();
  const auto oldest = static_cast<std::ptrdiff_t>(std::exchange(oldest_, 0));
  std::rotate(reads_.begin(), reads_.begin() + oldest, reads_.end());
  const auto size = std::ssize(reads_);
  reads_.erase(reads_.begin() + (at - oldest + size) % size);
  return read;
}

Message& OpenMessages::add(const RequestPacket& packet, Psn last_psn, Psn next, const StreamLog& log) {
  const Position position = packet.opcode->position;
  const bool first = position == Position::kFirst || position == Position::kOnly;
  const bool last = position == Position::kLast || position == Position::kOnly;

  Message* message = nullptr;
  Message* following = nullptr;  // what was seen of the message behind the packet, when its start was missing
  if (!first) {
    message = find(packet.psn - 1);
    // One whose two ends were joined may contain it.
    const bool inside = message != nullptr && !last && message->contains(packet.psn);
    if (message != nullptr && ((message->has_last && !inside) || message->operation != packet.opcode->operation))
      message = nullptr;
  }
  if (!last && (packet.psn + 1).before(next)) {
    following = find(packet.psn + 1);
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
    borrow_memory(log.news);
    auto place = open_.end();
    if (!open_.empty() && !open_.back().first_psn.before(packet.psn)) {
      place = std::partition_point(open_.begin(), open_.end(),
                                   [&](const Message& other) { return other.first_psn.before(packet.psn); });
    }
    message = &*open_.insert(place, Message{.number = log.news.begin_message(),
                                            .operation = packet.opcode->operation,
                                            .first_psn = packet.psn,
                                            .last_psn = last_psn,
                                            .first_frame = packet.frame,
                                            .first_time = packet.time,
                                            .next_response = packet.psn});
    ++log.totals.sums.messages;
  }
  if (first && packet.has_icrc) message->first_icrc = packet.icrc;
  if (first && !last && packet.dma_length) message->span = span_of_write(*packet.dma_length, packet.payload);
  message->has_first |= first;
  message->has_last |= last;
  if (message->last_psn.before(last_psn)) message->last_psn = last_psn;
  ++message->packets;
  message->bytes += message->is_read() ? packet.dma_length.value_or(0) : packet.payload;
  if (!last_psn.before(message->last_psn)) {
    message->last_frame = packet.frame;
    message->last_time = packet.time;
    message->counts = packet.counts;
  } else {
    message->note_late(elapsed(message->first_time, packet.time));
  }
  if (packet.address) {
    message->address = packet.address;
    message->r_key = packet.r_key;
  }
  if (packet.immediate) message->immediate = packet.immediate;
  if (packet.invalidated_r_key) message->invalidated_r_key = packet.invalidated_r_key;
  if (following != nullptr) {  // the packet joins two parts
    join(*message, *following);
    const std::uint64_t number = message->number;
    erase(following->number);
    --log.totals.sums.messages;
    // By its number: where the PSNs jump, another message may lie between the two parts.
    message = &*std::ranges::find(open_, number, &Message::number);
  }
  return *message;
}

void OpenMessages::join_pieces(const StreamLog& log) {
  if (std::adjacent_find(open_.begin(), open_.end(), is_rest_of) == open_.end()) return;
  std::vector<Message> joined;
  for (const Message& message : open_) {
    const bool is_rest = !joined.empty() && is_rest_of(joined.back(), message);
    if (is_rest) {
      join(joined.back(), message, may_be_two(joined.back(), message));
      --log.totals.sums.messages;
    } else {
      joined.push_back(message);
    }
  }
  (void)open_.release();
  open_.adopt(std::move(joined));
}

void OpenMessages::borrow_memory(StreamNews& news) {
  if (!open_.is_bare() || news.spare.empty()) return;
  open_.adopt(std::move(news.spare.back()));
  news.spare.pop_back();
}

/// Most queue pairs have nothing open most of the time.
void OpenMessages::return_memory(StreamNews& news) {
  if (open_.empty() && !open_.is_bare()) give_memory(news);
}

/// With all that is open.
void OpenMessages::give_memory(StreamNews& news) {
  constexpr std::size_t kMostSpare = 256;
  constexpr std::size_t kLargest = 64;  // messages
  std::vector<Message> memory = open_.release();
  if (memory.capacity() <= kLargest && news.spare.size() < kMostSpare) news.spare.push_back(std::move(memory));
}

Message* OpenMessages::find(Psn psn) noexcept {
  const auto behind = std::upper_bound(open_.begin(), open_.end(), psn, [](Psn value, const Message& message) {
    return value.before(message.first_psn);
  });
  if (behind == open_.begin()) return nullptr;
  Message& message = *(behind - 1);
  return message.contains(psn) ? &message : nullptr;
}

bool OpenMessages::join_rest(Message& message, const StreamLog& log) {
  const auto behind = open_.begin() + (&message - &open_.front()) + 1;
  if (behind == open_.end() || !is_rest_of(message, *behind)) return false;
  join(message, *behind, may_be_two(message, *behind));
  open_.erase(behind);
  --log.totals.sums.messages;
  return true;
}

void OpenMessages::complete(Message& message, const ResponsePacket& by, MessageOutcome outcome, const StreamLog& log) {
  measure_message(message, by, outcome, log);
  leave(message, by, outcome, log);
}

void OpenMessages::complete_unseen(Message& message, const ResponsePacket& by, const StreamLog& log) {
  leave(message, by, MessageOutcome::kCompleted, log);
}

void OpenMessages::presume_completed(Message& message, const ResponsePacket& by, const StreamLog& log) {
  if (message.outcome == MessageOutcome::kCompleted) return;
  message.outcome = MessageOutcome::kCompleted;
  message.completion_frame = by.frame;
  message.completion_time = by.time;
  ++reads_.make().presumed;
  ++log.totals.sums.messages_completed;
}

void OpenMessages::reopen(Message& message, const StreamLog& log) {
  if (message.outcome != MessageOutcome::kCompleted) return;
  message.outcome = MessageOutcome::kOutstanding;
  message.completion_frame = 0;
  message.completion_time = 0;
  --reads_.make().presumed;
  --log.totals.sums.messages_completed;
}

void OpenMessages::keep_answered(const Message& read, const StreamLog& log) {
  AnsweredReads& answered = reads_.make().answered;
  if (const Message* const over = answered.replaced()) log.measure_read(*over);
  answered.keep(read);
}

Message* OpenMessages::take_up(std::uint64_t number, const StreamLog& log) {
  if (reads_.get() == nullptr) return nullptr;
  std::optional<Message> taken = reads_.get()->answered.take(number);
  if (!taken) return nullptr;
  Message& read = *taken;
  log.withdraw_read(read.number);
  --log.totals.sums.messages_completed;
  read.reopened = true;
  read.all_responses = 0;
  read.outcome = MessageOutcome::kOutstanding;
  read.completion_frame = 0;
  read.completion_time = 0;
  borrow_memory(log.news);
  auto place = open_.end();
  while (place != open_.begin() && !(place - 1)->first_psn.before(read.first_psn)) --place;
  return &*open_.insert(place, read);
}

void OpenMessages::confirm(Message& message, const StreamLog& log) {
  complete(message, {.frame = message.completion_frame, .time = message.completion_time}, MessageOutcome::kCompleted,
           log);
}

void OpenMessages::leave(Message& message, const ResponsePacket& by, MessageOutcome outcome, const StreamLog& log) {
  reopen(message, log);
  message.outcome = outcome;
  message.completion_frame = by.frame;
  message.completion_time = by.time;
  const bool is_last = message.is_read() && by.kind == ResponsePacket::Kind::kRead && by.psn == message.last_psn;
  message.all_responses = is_last ? responses() : 0;
  message.nak_code = outcome == MessageOutcome::kRefused ? by.value : std::uint8_t{0};
  ++(outcome == MessageOutcome::kRefused ? log.troubles().messages_refused
     : outcome == MessageOutcome::kLost  ? log.troubles().messages_lost
                                         : log.totals.sums.messages_completed);
  end(message, log);
  if (message.is_read() && outcome == MessageOutcome::kCompleted) keep_answered(message, log);
  if (&message == &open_.front()) return open_.pop_front();
  erase(message.number);
}

void OpenMessages::erase(std::uint64_t number) {
  open_.erase(std::find_if(open_.begin(), open_.end(), [=](const Message& other) { return other.number == number; }));
}

void OpenMessages::end(const Message& message, const StreamLog& log) {
  log.news.ended.push_back(message);
  if (!message.is_read()) ended_bytes_ += message.bytes;
}

void OpenMessages::trim(const StreamLog& log) {
  if (open_.size() <= kMost) return;
  if (open_.front().outcome == MessageOutcome::kCompleted) return confirm(open_.front(), log);
  end(open_.front(), log);
  open_.pop_front();
}

std::uint64_t OpenMessages::bytes() const noexcept {
  return std::accumulate(open_.begin(), open_.end(), ended_bytes_, [](std::uint64_t sum, const Message& message) {
    return sum + (message.is_read() ? 0 : message.bytes);
  });
}

}  // namespace rocescope
