#include "tracking/express/express_stream.hpp"

#include <algorithm>
#include <utility>

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
          .immediate = message.immediate.value_or(0),
          .first_psn = message.first_psn,
          .last_psn = message.last_psn,
          .next_response = message.next_response,
          .operation = message.operation,
          .has_last = message.has_last,
          .has_address = message.address.has_value(),
          .has_immediate = message.immediate.has_value()};
}

Message ExpressMessage::message() const noexcept {
  Message message{.number = number,
                  .operation = operation,
                  .has_first = true,
                  .has_last = has_last,
                  .first_psn = first_psn,
                  .last_psn = last_psn,
                  .bytes = bytes,
                  .packets = is_read() ? 1 : static_cast<std::uint64_t>(first_psn.distance_to(last_psn)) + 1,
                  .first_frame = first_frame,
                  .last_frame = last_frame,
                  .first_time = first_time,
                  .last_time = last_time,
                  .next_response = next_response};
  if (has_address) {
    message.address = address;
    message.r_key = r_key;
  }
  if (has_immediate) message.immediate = immediate;
  return message;
}

Message ExpressMessage::completed(std::uint64_t frame, std::int64_t time) const noexcept {
  Message whole = message();
  whole.outcome = MessageOutcome::kCompleted;
  whole.completion_frame = frame;
  whole.completion_time = time;
  return whole;
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
  first_ = 0;
}

}  // namespace rocescope
