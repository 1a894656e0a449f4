#include "analysis/points/loss_rows.hpp"

#include <algorithm>
#include <cmath>

#include "sorting/sort.hpp"

namespace rocescope {

LossRows::Place LossRows::next(std::uint32_t number, const ComparedFlows::Flow& flow, std::uint16_t point) {
  if (number >= group_of_.size()) group_of_.resize(number + std::size_t{1});
  GroupOfFlow& of_flow = group_of_[number];
  if (of_flow.points != flow.connections.size()) {
    std::vector<std::uint16_t> points;
    for (const auto& [its_point, connection] : flow.connections) points.push_back(its_point);
    std::ranges::sort(points);
    const auto next = static_cast<std::uint32_t>(groups_.size() + 1);
    of_flow = {groups_.try_emplace({flow.key.source, std::move(points)}, next).first->second,
               static_cast<std::uint32_t>(flow.connections.size())};
  }
  return {of_flow.group, ++seen_[{of_flow.group, point}]};
}

std::vector<LossRows::Row> LossRows::rows_of(std::vector<const Alone*>& alone) {
  sorting::sort(alone, {}, [](const Alone* each) { return each->place.number; });
  std::vector<Row> rows;
  for (const Alone* each : alone) {
    const bool goes_on = !rows.empty() && rows.back().back()->place.number + 1 == each->place.number;
    if (!goes_on) rows.emplace_back();
    rows.back().push_back(each);
  }
  return rows;
}

/// If each packet is lost with the same probability, a row this long is too unlikely. The packets outside the row give
/// an upper bound of that probability: since few packets show little, three losses (rule of three) and three times the
/// square root of the losses are added.
void LossRows::settle(std::vector<ComparedFlows::Flow>& flows) const {
  constexpr double kUnlikely = 0.001;
  constexpr double kOfNone = 3.0;
  std::map<Way, std::vector<const Alone*>> ways;
  for (const Alone& each : alone_) {
    const ComparedFlows::Pair& pair = flows[each.flow].pairs[each.pair];
    const auto from = each.side == 0 ? pair.low : pair.high;
    ways[{each.place.group, from, each.side == 0 ? pair.high : pair.low}].push_back(&each);
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
