#include "analysis/icrc_counter.hpp"

#include <algorithm>

namespace rocescope {

void IcrcCounter::add(const PacketRecord& record) {
  switch (record.icrc.status) {
    case IcrcStatus::kNone:
      return;
    case IcrcStatus::kGood:
      ++totals_.good;
      if (record.true_source_port) ++totals_.rewritten;
      return;
    case IcrcStatus::kBad:
      ++totals_.bad;
      if (record.icrc_unsearched) ++totals_.unsearched;
      return;
    case IcrcStatus::kUnverifiable:
      break;
  }
  auto& reasons = totals_.unverifiable;
  auto found = std::find_if(reasons.begin(), reasons.end(),
                            [&](const auto& entry) { return entry.reason == record.icrc.obstacle; });
  if (found == reasons.end()) found = reasons.insert(found, {record.icrc.obstacle, 0});
  ++found->packets;
}

}  // namespace rocescope
