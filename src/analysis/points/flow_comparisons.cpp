#include "analysis/points/flow_comparisons.hpp"

#include <algorithm>
#include <deque>
#include <tuple>

#include "analysis/points/copy_watch.hpp"
#include "analysis/points/fingerprint.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/tracker.hpp"
#include "sorting/sort.hpp"

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

/// Whether a host that does not count its packets sent that copy, so many nanoseconds after the one before.
bool is_sent(const PacketRecord& record, std::int64_t since) noexcept {
  return record.verdict.kind != VerdictKind::kCaptureDuplicate && since >= TrackOptions().duplicate_window;
}

/// Microseconds, kept in 4 bytes.
std::uint32_t microseconds(std::int64_t ns) noexcept {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(ns / 1000, 0, UINT32_MAX));
}

}  // namespace

std::optional<std::uint32_t> FlowComparisons::flow_of(const PacketRecord& record) {
  FlowKey key = FlowKey::of(*record.packet);
  key.overlay_id = key.capture_point = 0;  // one point may see it inside a tunnel
  return flows_.find_or_add(key);
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

void FlowComparisons::note_uncut(std::uint32_t uncut, std::int64_t time) noexcept {
  if (uncut_ != 0 && uncut < uncut_) renamed_at_ = time;
  uncut_ = uncut;
}

void FlowComparisons::observe(const PacketRecord& record, bool counts, const CapturePoints::Sight& sight) {
  const Frame& frame = record.packet->frame;
  if (sight.uncut != uncut_) note_uncut(sight.uncut, frame.timestamp);
  Seen* seen = find(record);
  if (seen == nullptr) {
    if (!record.packet->is_roce()) return;
    const std::optional<std::uint32_t> number = flow_of(record);
    if (!number) {
      if (counts) ++uncompared_;
      return;
    }
    const bool counted = identification_hash(*record.packet) != 0;
    const std::uint32_t length = UncutLength::of(record.packet->roce);
    const bool was_renamed =
        length > uncut_ && renamed_at_ && elapsed(*renamed_at_, frame.timestamp) < CopyWatch::kLongest;
    seen = &seen_.add({.hash = record.fingerprint,
                       .flow = *number,
                       .counted = counted,
                       .was_renamed = was_renamed,
                       .uncut = uncut_,
                       .length = length},
                      [this](const Seen& oldest) {
                        extend(oldest);
                        settle(oldest);
                      });
  }
  Flow& flow = flows_.at(seen->flow);
  ComparedFlows::note_point(flow, frame.capture_point, record.verdict.connection);
  const auto end = seen->at.begin() + seen->points;
  const auto known =
      std::find_if(seen->at.begin(), end, [&](const SeenAt& at) { return at.point == frame.capture_point; });
  if (known != end) {
    if (known->copies == UINT8_MAX) return;
    ++known->copies;
    const std::int64_t since = elapsed(known->time, frame.timestamp);
    // If a host counts its packets, a retransmission is another packet.
    if (!seen->counted && is_sent(record, since - std::int64_t{known->last} * 1000)) ++known->sent;
    known->last = microseconds(since);
    known->last_frame = frame.number;
    return;
  }
  if (seen->points == kMostPoints) return;
  SeenAt now{.point = frame.capture_point,
             .copies = 1,
             .bad = is_damaged(record),
             .counts = counts,
             .again = is_again(record),
             .sent = 1,
             .time = frame.timestamp,
             .frame = frame.number,
             .place = rows_.next(seen->flow, flow, frame.capture_point),
             .capture = sight.capture,
             .last_frame = frame.number};
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
    if (seen.counted && !before.again && !now.again)
      watched(flow, low.point, high.point).extend({low.frame, high.frame});
    Window& window = flows_.window(low.point, high.point);
    if (low.capture != high.capture) window.one_file = false;
    if (!before.counts || !now.counts) continue;
    Pair& pair = ComparedFlows::pair_of(flow, low.point, high.point);
    ++pair.both;
    if (low.bad != high.bad) ++pair.damaged[low.bad ? 0 : 1];
    if (match_order(pair, before, now)) now.late |= static_cast<std::uint8_t>(1U << place);
    if (seen.counted) pair.delays.add(elapsed(low.time, high.time));
  }
}

/// If it came to one of the points more than once, it is not known which of these the other point saw.
void FlowComparisons::settle_uncounted(Pair& pair, const Seen& seen, const SeenAt& low, const SeenAt& high) {
  pair.both += std::min(low.copies, high.copies) - 1U;
  if (low.copies == 1 && high.copies == 1) return pair.delays.add(elapsed(low.time, high.time));
  const std::size_t second = &low < &high ? 1 : 0;
  const SeenAt& before = second == 1 ? low : high;
  const SeenAt& behind = second == 1 ? high : low;
  if ((behind.late >> (&before - seen.at.data()) & 1) != 0) --pair.late[second];
}

void FlowComparisons::settle(const Seen& seen) {
  const auto pairs = static_cast<std::uint32_t>(flows_.at(seen.flow).pairs.size());
  for (std::uint32_t pair = 0; pair < pairs; ++pair) settle(seen.flow, pair, seen);
}

void FlowComparisons::count_alone(std::uint32_t flow, std::uint32_t number, std::uint32_t side, const SeenAt& at) {
  Pair& pair = flows_.at(flow).pairs[number];
  if (!rows_.add(flow, number, side, at.place, at.sent)) pair.in_rows[side] += at.sent;
  for (unsigned copy = 0; copy < at.sent; ++copy) pair.alone[side].add(at.frame, at.time);
  pair.further[side] += static_cast<std::uint64_t>(at.copies - at.sent);
  if (at.bad) ++pair.alone_bad[side];
}

void FlowComparisons::settle(std::uint32_t flow, std::uint32_t number, const Seen& seen) {
  Pair& pair = flows_.at(flow).pairs[number];
  std::array<const SeenAt*, 2> at{};
  for (const SeenAt& each : seen.all()) {
    if (each.point == pair.low) at[0] = &each;
    if (each.point == pair.high) at[1] = &each;
  }
  if (at[0] != nullptr && at[1] != nullptr) {
    if (!at[0]->counts || !at[1]->counts) return;
    if (!seen.counted) settle_uncounted(pair, seen, *at[0], *at[1]);
    // If a packet was seen sooner, the other point may have seen more copies of it than is known.
    const Window& window = watched(flows_.at(flow), pair.low, pair.high);
    if (seen.counted && (at[0]->frame < window.first[0] || at[1]->frame < window.first[1])) return;
    const std::uint32_t more = at[0]->copies > at[1]->copies ? 0 : 1;
    const std::uint8_t fewer = at[1 - more]->copies;
    if (at[more]->copies == fewer) return;
    Outside further{flow, number, more, *at[more], true};
    further.at.copies = static_cast<std::uint8_t>(further.at.copies - fewer);
    further.at.sent = static_cast<std::uint8_t>(further.at.sent - std::min(further.at.sent, fewer));
    return seen.counted ? count(further) : count_if_watched(further);
  }
  for (const std::uint32_t side : {0U, 1U}) {
    if (at[side] == nullptr || !at[side]->counts) continue;
    if (may_be_renamed(seen)) {
      pair.uncompared += at[side]->copies;
    } else {
      count_if_watched({flow, number, side, *at[side]});
    }
  }
}

/// A packet that came to a point more than once shows nothing: it is not known which of its copies the other point saw.
void FlowComparisons::extend(const Seen& seen) {
  if (seen.counted) return;  // it did when it came
  const Flow& flow = flows_.at(seen.flow);
  const std::span<const SeenAt> all = seen.all();
  for (const SeenAt& low : all) {
    for (const SeenAt& high : all) {
      if (low.point < high.point && low.copies == 1 && high.copies == 1 && !low.again && !high.again)
        watched(flow, low.point, high.point).extend({low.frame, high.frame});
    }
  }
}

void FlowComparisons::count(const Outside& packet) {
  if (!packet.is_further) return count_alone(packet.flow, packet.pair, packet.side, packet.at);
  Pair& pair = flows_.at(packet.flow).pairs[packet.pair];
  pair.further[packet.side] += packet.at.copies;
  pair.sent[packet.side] += packet.at.sent;
}

/// Whether the other point was watched when it came, each time.
bool FlowComparisons::is_watched(const Outside& packet) {
  const Flow& flow = flows_.at(packet.flow);
  const Pair& pair = flow.pairs[packet.pair];
  const Window& window = watched(flow, pair.low, pair.high);
  return window.is_inside(packet.side, packet.at.frame) && window.is_inside(packet.side, packet.at.last_frame);
}

void FlowComparisons::count_if_watched(const Outside& packet) {
  Pair& pair = flows_.at(packet.flow).pairs[packet.pair];
  if (is_watched(packet)) {
    count(packet);
  } else if (outside_.size() < kMostSeen) {
    outside_.push_back(packet);
  } else {
    pair.uncompared += packet.at.copies;
  }
}

/// Before the first packet that both saw and behind the last, one of them may not have been watched: files that were merged begin and
/// end when they like.
void FlowComparisons::settle_outside() {
  for (const Outside& each : outside_) {
    if (is_watched(each)) {
      count(each);
    } else {
      flows_.at(each.flow).pairs[each.pair].uncompared += each.at.copies;
    }
  }
}

std::vector<FlowComparison> FlowComparisons::take(const std::deque<Connection>& connections) {
  seen_.visit([this](const Seen& seen) { extend(seen); });
  seen_.visit([this](const Seen& seen) { settle(seen); });
  settle_outside();
  rows_.settle(flows_.all());
  FinalNumbers numbers;
  for (const Connection& connection : connections) numbers.add(connection);
  std::vector<FlowComparison> taken = flows_.rows();
  for (FlowComparison& row : taken) {
    for (std::uint32_t* const number : {&row.from_connection, &row.to_connection}) *number = numbers.of(*number);
  }
  sorting::sort(taken, {}, [](const FlowComparison& row) {
    return std::tuple(row.from_connection == 0, std::min(row.from_connection, row.to_connection), row.source,
                      row.dest_qp);
  });
  return taken;
}

}  // namespace rocescope
