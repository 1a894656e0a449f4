#include "analysis/points/loss_rows.hpp"

#include <algorithm>
#include <cmath>

#include "sorting/sort.hpp"

namespace rocescope {

std::uint64_t LossRows::next(std::uint32_t flow, const FlowKey& key, std::uint16_t point) {
  if (flow >= sender_of_.size()) sender_of_.resize(flow + std::size_t{1});
  std::uint32_t& sender = sender_of_[flow];
  if (sender == 0)
    sender = senders_.try_emplace(key.source, static_cast<std::uint32_t>(senders_.size() + 1)).first->second;
  return ++seen_[{sender, point}];
}

std::vector<LossRows::Row> LossRows::rows_of(std::vector<const Alone*>& alone) {
  sorting::sort(alone, {}, [](const Alone* each) { return each->number; });
  std::vector<Row> rows;
  for (const Alone* each : alone) {
    const bool goes_on = !rows.empty() && rows.back().back()->number + 1 == each->number;
    if (!goes_on) rows.emplace_back();
    rows.back().push_back(each);
  }
  return rows;
}

/// Where each packet is lost with the same chance, a row this long is too unlikely. The packets outside of the row show that chance, or the
/// most that it may be: few of them show little, so that three are added (rule of three), and three times the root of them.
void LossRows::settle(std::vector<ComparedFlows::Flow>& flows) const {
  constexpr double kUnlikely = 0.001;
  constexpr double kOfNone = 3.0;
  std::map<Way, std::vector<const Alone*>> ways;
  for (const Alone& each : alone_) {
    const ComparedFlows::Pair& pair = flows[each.flow].pairs[each.pair];
    const auto from = each.side == 0 ? pair.low : pair.high;
    const std::uint32_t sender = each.flow < sender_of_.size() ? sender_of_[each.flow] : 0;
    ways[{sender, from, each.side == 0 ? pair.high : pair.low}].push_back(&each);
  }
  for (auto& [way, alone] : ways) {
    const auto seen = seen_.find({std::get<0>(way), std::get<1>(way)});
    if (seen == seen_.end()) continue;
    const auto all = static_cast<double>(seen->second);
    const std::vector<Row> rows = rows_of(alone);
    for (const Row& row : rows) {
      const auto others = static_cast<double>(alone.size() - row.size());
      const double share = std::min(1.0, (others + 3.0 * std::sqrt(others) + kOfNone) / all);
      const double chance = static_cast<double>(rows.size()) * std::pow(share, static_cast<double>(row.size() - 1));
      if (chance >= kUnlikely) continue;
      for (const Alone* each : row) flows[each->flow].pairs[each->pair].in_rows[each->side] += each->packets;
    }
  }
}

}  // namespace rocescope
