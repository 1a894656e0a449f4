#include "analysis/points/compared_flows.hpp"

#include <algorithm>

namespace rocescope {

void ComparedFlows::Window::extend(const std::array<std::uint64_t, 2>& frames) noexcept {
  const bool is_first = last[0] == 0;
  for (const std::size_t side : {0U, 1U}) {
    first[side] = is_first ? frames[side] : std::min(first[side], frames[side]);
    last[side] = std::max(last[side], frames[side]);
  }
}

std::optional<std::uint32_t> ComparedFlows::find(const FlowKey& key) const {
  const auto known = numbers_.find(key);
  return known == numbers_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::uint32_t> ComparedFlows::find_or_add(const FlowKey& key) {
  if (const std::optional<std::uint32_t> known = find(key)) return known;
  if (flows_.size() >= kMost) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(flows_.size());
  numbers_.emplace(key, number);
  flows_.push_back({.key = key, .connections = {}, .pairs = {}});
  return number;
}

void ComparedFlows::note_point(Flow& flow, std::uint16_t point, std::uint32_t connection) {
  auto at = std::ranges::find(flow.connections, point, &std::pair<std::uint16_t, std::uint32_t>::first);
  if (at == flow.connections.end()) {
    for (const auto& [other, its] : flow.connections)
      static_cast<void>(pair_of(flow, std::min(other, point), std::max(other, point)));
    at = flow.connections.insert(at, {point, 0});
  }
  if (connection != 0) at->second = connection;
}

ComparedFlows::Pair& ComparedFlows::pair_of(Flow& flow, std::uint16_t low, std::uint16_t high) {
  const auto known =
      std::ranges::find_if(flow.pairs, [&](const Pair& pair) { return pair.low == low && pair.high == high; });
  if (known != flow.pairs.end()) return *known;
  return flow.pairs.emplace_back(Pair{.low = low, .high = high, .delays = {}});
}

void ComparedFlows::extend(std::optional<Extremes>& to, const Extremes& by) noexcept {
  to = to ? Extremes{std::min(to->least, by.least), std::max(to->most, by.most)} : by;
}

/// The least and the greatest delay of each direction between two hosts: from the lower to the higher address first.
ComparedFlows::HostDelays ComparedFlows::host_delays() const {
  HostDelays hosts = known_copies_.value_or(HostDelays());
  for (const Flow& flow : flows_) {
    for (const Pair& pair : flow.pairs) {
      if (known_copies_ || pair.delays.empty()) continue;
      extend(hosts[hosts_of(flow, pair)][direction_of(flow)], {pair.delays.min(), pair.delays.max()});
    }
  }
  for (const auto& [key, directions] : answers_) {
    for (std::size_t direction = 0; direction < 2; ++direction) {
      std::vector<std::int64_t> delays = directions[direction];
      if (delays.empty() || hosts[key][direction]) continue;
      const auto middle = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 2);
      std::ranges::nth_element(delays, middle);
      hosts[key][direction] = {*middle, *middle};
    }
  }
  return hosts;
}

void ComparedFlows::add_answer(const Flow& flow, const Pair& pair, std::int64_t ns) {
  std::vector<std::int64_t>& answers = answers_[hosts_of(flow, pair)][1 - direction_of(flow)];
  if (answers.size() < kMostAnswers) answers.push_back(ns);
}

void ComparedFlows::add_known_copy(const Flow& flow, const Pair& pair, std::int64_t ns) {
  if (known_copies_) extend((*known_copies_)[hosts_of(flow, pair)][direction_of(flow)], {ns, ns});
}

/// Whatever the clocks show, a packet and its answer take time to pass both points. With one direction only, the points
/// need one clock.
ComparedFlows::Way ComparedFlows::way_of(const Flow& flow, const Pair& pair, const HostDelays& hosts) const {
  const bool one_file = windows_.at({pair.low, pair.high}).one_file;
  Way way{.low_first = pair.delays.empty() || pair.delays.quantile(500) >= 0,
          .ordered = one_file,
          .one_clock = one_file,
          .clock_difference = {}};
  const auto known = hosts.find(hosts_of(flow, pair));
  if (known == hosts.end()) return way;
  const auto& [up, down] = known->second;
  if (!up || !down) return way;
  const bool low_is_near_lower = up->least > down->most;
  if (!low_is_near_lower && up->most >= down->least) return way;
  way.low_first = (direction_of(flow) == 0) == low_is_near_lower;
  way.ordered = true;
  const std::int64_t there = low_is_near_lower ? up->least : -up->most;
  const std::int64_t back = low_is_near_lower ? -down->most : down->least;
  way.one_clock = one_file && there >= 0 && back >= 0;  // a file may be merged from those of two hosts
  const std::int64_t high_ahead = low_is_near_lower ? there / 2 - back / 2 : back / 2 - there / 2;
  way.clock_difference = way.low_first ? high_ahead : -high_ahead;
  return way;
}

FlowComparison ComparedFlows::row_of(const Flow& flow, const Pair& pair, const Way& way) {
  const std::size_t from = way.low_first ? 0 : 1;
  const std::size_t to = 1 - from;
  const std::array<std::uint16_t, 2> points{pair.low, pair.high};
  const auto connection_at = [&](std::uint16_t point) {
    return std::ranges::find(flow.connections, point, &std::pair<std::uint16_t, std::uint32_t>::first)->second;
  };
  // A packet that is damaged at one point is missing at the other under its damaged fingerprint.
  const std::uint64_t damaged = std::min(pair.alone_bad[to], pair.alone[from].count);
  return {.source = flow.key.source,
          .destination = flow.key.destination,
          .dest_qp = flow.key.dest_qp,
          .from = points[from],
          .to = points[to],
          .ordered = way.ordered,
          .from_connection = connection_at(points[from]),
          .to_connection = connection_at(points[to]),
          .both = pair.both,
          .only_from = pair.alone[from].count + pair.sent[from] - damaged,
          .lost = pair.alone[from],
          .in_rows = pair.in_rows[from],
          .only_to = pair.alone[to].count - damaged,
          .uncompared = pair.uncompared + pair.further[from] - pair.sent[from],
          .duplicated = pair.further[to],
          .reordered = pair.late[0] + pair.late[1],
          .damaged = pair.damaged[to] + damaged,
          .delays = way.low_first ? pair.delays : pair.delays.reversed(),
          .clock_difference = way.clock_difference,
          .one_clock = way.one_clock};
}

std::vector<FlowComparison> ComparedFlows::rows() const {
  const HostDelays hosts = host_delays();
  std::vector<FlowComparison> rows;
  for (const Flow& flow : flows_) {
    for (const Pair& pair : flow.pairs) {
      if (pair.both > 0) rows.push_back(row_of(flow, pair, way_of(flow, pair, hosts)));
    }
  }
  return rows;
}

}  // namespace rocescope
