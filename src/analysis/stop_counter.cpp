#include "analysis/stop_counter.hpp"

#include <algorithm>

#include "sorting/sort.hpp"

namespace rocescope {

void StopCounter::add(const PacketRecord& record) {
  const Stop& stop = record.packet->stop;
  if (stop.reason == StopReason::kNone) return;
  auto found = std::find_if(counts_.begin(), counts_.end(), [&](const StopCount& count) {
    return count.reason == stop.reason && count.layer == stop.layer;
  });
  if (found == counts_.end()) {
    found = counts_.insert(found, {stop.reason, stop.layer, 0, record.packet->frame.number});
  }
  ++found->packets;
}

void StopCounter::add(StopReason reason, HeaderKind layer, std::uint64_t packets) {
  for (StopCount& count : counts_) {
    if (count.reason == reason && count.layer == layer) count.packets += packets;
  }
}

std::vector<StopCount> StopCounter::counts() const {
  std::vector<StopCount> counts = counts_;
  sorting::stable_sort(counts, [](const StopCount& a, const StopCount& b) { return a.packets > b.packets; });
  return counts;
}

}  // namespace rocescope
