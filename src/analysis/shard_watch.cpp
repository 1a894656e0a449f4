#include "analysis/shard_watch.hpp"

#include <algorithm>

#include "rocescope/headers/numbers.hpp"

namespace rocescope {

ShardWatch::ShardWatch(const Shard& shard, bool selects)
    : shard_(shard), selects_(selects), counts_order_(selects || shard.is_first()) {
  for (std::uint32_t part = shard.number - 1; part < kHostParts; part += shard.count)
    parts_ |= std::uint64_t{1} << part;
}

void ShardWatch::observe_order(std::span<const Frame> frames) {
  const std::uint32_t capture = frames.front().capture_id;
  if (capture >= captures_.size()) captures_.resize(capture + 1U);
  Order& its_order = captures_[capture];
  const bool in_order = std::ranges::is_sorted(frames, {}, &Frame::timestamp);
  if (in_order && frames.front().timestamp >= std::max(its_order.last, all_.last)) {  // nearly always
    its_order.last = all_.last = frames.back().timestamp;
    return;
  }
  Order its = its_order;
  Order all = all_;
  for (const Frame& frame : frames) {
    its.observe(frame.timestamp);
    all.observe(frame.timestamp);
  }
  its_order = its;
  all_ = all;
  if (selects_ && all.out_of_order + its.out_of_order > 0) note("times go back, and not all packets count");
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
