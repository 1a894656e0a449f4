#include "analysis/points/message_comparisons.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kMicrosecond = 1'000;

std::uint32_t memory_of(const Message& message) noexcept {
  if (!message.address) return 0;
  return static_cast<std::uint32_t>(mix(*message.address, message.r_key.value_or(0))) | 1U;
}

/// Packets that it has; 0: unknown.
std::uint32_t span_of(const Message& message) noexcept {
  if (message.is_read()) return 1;
  if (!message.has_first || !message.has_last) return 0;
  return static_cast<std::uint32_t>(message.first_psn.distance_to(message.last_psn)) + 1;
}

/// So many packets of one message.
void add_packets(std::uint64_t packets, std::uint64_t frame, std::int64_t time, Occurrences& to) noexcept {
  const std::uint64_t few = std::min<std::uint64_t>(packets, Occurrences::kPackets);
  for (std::uint64_t i = 0; i < few; ++i) to.add(frame, time);
  to.count += packets - few;
}

}  // namespace

void MessageComparisons::add(const FlowKey& key, Seen seen) {
  const std::uint64_t packets = std::uint64_t{seen.packets} + seen.again;
  const std::optional<std::uint32_t> flow = flows_.find_or_add(key);
  if (!flow || seen_.size() >= kMostMessages) {
    count_uncompared(packets);
    if (!flow) return;
    crowded_.resize(flows_.all().size());
    crowded_[*flow] = true;
    return;
  }
  ComparedFlows::Flow& its = flows_.at(*flow);
  const auto known = std::ranges::find(its.connections, seen.point, &std::pair<std::uint16_t, std::uint32_t>::first);
  if (known == its.connections.end() && its.connections.size() == kMostPoints) return count_uncompared(packets);
  ComparedFlows::note_point(its, seen.point, seen.connection);
  seen.flow = *flow;
  seen_.push_back(seen);
}

void MessageComparisons::add(const FlowKey& key, std::uint16_t point, std::uint32_t connection, const Message& message,
                             std::optional<Qpn> sender) {
  const bool ended = message.completion_frame != 0;
  const std::int64_t late = std::min(message.late_us * kMicrosecond, elapsed(message.first_time, INT64_MAX));
  add(key,
      {.point = point,
       .operation = message.operation,
       .has_first = message.has_first,
       .has_last = message.has_last,
       .first_once = message.has_first && message.attempts == 1 && (message.resent || message.late_us == 0),
       .counts = message.counts,
       .ended = ended,
       .comes_once = message.outcome == MessageOutcome::kUnacknowledged || message.outcome == MessageOutcome::kLost,
       .first_psn = message.first_psn,
       .last_psn = message.last_psn,
       .completed = message.outcome == MessageOutcome::kCompleted,
       .packets = message.packets,
       .again = message.resent_packets,
       .requested = message.reopened ? message.attempts : 0U,
       .span = span_of(message),
       .memory = memory_of(message),
       .icrc = message.first_icrc,
       .connection = connection,
       .sender = sender ? sender->value() : 0,
       .frame = message.first_frame,
       .time = message.first_time,
       .last_sent = std::max(message.last_time, message.first_time + late),
       .answered = ended ? message.completion_time : 0});
}

void MessageComparisons::add_responses(const FlowKey& key, std::uint16_t point, std::uint32_t connection,
                                       const Message& read, std::optional<Qpn> sender) {
  const auto span = static_cast<std::uint32_t>(read.first_psn.distance_to(read.last_psn)) + 1;
  const bool completed = read.outcome == MessageOutcome::kCompleted;
  const bool is_usual =
      !read.resent && !read.reopened && read.responses == span && read.resent_responses == 0 && read.all_responses != 0;
  add(key, {.point = point,
            .operation = Operation::kReadResponse,
            .has_first = true,
            .has_last = completed,
            .first_once = completed && is_usual,
            .counts = read.counts,
            .responses = true,
            .first_psn = read.first_psn,
            .last_psn = read.last_psn,
            .completed = completed,
            .packets = read.responses,
            .again = read.resent_responses,
            .span = span,
            .memory = memory_of(read),
            .connection = connection,
            .sender = sender ? sender->value() : 0,
            .all_responses = read.all_responses,
            .frame = completed ? read.completion_frame : read.first_frame,
            .time = completed ? read.completion_time : read.first_time,
            .last_sent = read.last_time,
            .answered = completed ? read.completion_time : 0});
}

template <class Visitor>
void MessageComparisons::visit_pairs(Visitor visitor) {
  std::vector<Messages> points;
  for (auto at = seen_.begin(); at != seen_.end();) {
    const std::uint32_t flow = at->flow;
    points.clear();
    while (at != seen_.end() && at->flow == flow) {
      const auto end =
          std::find_if(at, seen_.end(), [&](const Seen& seen) { return seen.flow != flow || seen.point != at->point; });
      points.emplace_back(at, end);
      at = end;
    }
    if (flow < crowded_.size() && crowded_[flow]) continue;
    for (std::size_t low = 0; low < points.size(); ++low) {
      for (std::size_t high = low + 1; high < points.size(); ++high) {
        ComparedFlows::Pair& pair =
            ComparedFlows::pair_of(flows_.at(flow), points[low].front().point, points[high].front().point);
        visitor(pair, points[low], points[high]);
      }
    }
  }
}

namespace {

/// Of a READ request the last PSN is that of its last response, which only who knows the MTU can tell.
template <class Seen>
bool knows_last(const Seen& seen) noexcept {
  return seen.has_last && seen.operation != Operation::kReadRequest;
}

/// By what two points know one message.
template <class Seen>
std::uint64_t name_of(const Seen& seen, bool by_first) noexcept {
  const Psn psn = by_first ? seen.first_psn : seen.last_psn;
  return std::uint64_t{static_cast<std::uint8_t>(seen.operation)} << 32U | psn.value();
}

/// The messages by their names, those of one name by their times.
template <class Seen>
std::vector<std::pair<std::uint64_t, Seen*>> by_name(std::span<Seen> messages, bool by_first) {
  std::vector<std::pair<std::uint64_t, Seen*>> names;
  names.reserve(messages.size());
  for (Seen& seen : messages) {
    if (!seen.met && (by_first ? seen.has_first : knows_last(seen))) names.emplace_back(name_of(seen, by_first), &seen);
  }
  sorting::sort(names, [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.second->time, a.second->frame) < std::tuple(b.first, b.second->time, b.second->frame);
  });
  return names;
}

template <class Seen>
bool has_other_icrc(const Seen& a, const Seen& b) noexcept {
  return a.icrc != 0 && b.icrc != 0 && a.icrc != b.icrc;
}

template <class Seen>
bool may_be_same(const Seen& a, const Seen& b) noexcept {
  if (a.has_first && b.has_first && a.first_psn != b.first_psn) return false;
  if (knows_last(a) && knows_last(b) && a.last_psn != b.last_psn) return false;
  if (a.sender != 0 && b.sender != 0 && a.sender != b.sender) return false;
  if (a.memory != 0 && b.memory != 0 && a.memory != b.memory) return false;
  // Of a packet that was sent twice, each may have seen another copy.
  return !has_other_icrc(a, b) || !a.first_once || !b.first_once;
}

/// Of those with the name, the one that comes next to the time that is expected, and whose first packet is the same where any is; null:
/// none comes near it.
template <class Names, class Seen>
Seen* find_match(const Names& names, std::uint64_t name, const Seen& of, std::int64_t delay, std::int64_t most_apart) {
  constexpr std::ptrdiff_t kNear = 16;
  const auto first = std::ranges::lower_bound(names, name, {}, [](const auto& each) { return each.first; });
  const auto last = std::partition_point(first, names.end(), [&](const auto& each) { return each.first == name; });
  const auto near =
      std::partition_point(first, last, [&](const auto& each) { return elapsed(of.time, each.second->time) < delay; });
  Seen* best = nullptr;
  std::pair<bool, std::int64_t> least{true, most_apart};
  const auto end = near + std::min(kNear, last - near);
  for (auto each = near - std::min(kNear, near - first); each != end; ++each) {
    Seen& other = *each->second;
    if (other.met || !may_be_same(of, other)) continue;
    const std::int64_t apart = std::abs(elapsed(delay, elapsed(of.time, other.time)));
    const std::pair its(has_other_icrc(of, other), apart);
    if (apart > most_apart || its > least || (its == least && best != nullptr)) continue;
    least = its;
    best = &other;
  }
  return best;
}

}  // namespace

/// Of messages whose names come once at each of both points: nothing else can be meant.
void MessageComparisons::sample_delays(std::pair<std::uint16_t, std::uint16_t> points, Messages low, Messages high) {
  std::vector<std::int64_t>& samples = points_[points].samples;
  const auto at_low = by_name(low, true);
  const auto at_high = by_name(high, true);
  const auto is_alone = [](const auto& names, auto each) {
    return (each == names.begin() || (each - 1)->first != each->first) &&
           (each + 1 == names.end() || (each + 1)->first != each->first);
  };
  auto other = at_high.begin();
  for (auto each = at_low.begin(); each != at_low.end() && samples.size() < kMostSamples; ++each) {
    while (other != at_high.end() && other->first < each->first) ++other;
    if (other == at_high.end()) break;
    if (other->first != each->first || !is_alone(at_low, each) || !is_alone(at_high, other)) continue;
    if (may_be_same(*each->second, *other->second)) samples.push_back(elapsed(each->second->time, other->second->time));
  }
}

std::array<std::int64_t, 2> MessageComparisons::first_answers(const std::vector<Match>& matches) noexcept {
  std::array<std::int64_t, 2> first{INT64_MAX, INT64_MAX};
  for (const auto& [low, high] : matches) {
    if (low->answered == 0 || high->answered == 0) continue;
    first = {std::min(first[0], low->answered), std::min(first[1], high->answered)};
  }
  return first;
}

/// Of a message that was sent before the capture began, its packets, or the responses, may have passed before as well, even if some of it is
/// sent again behind that; and what a READ lacks at the end of the capture may come when its requester asks again. What was sent when such
/// messages had been answered twice over, and answered when others were to be twice over, is neither.
bool MessageComparisons::misses_packets(Messages messages) noexcept {
  std::int64_t begin = std::numeric_limits<std::int64_t>::min();
  std::int64_t end = std::numeric_limits<std::int64_t>::max();
  for (int round = 0; round < 2; ++round) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const Seen& seen : messages) {
      if (seen.answered == 0) continue;
      if (seen.sent() > begin) first = std::min(first, seen.answered);
      if (seen.answered < end) last = std::max(last, seen.sent());
    }
    begin = first;
    end = last;
  }
  return std::ranges::any_of(messages, [&](const Seen& seen) {
    return seen.counts && seen.completed && seen.packets < seen.span && seen.sent() > begin && seen.answered < end;
  });
}

/// Finds the messages that both saw. They show how long packets take, and when both points were watched. Those that were sent when others had
/// been answered at both points show which point packets pass first. Of those before, one point may have seen a copy, or the answer to a
/// copy, that passed the other one before its capture began.
void MessageComparisons::measure(ComparedFlows::Pair& pair, Messages low, Messages high) {
  TwoPoints& points = points_[{pair.low, pair.high}];
  ComparedFlows::Window& window = flows_.window(pair.low, pair.high);
  window.one_file = false;
  const std::vector<Match> matches = match(low, high, points.delay);
  const std::array<std::int64_t, 2> answers = first_answers(matches);
  points.misses = {points.misses[0] || misses_packets(low), points.misses[1] || misses_packets(high)};
  for (const Match& both : matches) {
    const auto& [a, b] = both;
    if (!a->counts || !b->counts) continue;
    if (a->responses && !(a->first_once && b->first_once)) continue;  // these may be different packets
    window.extend({a->frame, b->frame});
    for (const std::size_t side : {0U, 1U}) {
      const std::int64_t time = (side == 0 ? a : b)->time;
      points.first[side] = points.any ? std::min(points.first[side], time) : time;
      points.last[side] = points.any ? std::max(points.last[side], time) : time;
    }
    points.any = true;
    if (!a->first_once || !b->first_once) continue;
    // Of READs these may be different copies of the last response. They are compared themselves.
    if (a->ended && b->ended && a->operation != Operation::kReadRequest)
      flows_.add_answer(flows_.at(a->flow), pair, elapsed(a->answered, b->answered));
    const std::int64_t delay = elapsed(a->time, b->time);
    pair.delays.add(delay);
    if ((a->comes_once && b->comes_once) || (a->sent() > answers[0] && b->sent() > answers[1]))
      flows_.add_known_copy(flows_.at(a->flow), pair, delay);
    if (b->frame < pair.highest[1]) ++pair.late[1];
    pair.highest[1] = std::max(pair.highest[1], b->frame);
  }
  if (pair.delays.empty()) return;
  const Span own{pair.delays.min(), pair.delays.max()};
  const Span before = points.delays.value_or(own);
  points.delays = {std::min(before.least, own.least), std::max(before.most, own.most)};
}

std::vector<MessageComparisons::Match> MessageComparisons::match(Messages low, Messages high, std::int64_t delay) {
  for (const Messages& messages : {low, high}) {
    for (Seen& seen : messages) seen.met = false;
  }
  std::vector<Match> matches;
  for (const bool by_first : {true, false}) {  // of some only the end was seen
    const auto names = by_name(high, by_first);
    for (Seen& seen : low) {
      if (seen.met || !(by_first ? seen.has_first : knows_last(seen))) continue;
      Seen* const other = find_match(names, name_of(seen, by_first), seen, delay, kMostApart);
      if (other == nullptr) continue;
      seen.met = other->met = true;
      matches.emplace_back(&seen, other);
    }
  }
  sorting::sort(matches, {}, [](const Match& both) { return both.first->frame; });
  return matches;
}

MessageComparisons::Span MessageComparisons::delays_from(const ComparedFlows::Pair& pair, std::size_t side) {
  const Span all = points_[{pair.low, pair.high}].delays.value_or(Span());
  const std::int64_t least = side == 0 ? all.least : -all.most;
  const std::int64_t most = side == 0 ? all.most : -all.least;
  const std::int64_t varies = elapsed(least, most) / 2;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {least < varies - kMost ? -kMost : least - varies, most > kMost - varies ? kMost : most + varies};
}

bool MessageComparisons::is_covered(const ComparedFlows::Pair& pair, std::size_t side, const Seen& message) {
  if (!flows_.window(pair.low, pair.high).is_inside(side, message.frame) || pair.delays.empty()) return false;
  const Span delays = delays_from(pair, side);
  const TwoPoints& points = points_[{pair.low, pair.high}];
  return elapsed(message.time, points.first[1 - side]) <= delays.least &&
         elapsed(message.last_sent, points.last[1 - side]) >= delays.most;
}

bool MessageComparisons::agree_on_senders(const ComparedFlows::Pair& pair, Messages low, Messages high) {
  const ComparedFlows::Window& window = flows_.window(pair.low, pair.high);
  const std::array<Messages, 2> sides{low, high};
  for (const std::size_t side : {0U, 1U}) {
    std::vector<std::uint32_t> known;
    for (const Seen& seen : sides[1 - side]) {
      if (seen.sender != 0 && (known.empty() || known.back() != seen.sender)) known.push_back(seen.sender);
    }
    sorting::sort(known);
    const auto is_strange = [&](const Seen& seen) {
      return seen.sender != 0 && seen.frame >= window.first[side] && seen.frame <= window.last[side] &&
             !std::ranges::binary_search(known, seen.sender);
    };
    if (!known.empty() && std::ranges::any_of(sides[side], is_strange)) return false;
  }
  return true;
}

void MessageComparisons::settle(ComparedFlows::Pair& pair, Messages low, Messages high) {
  if (!agree_on_senders(pair, low, high)) {
    const auto packets_of = [](const Messages& messages) {
      std::uint64_t packets = 0;
      for (const Seen& seen : messages) packets += std::uint64_t{seen.packets} + seen.again;
      return packets;
    };
    return count_uncompared(std::max(packets_of(low), packets_of(high)));
  }
  const std::vector<Match> matches = match(low, high, points_[{pair.low, pair.high}].delay);
  // Where a capture misses packets, it shows one message as several that lack an end.
  const auto is_cut = [](const Seen& seen) {
    return !seen.met && !seen.responses && !(seen.has_first && seen.has_last);
  };
  const std::array<bool, 2>& misses = points_[{pair.low, pair.high}].misses;
  const std::array<bool, 2> has_cut{misses[0] || std::ranges::any_of(low, is_cut),
                                    misses[1] || std::ranges::any_of(high, is_cut)};
  for (const Match& both : matches) {
    if (both.first->counts && both.second->counts && !both.first->responses) settle(pair, both, has_cut);
  }
  settle_alone(pair, 0, low, high, has_cut[1]);
  settle_alone(pair, 1, high, low, has_cut[0]);
  settle_responses(pair, matches, low, high, misses);
}

/// Counts the packets of a message that both saw. What came to one of them when it had been answered at the other is not known there.
void MessageComparisons::settle(ComparedFlows::Pair& pair, const Match& both, const std::array<bool, 2>& has_cut) {
  const auto& [low, high] = both;
  const std::uint32_t passed = low->completed || high->completed ? std::max(low->span, high->span) : 0;
  const auto packets_at = [&](const Seen& seen) { return std::uint64_t{std::max(seen.packets, passed)} + seen.again; };
  const std::array<std::uint64_t, 2> packets{packets_at(*low), packets_at(*high)};
  pair.both += std::min(packets[0], packets[1]);
  if (packets[0] == packets[1]) return;
  const std::size_t side = packets[0] > packets[1] ? 0 : 1;
  const Seen& more = side == 0 ? *low : *high;
  const Seen& less = side == 0 ? *high : *low;
  const std::uint64_t further = packets[side] - packets[1 - side];
  // Requests of READs that came there when all had been answered: they are known only where they ask for all responses.
  const std::uint64_t after_answer = std::max<std::uint64_t>(less.requested, packets[1 - side]) - packets[1 - side];
  const bool is_whole = less.has_first && less.has_last;
  const bool misses = points_[{pair.low, pair.high}].misses[1 - side];
  bool is_known = less.has_first && !misses && (is_whole || !has_cut[1 - side]) && is_covered(pair, side, more);
  if (is_known && less.ended) is_known = elapsed(more.last_sent, less.answered) >= delays_from(pair, side).most;
  const std::uint64_t lost = is_known ? further - std::min(further, after_answer) : 0;
  add_packets(lost, more.frame, more.time, pair.alone[side]);
  pair.uncompared += further - lost;
}

namespace {

/// READs of one point, to find what asks again for the rest of one: who did not see that READ takes it for another.
template <class Seen>
class ReadsOfPoint {
 public:
  explicit ReadsOfPoint(std::span<Seen> messages) {
    for (const Seen& seen : messages) {
      if (seen.operation == Operation::kReadRequest && seen.first_psn != seen.last_psn) reads_.push_back(&seen);
    }
    sorting::sort(reads_, {}, first_of);
  }
  [[nodiscard]] bool have_inside(const Seen& read) const {
    constexpr std::size_t kNear = 16;  // the same PSNs come again
    const auto above = std::ranges::upper_bound(reads_, read.first_psn.value(), {}, first_of);
    auto at = static_cast<std::size_t>(above - reads_.begin());
    for (std::size_t i = 0; i < std::min(kNear, reads_.size()); ++i) {
      at = (at == 0 ? reads_.size() : at) - 1;
      if (read.first_psn.after(reads_[at]->first_psn) && !read.first_psn.after(reads_[at]->last_psn)) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] static std::uint32_t first_of(const Seen* read) noexcept { return read->first_psn.value(); }

  std::vector<const Seen*> reads_;
};

}  // namespace

/// Counts the packets of the messages that only one of both saw. One that was answered passed the other, too.
void MessageComparisons::settle_alone(ComparedFlows::Pair& pair, std::size_t side, Messages messages, Messages others,
                                      bool others_cut) {
  std::optional<ReadsOfPoint<Seen>> reads;
  const auto is_alone = [&](const Seen& seen) {
    if (!seen.has_first || !seen.has_last || seen.ended || others_cut || !is_covered(pair, side, seen)) return false;
    if (seen.operation != Operation::kReadRequest) return true;
    if (!reads) reads.emplace(others);
    return !reads->have_inside(seen);
  };
  for (const Seen& seen : messages) {
    if (seen.met || !seen.counts || seen.responses) continue;
    const std::uint64_t packets = std::uint64_t{seen.packets} + seen.again;
    if (is_alone(seen)) {
      add_packets(packets, seen.frame, seen.time, pair.alone[side]);
    } else {
      pair.uncompared += packets;
    }
  }
}

MessageComparisons::Stretch MessageComparisons::take_responses(Messages& rest, std::uint64_t last_frame) {
  Stretch stretch;
  std::size_t taken = 0;
  for (; taken < rest.size() && rest[taken].frame <= last_frame; ++taken) {
    const Seen& read = rest[taken];
    if (!read.responses || !read.counts) continue;
    stretch.packets += std::uint64_t{read.packets} + read.again;
    if (read.completed && read.packets < read.span) stretch.is_cut = true;
    if (!read.first_once && stretch.unusual == nullptr) stretch.unusual = &read;
  }
  rest = rest.subspan(taken);
  return stretch;
}

/// The matches of READs of which both points saw each response once, where the last response is the same packet as well: of a READ that is
/// answered again, each point may have seen another copy, which takes longer than those around it, or less.
std::vector<MessageComparisons::Match> MessageComparisons::usual_reads(const std::vector<Match>& matches) {
  constexpr std::size_t kAround = 8;  // on each side
  constexpr std::int64_t kLeast = 2 * kMicrosecond;
  std::vector<Match> reads;
  std::vector<std::int64_t> delays;
  for (const Match& both : matches) {
    const auto is_usual = [](const Seen& read) { return read.responses && read.first_once && read.counts; };
    if (!is_usual(*both.first) || !is_usual(*both.second)) continue;
    reads.push_back(both);
    delays.push_back(elapsed(both.first->time, both.second->time));
  }
  const auto middle_of = [](std::vector<std::int64_t>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
  };
  std::vector<Match> usual;
  std::vector<std::int64_t> around;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const auto first = delays.begin() + static_cast<std::ptrdiff_t>(i - std::min(i, kAround));
    const auto last = delays.begin() + static_cast<std::ptrdiff_t>(std::min(i + kAround + 1, delays.size()));
    around.assign(first, last);
    const std::int64_t middle = middle_of(around);
    for (std::int64_t& delay : around) delay = std::abs(elapsed(middle, delay));
    const std::int64_t most = std::max(4 * std::min(middle_of(around), kMostApart), kLeast);
    if (std::abs(elapsed(middle, delays[i])) > most) continue;
    if (usual.empty() || usual.back().second->frame < reads[i].second->frame) usual.push_back(reads[i]);
  }
  return usual;
}

void MessageComparisons::settle_responses(ComparedFlows::Pair& pair, const std::vector<Match>& matches, Messages low,
                                          Messages high, const std::array<bool, 2>& misses) {
  std::array<const Seen*, 2> before{};
  std::array<Occurrences, 2> more{};
  for (const auto& [at_low, at_high] : usual_reads(matches)) {
    const std::array<const Seen*, 2> ends{at_low, at_high};
    const std::array<Stretch, 2> stretches{take_responses(low, ends[0]->frame), take_responses(high, ends[1]->frame)};
    settle_stretch(pair, before, ends, stretches, more);
    before = ends;
  }
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  add_unbounded(pair, {take_responses(low, kLast).packets, take_responses(high, kLast).packets}, 0);
  // Where each saw more at times, packets were overtaken, or the ends were not the same packets after all.
  const bool is_known = more[0].count == 0 || more[1].count == 0;
  for (const std::size_t side : {0U, 1U}) {
    if (is_known && !misses[1 - side]) {
      pair.alone[side].interleave(more[side]);
    } else {
      pair.uncompared += more[side].count;
    }
  }
}

void MessageComparisons::add_unbounded(ComparedFlows::Pair& pair, const std::array<std::uint64_t, 2>& packets,
                                       std::uint64_t least) {
  const std::uint64_t both = packets[0] == packets[1] ? packets[0] : least;
  pair.both += both;
  pair.uncompared += std::max(packets[0], packets[1]) - both;
}

void MessageComparisons::settle_stretch(ComparedFlows::Pair& pair, const std::array<const Seen*, 2>& before,
                                        const std::array<const Seen*, 2>& ends, const std::array<Stretch, 2>& stretches,
                                        std::array<Occurrences, 2>& more) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  std::array<std::uint32_t, 2> packets{};
  bool is_known = before[0] != nullptr;
  for (std::size_t side = 0; is_known && side < 2; ++side) {
    packets[side] = ends[side]->all_responses - before[side]->all_responses;
    is_known = before[side]->connection == ends[side]->connection && packets[side] <= kMost;
  }
  if (!is_known) return add_unbounded(pair, {stretches[0].packets, stretches[1].packets}, ends[0]->packets);
  pair.both += std::min(packets[0], packets[1]);
  if (packets[0] == packets[1]) return;
  const std::size_t side = packets[0] > packets[1] ? 0 : 1;
  const std::uint64_t further = packets[side] - packets[1 - side];
  if (stretches[1 - side].is_cut) {
    pair.uncompared += further;
  } else {
    const Seen& read = stretches[side].unusual != nullptr ? *stretches[side].unusual : *ends[side];
    add_packets(further, read.frame, read.time, more[side]);
  }
}

std::vector<FlowComparison> MessageComparisons::take() {
  sorting::sort(seen_, {},
                [](const Seen& seen) { return std::tuple(seen.flow, seen.point, seen.frame, seen.first_psn.value()); });
  visit_pairs([&](ComparedFlows::Pair& pair, Messages low, Messages high) {
    sample_delays({pair.low, pair.high}, low, high);
  });
  for (auto& [numbers, points] : points_) {
    if (points.samples.empty()) continue;  // as if the clocks agreed
    const auto middle = points.samples.begin() + static_cast<std::ptrdiff_t>(points.samples.size() / 2);
    std::ranges::nth_element(points.samples, middle);
    points.delay = *middle;
    points.samples = {};
  }
  flows_.order_by_known_copies();
  visit_pairs([&](ComparedFlows::Pair& pair, Messages low, Messages high) { measure(pair, low, high); });
  visit_pairs([&](ComparedFlows::Pair& pair, Messages low, Messages high) { settle(pair, low, high); });
  seen_ = {};  // what it was compared by is needed no more, and the rows need room
  std::vector<FlowComparison> rows = flows_.rows();
  flows_ = {};
  for (FlowComparison& row : rows) row.by_messages = true;
  return rows;
}

}  // namespace rocescope
