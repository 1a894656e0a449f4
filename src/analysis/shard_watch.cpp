#include "analysis/shard_watch.hpp"

#include "rocescope/headers/numbers.hpp"

namespace rocescope {

ShardWatch::ShardWatch(const Shard& shard, bool selects)
    : shard_(shard), selects_(selects), counts_order_(selects || shard.is_first()) {
  for (std::uint32_t part = shard.number - 1; part < kHostParts; part += shard.count)
    parts_ |= std::uint64_t{1} << part;
}

void ShardWatch::observe(std::uint32_t capture, const FrameTimes& times) {
  if (times.count == 0) return;
  if (capture >= spans_.size()) spans_.resize(capture + std::size_t{1});
  Span& span = spans_[capture];
  span.first = std::min(span.first, times.earliest);
  span.last = std::max(span.last, times.latest);
  if (counts_order_) observe_order(capture, times);
}

void ShardWatch::observe_order(std::uint32_t capture, const FrameTimes& times) {
  if (capture >= captures_.size()) captures_.resize(capture + 1U);
  Order& its = captures_[capture];
  its.observe(times);
  all_.observe(times);
  if (selects_ && all_.out_of_order + its.out_of_order > 0) note("times go back, and not all packets count");
}

ShardWatch::Share ShardWatch::share_of(const Packet& packet) const noexcept {
  if (!packet.is_roce()) {
    if (shard_.is_first()) return Share::kOwn;
    return packet.ip_protocol == ip_protocol::kTcp ? Share::kSetsUp : Share::kForeign;
  }
  if (shard_.has(packet.source, packet.destination)) return Share::kOwn;
  return packet.roce.opcode->transport == Transport::kUd ? Share::kSetsUp : Share::kForeign;
}

}  // namespace rocescope
