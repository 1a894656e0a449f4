#include "ladder/truth_timeline.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// A queue pair of the truth that is one side of the connection.
struct Owner {
  truth::Side side = truth::Side::kClient;
  std::int64_t created = 0;
  std::int64_t destroyed = kNever;
};

/// The state in which the queue pair was connected to the other side. Numbers are used again over time: of several, the one
/// nearest to the connection's first packet.
const truth::QueuePairState* connected_state(const truth::Truth& truth, const Connection& connection,
                                             std::size_t side) {
  const ConnectionSide& mine = connection.sides[side];
  const ConnectionSide& other = connection.sides[1 - side];
  const auto distance = [&](const truth::QueuePairState& state) {
    return std::abs(elapsed(state.time, connection.first_time));
  };
  const truth::QueuePairState* nearest = nullptr;
  for (const truth::QueuePairState& state : truth.queue_pair_states) {
    const bool matches =
        mine.qpn == state.qpn && state.dest_qpn && state.dest_qpn == other.qpn && state.dgid == other.address;
    if (matches && (nearest == nullptr || distance(state) < distance(*nearest))) nearest = &state;
  }
  return nearest;
}

std::optional<Owner> owner_of(const truth::Truth& truth, const Connection& connection, std::size_t side) {
  const truth::QueuePairState* state = connected_state(truth, connection, side);
  if (state == nullptr) return std::nullopt;
  Owner owner{.side = state->side, .created = state->time};
  for (const truth::QueuePair& each : truth.queue_pairs) {
    if (each.side == owner.side && each.qpn == state->qpn && each.time <= state->time) owner.created = each.time;
  }
  for (const truth::QueuePairDestroyed& each : truth.queue_pairs_destroyed) {
    if (each.side == owner.side && each.qpn == state->qpn && each.time > state->time) {
      owner.destroyed = each.time;
      break;
    }
  }
  return owner;
}

/// Collects the facts of one side.
class SideFacts {
 public:
  SideFacts(const truth::Truth& truth, const Owner& owner, std::uint8_t side, Qpn qpn, TruthTimeline& timeline)
      : truth_(truth), owner_(owner), side_(side), qpn_(qpn), timeline_(timeline) {}

  void collect() {
    // A program may have many connections; the last objects before the queue pair belong to it.
    add_last_before(truth_.devices_opened, Phase::kDiscovery);
    add_last_before(truth_.devices, Phase::kDiscovery);
    add_last_before(truth_.protection_domains, std::nullopt);
    add_last_before(truth_.completion_queues, std::nullopt);
    add_region();
    add_if(truth_.queue_pairs, Phase::kQueuePair,
           [&](const auto& qp) { return qp.qpn == qpn_ && qp.time == owner_.created; });
    add_states();
    add_cm_events();
    add_work();
    add_if(truth_.queue_pairs_destroyed, Phase::kTearDown,
           [&](const auto& qp) { return qp.qpn == qpn_ && qp.time == owner_.destroyed; });
    add_if(truth_.async_events, Phase::kData,
           [&](const auto& event) { return event.qpn == qpn_ && in_life(event.time); });
    add_if(truth_.kills, Phase::kTearDown, [&](const auto& kill) { return kill.time > owner_.created; });
  }

 private:
  [[nodiscard]] bool in_life(std::int64_t time) const { return time >= owner_.created && time <= owner_.destroyed; }

  template <class Event>
  void add(const Event& event, std::optional<Phase> phase) {
    std::int64_t duration = 0;
    if constexpr (requires { event.duration; }) duration = event.duration;
    timeline_.events.push_back(
        {.begin = event.time - duration, .time = event.time, .side = side_, .phase = phase, .what = event});
  }

  template <class Event, class Condition>
  void add_if(const std::vector<Event>& events, std::optional<Phase> phase, Condition condition) {
    for (const Event& event : events) {
      if (event.side == owner_.side && condition(event)) add(event, phase);
    }
  }

  template <class Event, class Condition>
  const Event* last_before(const std::vector<Event>& events, std::int64_t time, Condition condition) const {
    const Event* last = nullptr;
    for (const Event& event : events) {
      if (event.side == owner_.side && event.time <= time && condition(event)) last = &event;
    }
    return last;
  }

  template <class Event>
  void add_last_before(const std::vector<Event>& events, std::optional<Phase> phase) {
    if (const Event* event = last_before(events, owner_.created, [](const Event&) { return true; })) add(*event, phase);
  }

  void add_region() {
    const auto is_remote = [](const truth::MemoryRegion& region) { return region.is_remote(); };
    const truth::MemoryRegion* region = last_before(truth_.regions, owner_.created, is_remote);
    if (region == nullptr) return;
    add(*region, Phase::kMemory);
    const auto gone = std::ranges::find_if(truth_.regions_deregistered, [&](const auto& each) {
      return each.side == owner_.side && each.r_key == region->r_key && each.time > region->time;
    });
    if (gone != truth_.regions_deregistered.end()) add(*gone, Phase::kTearDown);
  }

  void add_states() {
    for (const truth::QueuePairState& state : truth_.queue_pair_states) {
      if (state.side != owner_.side || state.qpn != qpn_ || !in_life(state.time)) continue;
      const Phase phase = state.state == "INIT"  ? Phase::kQueuePair
                          : state.state == "ERR" ? Phase::kTearDown
                                                 : Phase::kConnection;
      add(state, phase);
    }
  }

  /// Those with the queue pair's number, and the earlier ones, which have no number yet.
  void add_cm_events() {
    const auto phase_of = [](const truth::CmEvent& event) {
      if (event.type == "ADDR_RESOLVED" || event.type == "ROUTE_RESOLVED") return Phase::kDiscovery;
      if (event.type == "DISCONNECTED" || event.type == "TIMEWAIT_EXIT") return Phase::kTearDown;
      return Phase::kConnection;
    };
    for (const truth::CmEvent& event : truth_.cm_events) {
      if (event.side != owner_.side) continue;
      if (event.qpn == qpn_ && in_life(event.time)) add(event, phase_of(event));
    }
    for (const char* type : {"ADDR_RESOLVED", "ROUTE_RESOLVED", "CONNECT_REQUEST"}) {
      const auto is_it = [&](const truth::CmEvent& event) { return event.type == type && !event.qpn; };
      const truth::CmEvent* event = last_before(truth_.cm_events, owner_.created, is_it);
      if (event != nullptr) add(*event, phase_of(*event));
    }
  }

  /// The first request, and completions that failed.
  void add_work() {
    for (const truth::Post& post : truth_.posts) {
      if (post.side != owner_.side || post.qpn != qpn_ || !in_life(post.time) || !post.is_message()) continue;
      timeline_.first_posts[side_] = post.time;
      break;
    }
    add_if(truth_.completions, Phase::kData, [&](const auto& completion) {
      return completion.qpn == qpn_ && in_life(completion.time) && !completion.is_success();
    });
  }

  const truth::Truth& truth_;
  const Owner& owner_;
  std::uint8_t side_;
  Qpn qpn_;
  TruthTimeline& timeline_;
};

/// The last completion, except those that flush a queue pair at its end.
std::optional<std::int64_t> end_of_data(const truth::Truth& truth, const Connection& connection,
                                        const std::array<Owner, 2>& owners) {
  std::optional<std::int64_t> end;
  for (const truth::Completion& completion : truth.completions) {
    for (std::size_t i = 0; i < 2; ++i) {
      const bool ours = completion.side == owners[i].side && connection.sides[i].qpn == completion.qpn &&
                        completion.time >= owners[i].created && completion.time <= owners[i].destroyed;
      if (ours && completion.status != "WR_FLUSH_ERR") end = std::max(end.value_or(completion.time), completion.time);
    }
  }
  return end;
}

struct Mark {
  std::int64_t time = 0;
  Phase phase = Phase::kDiscovery;
};

/// The messages of the exchange that either side sent, from the time at which the first side had a device.
void add_exchange_marks(const truth::Truth& truth, const std::array<Owner, 2>& owners, std::int64_t begin,
                        std::vector<Mark>& marks) {
  for (const truth::Exchange& message : truth.exchanges) {
    const bool ours = message.side == owners[0].side || message.side == owners[1].side;
    if (!ours || !message.sent || message.time < begin) continue;
    const std::string_view type = message.type;
    marks.push_back({message.time, type.starts_with("DEVICE") ? Phase::kDiscovery
                                   : type.starts_with("QP")   ? Phase::kQueuePair
                                   : type.starts_with("MR")   ? Phase::kMemory
                                                              : Phase::kConnection});
  }
}

/// Each mark begins a phase, which lasts until another one begins. Data, once it flows, lasts until the tear-down.
std::vector<PhaseSpan> phases_of(const TruthTimeline& timeline, std::vector<Mark> marks,
                                 std::optional<std::int64_t> data_end) {
  std::int64_t data = kNever;
  for (const std::int64_t post : timeline.first_posts) {
    if (post != 0) data = std::min(data, post);
  }
  std::int64_t tear_down = kNever;
  std::int64_t end = 0;
  for (const TruthEvent& event : timeline.events) {
    end = std::max(end, event.time);
    if (!event.phase) continue;
    if (*event.phase < Phase::kData) marks.push_back({event.begin, *event.phase});
    if (*event.phase == Phase::kTearDown) tear_down = std::min(tear_down, event.begin);
  }
  // The data phase ends with the work, although a program may notice that later.
  if (data_end) tear_down = data == kNever ? tear_down : *data_end;
  std::erase_if(marks, [&](const Mark& mark) { return mark.time >= std::min(data, tear_down); });
  if (data != kNever) marks.push_back({data, Phase::kData});
  if (tear_down != kNever) marks.push_back({tear_down, Phase::kTearDown});
  sorting::stable_sort(marks, {}, &Mark::time);

  std::vector<PhaseSpan> spans;
  for (const Mark& mark : marks) {
    if (!spans.empty() && spans.back().phase == mark.phase) continue;
    if (!spans.empty()) spans.back().end = mark.time;
    spans.push_back({mark.phase, mark.time, end});
  }
  return spans;
}

}  // namespace

std::int64_t TruthTimeline::duration(Phase phase) const noexcept {
  std::int64_t total = 0;
  for (const PhaseSpan& span : phases) {
    if (span.phase == phase) total += span.end - span.begin;
  }
  return total;
}

std::optional<TruthTimeline> truth_timeline(const truth::Truth& truth, const Connection& connection) {
  std::array<Owner, 2> owners;
  TruthTimeline timeline;
  for (const std::uint8_t side : kConnectionSides) {
    const std::optional<Owner> owner = owner_of(truth, connection, side);
    if (!owner) return std::nullopt;
    owners[side] = *owner;
    timeline.sides[side] = owner->side;
    SideFacts(truth, owners[side], side, *connection.sides[side].qpn, timeline).collect();
  }
  sorting::stable_sort(timeline.events, {}, &TruthEvent::time);
  std::vector<Mark> marks;
  const std::int64_t begin = timeline.events.empty() ? 0 : timeline.events.front().begin;
  add_exchange_marks(truth, owners, begin, marks);
  timeline.phases = phases_of(timeline, std::move(marks), end_of_data(truth, connection, owners));
  return timeline;
}

}  // namespace rocescope
