#include "tracking/requests/requester.hpp"

#include <utility>

#include "tracking/connections/uncounted.hpp"
#include "tracking/requests/read_spans.hpp"

namespace rocescope {

StreamTotals Requester::totals() const {
  assert(conserves());
  StreamTotals totals = totals_;
  const MissingPsns& missing = order_.missing();
  if (const std::uint64_t lost = missing.acknowledged(); lost > 0) totals.troubles.make().capture_lost += lost;
  const bool unreliable = !order_.is_reliable() && (missing.count() > 0 || totals.troubles.get() != nullptr);
  if (unreliable) totals.troubles.make().lost_before = missing.count();
  if (responses_.heard()) totals.in_flight.messages = static_cast<std::uint32_t>(messages_.outstanding());
  if (totals.troubles->read_responses_lost_before + totals.troubles->read_responses_lost_after > 0)
    limit_lost_answers(totals);
  if (!responses_.heard()) totals.in_flight = totals.most_in_flight = {};
  return totals;
}

bool Requester::conserves() const noexcept {
  std::uint64_t requests = 0;
  for (std::size_t kind = 0; kind <= static_cast<std::size_t>(VerdictKind::kUsedPsn); ++kind) {
    requests += totals_.of(static_cast<VerdictKind>(kind));
  }
  return totals_.sums.new_packets + copies_ + totals_.of(VerdictKind::kCaptureDuplicate) == requests &&
         totals_.sums.payload_bytes - totals_.troubles->resent_bytes == messages_.bytes();
}

void Requester::end_at(Mark&& mark) {
  totals_ = std::move(mark.totals);
  order_.missing() = std::move(mark.missing);
  messages_ = std::move(mark.messages);
  copies_ = mark.copies;
}

/// Without these responses it looked like a timeout; one of their NAKs may have asked for it.
void Requester::add_responses(const Requester& answered) {
  add_change({}, answered.totals_, totals_);
  const StreamTroubles& theirs = *answered.totals_.troubles;
  if (theirs.sequence_naks + theirs.rnr_naks == 0) return;
  StreamTroubles& troubles = totals_.troubles.make();
  for (auto* const by_cause : {&troubles.resends, &troubles.recoveries_by_cause}) {
    std::uint64_t& timeouts = (*by_cause)[static_cast<std::size_t>(ResendCause::kTimeout)];
    (*by_cause)[static_cast<std::size_t>(ResendCause::kUnknown)] += std::exchange(timeouts, 0);
  }
}

bool Requester::corrupt(const RequestPacket& packet, StreamNews& news) {
  const DamagedRequest damaged{.psn = packet.psn, .span = order_.span_of(packet), .frame = packet.frame};
  return recoveries_.add_corrupt(damaged, order_, begin_packet(news));
}

void Requester::corrupt_response(StreamNews& news) {
  ++begin_packet(news).troubles().corrupt_responses;
  responses_.add_damaged();
}

bool Requester::adopt_corrupt_response(Psn psn, Psn end) noexcept {
  const Message* const read = messages_.find(end);
  if (read == nullptr || !read->is_read() || psn.before(read->next_response) || !psn.before(end)) return false;
  responses_.add_damaged();
  return true;
}

/// All PSNs before `end` were sent, and those from next() on were not seen, or only damaged. Returns how many were not
/// seen at all.
std::uint32_t Requester::miss(Psn end, std::int64_t time) {
  const Psn first = order_.next();
  const auto count = static_cast<std::uint32_t>(first.distance_to(end));
  order_.missing().add({first, count, time});
  return recoveries_.has_corrupt() ? count - recoveries_.mark_corrupt(first, count, order_.missing()) : count;
}

void Requester::join_pieces() {
  StreamNews none;
  messages_.join_pieces({totals_, none});
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
  messages_.return_memory(log.news);
}

/// The path MTU gives the spans of READs, also of READs after which other requests were missed.
void Requester::learn_mtu(std::uint32_t payload, Position position) {
  const std::uint32_t before = order_.mtu();
  set_span(order_.learn_mtu(payload, position));
  if (order_.mtu() != before) set_read_spans(messages_, order_);
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
