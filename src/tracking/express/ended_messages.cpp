#include "tracking/express/ended_messages.hpp"

#include "tracking/elapsed.hpp"

namespace rocescope {

void EndedMessages::add(const ExpressMessage& message, const ExpressFacts& by) {
  if (message.operation != operation_ || message.bytes != bytes_) {
    if (messages_ > 0) add_messages();
    operation_ = message.operation;
    bytes_ = message.bytes;
  }
  ++messages_;
  const std::int64_t time = elapsed(message.first_time, by.time);
  ExpressStream& stream = side_.stream;
  if (message.is_read()) {
    side_.add_time(facts(), TimeKind::kReadLast, time);
  } else {
    const std::int64_t latency = elapsed(message.last_time, by.time);
    stream.ended_bytes += message.bytes;
    stream.course.measure_wait(latency);
    side_.add_time(facts(), TimeKind::kMessageTime, time);
    side_.add_time(facts(), TimeKind::kAckLatency, latency);
  }
  if (message.has_address) add_access(message);
  if (message.is_read()) keep_read(message, by);
}

void EndedMessages::add_messages() {
  side_.add_messages(facts(), operation_, bytes_, messages_);
  messages_ = 0;
}

void EndedMessages::add_access(const ExpressMessage& message) {
  const MemoryAccess access{.address = message.address,
                            .bytes = message.bytes,
                            .first_frame = message.first_frame,
                            .first_time = message.first_time,
                            .last_time = message.last_time,
                            .r_key = message.r_key,
                            .operation = message.operation};
  if (accesses_.take(access)) return;
  regions_.count(accesses_, connection_, requester_);
  accesses_ = {};
  (void)accesses_.take(access);
}

/// Its requester may ask for it again.
void EndedMessages::keep_read(const ExpressMessage& message, const ExpressFacts& by) {
  AnsweredReads& answered = side_.stream.answered;
  if (const Message* const over = answered.replaced()) {
    if (const auto ns = time_of(*over)) side_.add_time(facts(), TimeKind::kMessageTime, *ns);
  }
  answered.keep(message.completed(by.frame, by.time));
}

}  // namespace rocescope
