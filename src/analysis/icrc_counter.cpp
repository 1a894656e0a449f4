#include "analysis/icrc_counter.hpp"

#include <algorithm>

namespace rocescope {

void IcrcCounter::add(const PacketRecord& record) {
  switch (record.icrc.status) {
    case IcrcStatus::kNone:
      return;
    case IcrcStatus::kGood:
      if (record.true_source_port) ++totals_.rewritten;
      break;
    case IcrcStatus::kBad:
      if (record.icrc_unsearched) ++totals_.unsearched;
      break;
    case IcrcStatus::kUnverifiable:
      break;
  }
  add(record.icrc.status, record.icrc.obstacle, 1, record.packet->frame.number);
}

void IcrcCounter::add(IcrcStatus status, StopReason obstacle, std::uint64_t packets, std::uint64_t first_packet) {
  if (status == IcrcStatus::kGood) totals_.good += packets;
  if (status == IcrcStatus::kBad) totals_.bad += packets;
  if (status != IcrcStatus::kUnverifiable || packets == 0) return;
  auto& reasons = totals_.unverifiable;
  auto found =
      std::find_if(reasons.begin(), reasons.end(), [&](const auto& entry) { return entry.reason == obstacle; });
  if (found == reasons.end()) found = reasons.insert(found, {obstacle, 0, first_packet});
  found->packets += packets;
}

}  // namespace rocescope
