#include "tracking/requests/requester.hpp"

namespace rocescope {

StreamTotals Requester::totals() const {
  assert(conserves());
  StreamTotals totals = totals_;
  const MissingPsns& missing = order_.missing();
  if (const std::uint64_t lost = missing.acknowledged(); lost > 0) totals.troubles.make().capture_lost = lost;
  const bool unreliable = !order_.is_reliable() && (missing.count() > 0 || totals.troubles.get() != nullptr);
  if (unreliable) totals.troubles.make().lost_before = missing.count();
  if (responses_.heard()) totals.in_flight.messages = static_cast<std::uint32_t>(messages_.size());
  if (!responses_.heard()) totals.in_flight = totals.most_in_flight = {};
  return totals;
}

bool Requester::conserves() const noexcept {
  std::uint64_t requests = 0;
  for (std::size_t kind = 0; kind <= static_cast<std::size_t>(VerdictKind::kCaptureDuplicate); ++kind) {
    requests += totals_.of(static_cast<VerdictKind>(kind));
  }
  return totals_.sums.new_packets + copies_ + totals_.of(VerdictKind::kCaptureDuplicate) == requests &&
         totals_.sums.payload_bytes - totals_.troubles->resent_bytes == messages_.bytes();
}

void Requester::corrupt(Psn psn, std::uint64_t frame, StreamNews& news) {
  recoveries_.add_corrupt(psn, frame, begin_packet(news));
}

void Requester::settle(std::uint64_t frame, std::int64_t time, StreamNews& news) {
  const StreamLog log{totals_, news};
  const ResponsePacket none{.frame = frame, .time = time};
  order_.acknowledge_all();
  while (!messages_.empty() && (messages_.front().has_last || messages_.size() > 1)) {
    Message& message = messages_.front();
    if (messages_.join_rest(message, log)) continue;
    const auto span = static_cast<std::uint32_t>(message.first_psn.distance_to(message.last_psn)) + 1;
    const bool whole = message.has_first && message.has_last && message.packets == span;
    messages_.complete(message, none, whole ? MessageOutcome::kUnacknowledged : MessageOutcome::kLost, log);
  }
  messages_.return_memory(log);
}

/// The span of a READ is known now.
void Requester::set_span(const std::optional<RequestOrder::ReadSpan>& read) noexcept {
  if (!read) return;
  if (Message* message = messages_.find(read->psn)) message->last_psn = read->psn + (read->span - 1);
}

/// Whether nothing says that the capture lacks packets of this stream or of its responses.
bool Requester::has_all() const noexcept {
  return responses_.heard() && totals_.of(VerdictKind::kAckOfUnseen) == 0 && order_.missing().acknowledged() == 0;
}

}  // namespace rocescope
