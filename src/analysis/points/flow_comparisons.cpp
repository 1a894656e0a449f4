#include "analysis/points/flow_comparisons.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <tuple>

#include "analysis/points/fingerprint.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/final_numbers.hpp"

namespace rocescope {

namespace {

/// Damage may leave nothing of RoCE.
bool is_damaged(const PacketRecord& record) noexcept {
  return record.icrc.status == IcrcStatus::kBad || !record.packet->is_roce();
}

/// Whether it was sent before, and its sender does not count its packets: a copy of it may be one of what was sent before.
bool is_again(const PacketRecord& record) noexcept {
  const VerdictKind kind = record.verdict.kind;
  const bool again = kind == VerdictKind::kRetransmission || kind == VerdictKind::kDuplicateAck ||
                     kind == VerdictKind::kStale || kind == VerdictKind::kReadResponseRetransmission;
  return again && identification_hash(*record.packet) == 0;
}

}  // namespace

FlowComparisons::Flow* FlowComparisons::flow_of(const PacketRecord& record, std::uint32_t& number) {
  const Packet& packet = *record.packet;
  FlowKey key = FlowKey::of(packet);
  key.overlay_id = key.capture_point = 0;  // one point may see it inside a tunnel
  auto known = numbers_.find(key);
  if (known == numbers_.end()) {
    if (flows_.size() >= kMostFlows) return nullptr;
    known = numbers_.emplace(key, static_cast<std::uint32_t>(flows_.size())).first;
    flows_.push_back({.key = key, .connections = {}, .pairs = {}});
  }
  number = known->second;
  return &flows_[number];
}

/// Takes down where a packet of the flow was seen.
void FlowComparisons::note_point(Flow& flow, const PacketRecord& record) {
  const std::uint8_t point = record.packet->frame.capture_point;
  auto at = std::ranges::find(flow.connections, point, &std::pair<std::uint8_t, std::uint32_t>::first);
  if (at == flow.connections.end()) {
    for (const auto& [other, connection] : flow.connections)
      pair_of(flow, std::min(other, point), std::max(other, point));
    at = flow.connections.insert(at, {point, 0});
  }
  if (record.verdict.connection != 0) at->second = record.verdict.connection;
}

FlowComparisons::Pair& FlowComparisons::pair_of(Flow& flow, std::uint8_t low, std::uint8_t high) {
  const auto known =
      std::ranges::find_if(flow.pairs, [&](const Pair& pair) { return pair.low == low && pair.high == high; });
  if (known != flow.pairs.end()) return *known;
  return flow.pairs.emplace_back(Pair{.low = low, .high = high, .delays = {}});
}

/// The packet as it was seen elsewhere, where it was; null: it is new.
FlowComparisons::Seen* FlowComparisons::find(const PacketRecord& record) {
  if (Seen* const seen = seen_.find(record.fingerprint)) return seen;
  const std::uint64_t hash = identification_hash(*record.packet);
  if (hash == 0) return nullptr;
  const bool bad = is_damaged(record);
  const Name* const name = bad ? names_.find(hash) : nullptr;
  if (name != nullptr) return seen_.find(name->fingerprint);
  if (!bad) names_.add({hash, record.fingerprint});
  return nullptr;
}

void FlowComparisons::observe(const PacketRecord& record, bool counts) {
  const Frame& frame = record.packet->frame;
  Seen* seen = find(record);
  if (seen == nullptr) {
    if (!record.packet->is_roce()) return;
    std::uint32_t number = 0;
    if (flow_of(record, number) == nullptr) {
      if (counts) ++uncompared_;
      return;
    }
    const bool counted = identification_hash(*record.packet) != 0;
    seen = &seen_.add({.hash = record.fingerprint, .flow = number, .counted = counted},
                      [this](const Seen& oldest) { settle(oldest); });
  }
  Flow& flow = flows_[seen->flow];
  note_point(flow, record);
  const auto end = seen->at.begin() + seen->points;
  const auto known =
      std::find_if(seen->at.begin(), end, [&](const SeenAt& at) { return at.point == frame.capture_point; });
  if (known != end) {
    if (known->copies < UINT8_MAX) ++known->copies;
    return;
  }
  if (seen->points == kMostPoints) return;
  SeenAt now{.point = frame.capture_point,
             .copies = 1,
             .bad = is_damaged(record),
             .counts = counts,
             .again = is_again(record),
             .time = frame.timestamp,
             .frame = frame.number,
             .capture = frame.capture_id};
  match(flow, *seen, now);
  seen->at[seen->points++] = now;
}

bool FlowComparisons::match_order(Pair& pair, const SeenAt& before, const SeenAt& now) {
  const std::size_t second = before.point < now.point ? 1 : 0;
  const bool late = before.frame < pair.highest[second];
  if (late) ++pair.late[second];
  pair.highest[second] = std::max(pair.highest[second], before.frame);
  return late;
}

/// With each point that saw the packet before.
void FlowComparisons::match(Flow& flow, Seen& seen, SeenAt& now) {
  for (std::size_t place = 0; place < seen.points; ++place) {
    const SeenAt& before = seen.at[place];
    const bool rising = before.point < now.point;
    const SeenAt& low = rising ? before : now;
    const SeenAt& high = rising ? now : before;
    Window& window = windows_[{low.point, high.point}];
    const bool is_first = window.last[0] == 0;
    for (const std::size_t side : {0U, 1U}) {
      if (before.again || now.again) break;
      const std::uint64_t frame = (side == 0 ? low : high).frame;
      window.first[side] = is_first ? frame : std::min(window.first[side], frame);
      window.last[side] = std::max(window.last[side], frame);
    }
    if (low.capture != high.capture) window.one_file = false;
    if (!before.counts || !now.counts) continue;
    Pair& pair = pair_of(flow, low.point, high.point);
    ++pair.both;
    if (low.bad != high.bad) ++pair.damaged[low.bad ? 0 : 1];
    if (match_order(pair, before, now)) now.late |= static_cast<std::uint8_t>(1U << place);
    if (seen.counted) pair.delays.add(elapsed(low.time, high.time));
  }
}

/// Where it came to one of the points more than once, nobody knows which of those the other saw.
void FlowComparisons::settle_uncounted(Pair& pair, const Seen& seen, const SeenAt& low, const SeenAt& high) {
  pair.both += std::min(low.copies, high.copies) - 1U;
  if (low.copies == 1 && high.copies == 1) return pair.delays.add(elapsed(low.time, high.time));
  const std::size_t second = &low < &high ? 1 : 0;
  const SeenAt& before = second == 1 ? low : high;
  const SeenAt& behind = second == 1 ? high : low;
  if ((behind.late >> (&before - seen.at.data()) & 1) != 0) --pair.late[second];
}

void FlowComparisons::settle(const Seen& seen) {
  const auto pairs = static_cast<std::uint32_t>(flows_[seen.flow].pairs.size());
  for (std::uint32_t pair = 0; pair < pairs; ++pair) settle(seen.flow, pair, seen);
}

void FlowComparisons::count_alone(Pair& pair, std::size_t side, const SeenAt& at) {
  for (unsigned copy = 0; copy < at.copies; ++copy) pair.alone[side].add(at.frame, at.time);
  if (at.bad) ++pair.alone_bad[side];
}

bool FlowComparisons::is_inside(const Window& window, std::size_t side, const SeenAt& at) noexcept {
  return at.frame > window.first[side] && at.frame < window.last[side];
}

void FlowComparisons::settle(std::uint32_t flow, std::uint32_t number, const Seen& seen) {
  Pair& pair = flows_[flow].pairs[number];
  std::array<const SeenAt*, 2> at{};
  for (const SeenAt& each : seen.all()) {
    if (each.point == pair.low) at[0] = &each;
    if (each.point == pair.high) at[1] = &each;
  }
  if (at[0] != nullptr && at[1] != nullptr) {
    if (!at[0]->counts || !at[1]->counts) return;
    if (!seen.counted) settle_uncounted(pair, seen, *at[0], *at[1]);
    // Of one that was seen sooner, the other point may have seen more than is known.
    const Window& window = windows_[{pair.low, pair.high}];
    if (at[0]->frame < window.first[0] || at[1]->frame < window.first[1]) return;
    const std::size_t more = at[0]->copies > at[1]->copies ? 0 : 1;
    pair.further[more] += static_cast<std::uint64_t>(at[more]->copies - at[1 - more]->copies);
    return;
  }
  const Window& window = windows_[{pair.low, pair.high}];
  for (const std::uint32_t side : {0U, 1U}) {
    if (at[side] == nullptr || !at[side]->counts) continue;
    if (is_inside(window, side, *at[side])) {
      count_alone(pair, side, *at[side]);
    } else if (outside_.size() < kMostSeen) {
      outside_.push_back({flow, number, side, *at[side]});
    } else {
      pair.uncompared += at[side]->copies;
    }
  }
}

/// Before the first packet that both saw and behind the last, one of them may not have been watched: files that were merged begin and
/// end when they like.
void FlowComparisons::settle_outside() {
  for (const Outside& each : outside_) {
    Pair& pair = flows_[each.flow].pairs[each.pair];
    if (is_inside(windows_[{pair.low, pair.high}], each.side, each.at)) {
      count_alone(pair, each.side, each.at);
    } else {
      pair.uncompared += each.at.copies;
    }
  }
}

/// The least and the greatest delay of each direction between two hosts: from the lower to the higher address first.
FlowComparisons::HostDelays FlowComparisons::host_delays() const {
  HostDelays hosts;
  for (const Flow& flow : flows_) {
    for (const Pair& pair : flow.pairs) {
      if (pair.delays.empty()) continue;
      auto& direction = hosts[hosts_of(flow, pair)][direction_of(flow)];
      const Extremes own{pair.delays.min(), pair.delays.max()};
      direction =
          direction ? Extremes{std::min(direction->least, own.least), std::max(direction->most, own.most)} : own;
    }
  }
  return hosts;
}

/// Whichever way the clocks differ, packets take time from one point to the other and back. With one direction only, one clock
/// tells.
FlowComparisons::Way FlowComparisons::way_of(const Flow& flow, const Pair& pair, const HostDelays& hosts) const {
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

FlowComparison FlowComparisons::row_of(const Flow& flow, const Pair& pair, const Way& way) const {
  const std::size_t from = way.low_first ? 0 : 1;
  const std::size_t to = 1 - from;
  const std::array<std::uint8_t, 2> points{pair.low, pair.high};
  const auto connection_at = [&](std::uint8_t point) {
    return std::ranges::find(flow.connections, point, &std::pair<std::uint8_t, std::uint32_t>::first)->second;
  };
  // What is damaged at the one is missing from the other under the name that it has there.
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
          .only_from = pair.alone[from].count + pair.further[from] - damaged,
          .lost = pair.alone[from],
          .only_to = pair.alone[to].count - damaged,
          .uncompared = pair.uncompared,
          .duplicated = pair.further[to],
          .reordered = pair.late[0] + pair.late[1],
          .damaged = pair.damaged[to] + damaged,
          .delays = way.low_first ? pair.delays : pair.delays.reversed(),
          .clock_difference = way.clock_difference,
          .one_clock = way.one_clock};
}

std::vector<FlowComparison> FlowComparisons::take(const std::deque<Connection>& connections) {
  seen_.visit([this](const Seen& seen) { settle(seen); });
  settle_outside();
  FinalNumbers numbers;
  for (const Connection& connection : connections) numbers.add(connection);
  const HostDelays hosts = host_delays();
  std::vector<FlowComparison> taken;
  for (const Flow& flow : flows_) {
    for (const Pair& pair : flow.pairs) {
      if (pair.both == 0) continue;
      FlowComparison& row = taken.emplace_back(row_of(flow, pair, way_of(flow, pair, hosts)));
      for (std::uint32_t* const number : {&row.from_connection, &row.to_connection}) {
        *number = numbers.of(*number);
      }
    }
  }
  std::ranges::sort(taken, {}, [](const FlowComparison& row) {
    return std::tuple(row.from_connection == 0, std::min(row.from_connection, row.to_connection), row.source,
                      row.dest_qp);
  });
  return taken;
}

}  // namespace rocescope
