#include "tracking/express/express_stream.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {

ExpressMessage ExpressMessage::of(const Message& message) noexcept {
  return {.number = message.number,
          .first_frame = message.first_frame,
          .last_frame = message.last_frame,
          .first_time = message.first_time,
          .last_time = message.last_time,
          .bytes = message.bytes,
          .address = message.address.value_or(0),
          .r_key = message.r_key.value_or(0),
          .immediate = message.invalidated_r_key.value_or(message.immediate.value_or(0)),
          .first_icrc = message.first_icrc,
          .first_psn = message.first_psn,
          .last_psn = message.last_psn,
          .next_response = message.is_read() ? message.next_response : message.first_psn + message.span,
          .operation = message.operation,
          .has_last = message.has_last,
          .has_address = message.address.has_value(),
          .has_immediate = message.immediate.has_value(),
          .invalidates = message.invalidated_r_key.has_value()};
}

void ExpressMessage::complete(std::uint64_t frame, std::int64_t time, Message& message) const noexcept {
  using Word = std::optional<std::uint32_t>;
  message.number = number;
  message.operation = operation;
  message.outcome = MessageOutcome::kCompleted;
  message.has_first = true;
  message.has_last = has_last;
  message.first_psn = first_psn;
  message.last_psn = last_psn;
  message.first_icrc = first_icrc;
  message.bytes = bytes;
  message.address = has_address ? std::optional(address) : std::nullopt;
  message.r_key = has_address ? Word(r_key) : std::nullopt;
  message.immediate = has_immediate ? Word(immediate) : std::nullopt;
  message.invalidated_r_key = invalidates ? Word(immediate) : std::nullopt;
  message.packets = is_read() ? 1 : static_cast<std::uint32_t>(first_psn.distance_to(last_psn)) + 1;
  message.responses = is_read() ? static_cast<std::uint32_t>(first_psn.distance_to(next_response)) : 0;
  message.first_frame = first_frame;
  message.last_frame = last_frame;
  message.first_time = first_time;
  message.last_time = last_time;
  message.completion_frame = frame;
  message.completion_time = time;
  message.next_response = is_read() ? next_response : first_psn;
  message.span = is_read() ? 0 : static_cast<std::uint32_t>(first_psn.distance_to(next_response));
}

Message ExpressMessage::message() const noexcept {
  Message message;
  complete(0, 0, message);
  message.outcome = MessageOutcome::kOutstanding;
  return message;
}

Message ExpressAnswered::message() const noexcept {
  return {.number = number,
          .operation = Operation::kReadRequest,
          .outcome = MessageOutcome::kCompleted,
          .has_first = true,
          .has_last = true,
          .first_psn = first_psn,
          .last_psn = last_psn,
          .first_icrc = static_cast<std::uint32_t>(icrc_high << 16U | icrc_low),
          .bytes = bytes,
          .address = address,
          .r_key = r_key,
          .packets = 1,
          .responses = static_cast<std::uint32_t>(first_psn.distance_to(last_psn)) + 1,
          .first_frame = frame,
          .last_frame = frame,
          .first_time = time,
          .last_time = time,
          .completion_frame = completion_frame,
          .completion_time = completion_time,
          .next_response = last_psn + 1};
}

bool ExpressAnswers::keep(const ExpressMessage& read, std::uint64_t frame, std::int64_t time, std::int64_t& over) {
  const std::size_t before = before_.all().size() - gone_;
  bool has_time = false;
  if (before + size_ == kMost) {
    if (before > 0) {
      const std::optional<std::int64_t> its = time_of(before_.oldest(gone_++));
      has_time = its.has_value();
      over = its.value_or(0);
    } else {
      const ExpressAnswered& oldest = ring_[first_];
      has_time = true;
      over = elapsed(oldest.time, oldest.completion_time);
      first_ = (first_ + 1) % kMost;
      --size_;
    }
  }
  // As long as the ring grows, it begins at its front.
  if (size_ == ring_.size()) ring_.resize(std::max(kFew, 2 * size_));
  constexpr std::uint64_t kMostFrames = (std::uint64_t{1} << 48U) - 1;
  ring_[(first_ + size_++) % kMost] = {.number = read.number,
                                       .frame = read.first_frame & kMostFrames,
                                       .icrc_low = static_cast<std::uint16_t>(read.first_icrc),
                                       .completion_frame = frame & kMostFrames,
                                       .icrc_high = static_cast<std::uint16_t>(read.first_icrc >> 16U),
                                       .time = read.first_time,
                                       .completion_time = time,
                                       .address = read.address,
                                       .r_key = read.r_key,
                                       .bytes = static_cast<std::uint32_t>(read.bytes),
                                       .first_psn = read.first_psn,
                                       .last_psn = read.last_psn};
  return has_time;
}

AnsweredReads ExpressAnswers::take_back() {
  before_.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) before_.keep(ring_[(first_ + i) % kMost].message());
  gone_ = first_ = size_ = 0;
  return std::exchange(before_, {});
}

ExpressMessage* ExpressStream::read_up_to(Psn psn) noexcept {
  if (now.reads == 0) return nullptr;
  for (std::uint32_t i = 0; i < messages.size() && !psn.before(messages.at(i).first_psn); ++i) {
    if (messages.at(i).is_read()) return &messages.at(i);
  }
  return nullptr;
}

void ExpressMessages::grow() {
  constexpr std::size_t kFirst = 4;
  std::vector<ExpressMessage> larger(std::max(kFirst, ring_.size() * 2));
  for (std::uint32_t i = 0; i < size_; ++i) larger[i] = ring_[(first_ + i) & mask()];
  ring_ = std::move(larger);
  capacity_ = static_cast<std::uint32_t>(ring_.size());
  first_ = 0;
}

}  // namespace rocescope
