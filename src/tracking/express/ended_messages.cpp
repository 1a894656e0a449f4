#include "tracking/express/ended_messages.hpp"

#include "rocescope/detail/elapsed.hpp"

namespace rocescope {

void EndedMessages::add(const ExpressMessage& message, const ExpressFacts& by) {
  const std::size_t operation = ExpressSide::index_of(message.operation);
  Alike& alike = alike_[operation];
  if (message.bytes != alike.bytes) add_messages(alike);
  alike.operation = message.operation;
  alike.bytes = message.bytes;
  ++alike.messages;
  if (side_.operations[operation] == nullptr) add_messages(alike);  // in its order
  const std::int64_t time = elapsed(message.first_time, by.time);
  ExpressStream& stream = side_.stream;
  if (message.is_read()) {
    side_.add_time(facts(), TimeKind::kReadLast, time);
    add_access(message, by.frame);
    return keep_read(message, by);
  }
  const std::int64_t latency = elapsed(message.last_time, by.time);
  stream.ended_bytes += message.bytes;
  stream.course.measure_wait(latency);
  side_.add_time(facts(), TimeKind::kMessageTime, time);
  side_.add_time(facts(), TimeKind::kAckLatency, latency);
  if (message.has_address) add_access(message, by.frame);
}

void EndedMessages::add_messages(Alike& alike) {
  if (alike.messages > 0) side_.add_messages(facts(), alike.operation, alike.bytes, alike.messages);
  alike.messages = 0;
}

void EndedMessages::add_access(const ExpressMessage& message, std::uint64_t moment) {
  const MemoryAccess access{.address = message.address,
                            .bytes = message.bytes,
                            .first_frame = message.first_frame,
                            .first_time = message.first_time,
                            .last_time = message.last_time,
                            .moment = moment,
                            .r_key = message.r_key,
                            .operation = message.operation};
  if (accesses_.take(access)) return;
  regions_.count(accesses_, connection_, requester_);
  accesses_ = {};
  (void)accesses_.take(access);
}

/// Its requester may ask for it again.
void EndedMessages::keep_read(const ExpressMessage& message, const ExpressFacts& by) {
  std::int64_t over = 0;
  if (side_.stream.answered.keep(message, by.frame, by.time, over))
    side_.add_time(facts(), TimeKind::kMessageTime, over);
}

}  // namespace rocescope
