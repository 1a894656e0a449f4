#include "analysis/points/message_comparisons.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

#include "analysis/points/message_matches.hpp"
#include "analysis/points/response_comparison.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"

namespace rocescope {

void MessageComparisons::add(const FlowKey& key, std::uint16_t point, std::uint32_t connection, SeenMessage seen) {
  const std::uint64_t packets = seen.all_packets();
  const std::optional<std::uint32_t> flow = flows_.find_or_add(key);
  if (!flow || seen_.size() >= kMostMessages) {
    count_uncompared(packets);
    if (!flow) return;
    crowded_.resize(flows_.all().size());
    crowded_[*flow] = true;
    return;
  }
  ComparedFlows::Flow& its = flows_.at(*flow);
  const auto known = std::ranges::find(its.connections, point, &std::pair<std::uint16_t, std::uint32_t>::first);
  if (known == its.connections.end() && its.connections.size() == kMostPoints) return count_uncompared(packets);
  ComparedFlows::note_point(its, point, connection);
  seen.flow = *flow;
  seen.point = point;
  seen.connection = connection;
  seen_.push_back(seen);
}

void MessageComparisons::add(const FlowKey& key, std::uint16_t point, std::uint32_t connection, const Message& message,
                             std::optional<Qpn> sender) {
  add(key, point, connection, seen_message(message, sender));
}

void MessageComparisons::add_responses(const FlowKey& key, std::uint16_t point, std::uint32_t connection,
                                       const Message& read, std::optional<Qpn> sender) {
  add(key, point, connection, seen_responses(read, sender));
}

template <class Visitor>
void MessageComparisons::visit_pairs(Visitor visitor) {
  std::vector<SeenMessages> points;
  for (auto at = seen_.begin(); at != seen_.end();) {
    const std::uint32_t flow = at->flow;
    points.clear();
    while (at != seen_.end() && at->flow == flow) {
      const auto end = std::find_if(
          at, seen_.end(), [&](const SeenMessage& seen) { return seen.flow != flow || seen.point != at->point; });
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

std::array<std::int64_t, 2> MessageComparisons::first_answers(const std::vector<SeenByBoth>& matches) noexcept {
  std::array<std::int64_t, 2> first{INT64_MAX, INT64_MAX};
  for (const auto& [low, high] : matches) {
    if (low->answered == 0 || high->answered == 0) continue;
    first = {std::min(first[0], low->answered), std::min(first[1], high->answered)};
  }
  return first;
}

/// Finds the messages that both saw. They show how long packets take, and when both points were watched. Those that were sent when others had
/// been answered at both points show which point packets pass first. Of those before, one point may have seen a copy, or the answer to a
/// copy, that passed the other one before its capture began.
void MessageComparisons::measure(ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high) {
  TwoPoints& points = points_[{pair.low, pair.high}];
  ComparedFlows::Window& window = flows_.window(pair.low, pair.high);
  window.one_file = false;
  const std::vector<SeenByBoth> matches = match_messages(low, high, points.delay);
  const std::array<std::int64_t, 2> answers = first_answers(matches);
  note_faults(pair.low, find_faults(low));
  note_faults(pair.high, find_faults(high));
  for (const SeenByBoth& both : matches) {
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
    // For READs these may be different copies of the last response; READ responses are compared separately.
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

MessageComparisons::Span MessageComparisons::delays_from(const ComparedFlows::Pair& pair, std::size_t side) {
  const Span all = points_[{pair.low, pair.high}].delays.value_or(Span());
  const std::int64_t least = side == 0 ? all.least : -all.most;
  const std::int64_t most = side == 0 ? all.most : -all.least;
  const std::int64_t varies = elapsed(least, most) / 2;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {least < varies - kMost ? -kMost : least - varies, most > kMost - varies ? kMost : most + varies};
}

bool MessageComparisons::is_covered(const ComparedFlows::Pair& pair, std::size_t side, const SeenMessage& message) {
  if (!flows_.window(pair.low, pair.high).is_inside(side, message.frame) || pair.delays.empty()) return false;
  const Span delays = delays_from(pair, side);
  const TwoPoints& points = points_[{pair.low, pair.high}];
  return elapsed(message.time, points.first[1 - side]) <= delays.least &&
         elapsed(message.last_sent, points.last[1 - side]) >= delays.most;
}

bool MessageComparisons::agree_on_senders(const ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high) {
  const ComparedFlows::Window& window = flows_.window(pair.low, pair.high);
  const std::array<SeenMessages, 2> sides{low, high};
  for (const std::size_t side : {0U, 1U}) {
    std::vector<std::uint32_t> known;
    for (const SeenMessage& seen : sides[1 - side]) {
      if (seen.sender != 0 && (known.empty() || known.back() != seen.sender)) known.push_back(seen.sender);
    }
    sorting::sort(known);
    const auto is_strange = [&](const SeenMessage& seen) {
      return seen.sender != 0 && seen.frame >= window.first[side] && seen.frame <= window.last[side] &&
             !std::ranges::binary_search(known, seen.sender);
    };
    if (!known.empty() && std::ranges::any_of(sides[side], is_strange)) return false;
  }
  return true;
}

void MessageComparisons::settle(ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high) {
  if (!agree_on_senders(pair, low, high)) {
    const auto packets_of = [](const SeenMessages& messages) {
      std::uint64_t packets = 0;
      for (const SeenMessage& seen : messages) packets += seen.all_packets();
      return packets;
    };
    return count_uncompared(std::max(packets_of(low), packets_of(high)));
  }
  const std::vector<SeenByBoth> matches = match_messages(low, high, points_[{pair.low, pair.high}].delay);
  // If a capture misses packets, it shows one message as several incomplete ones.
  const auto is_cut = [](const SeenMessage& seen) {
    return !seen.met && !seen.responses && !(seen.has_first && seen.has_last);
  };
  const std::array<CaptureFaults, 2> faults = faults_of(pair);
  const std::array<bool, 2> has_cut{faults[0].misses || std::ranges::any_of(low, is_cut),
                                    faults[1].misses || std::ranges::any_of(high, is_cut)};
  for (const SeenByBoth& both : matches) {
    if (both.first->counts && both.second->counts && !both.first->responses) settle(pair, both, has_cut);
  }
  settle_alone(pair, 0, low, high, has_cut[1]);
  settle_alone(pair, 1, high, low, has_cut[0]);
  compare_responses(pair, matches, low, high, faults);
}

/// Counts the packets of a message that both saw. A packet that came to one point after the message was answered at the
/// other is not known there. If a capture has packets twice, each passed at least once.
void MessageComparisons::settle(ComparedFlows::Pair& pair, const SeenByBoth& both, const std::array<bool, 2>& has_cut) {
  const auto& [low, high] = both;
  const std::uint32_t passed = low->completed || high->completed ? std::max(low->span, high->span) : 0;
  const std::array<CaptureFaults, 2> faults = faults_of(pair);
  std::array<std::uint64_t, 2> least{};
  std::array<std::uint64_t, 2> most{};
  for (const std::size_t side : {0U, 1U}) {
    const SeenMessage& seen = side == 0 ? *low : *high;
    const std::uint64_t once = std::max(seen.packets, passed);
    most[side] = once + seen.again;
    least[side] = faults[side].has_twice() ? once : most[side];
  }
  const std::uint64_t common = std::min(least[0], least[1]);
  const std::uint64_t further = std::max(most[0], most[1]) - common;
  pair.both += common;
  if (further == 0) return;
  const std::size_t side = least[0] > least[1] ? 0 : 1;
  const SeenMessage& more = side == 0 ? *low : *high;
  const SeenMessage& less = side == 0 ? *high : *low;
  // Requests of READs that came there when all had been answered: they are known only where they ask for all responses.
  const std::uint64_t there = std::max<std::uint64_t>(less.requested, most[1 - side]);
  const bool is_whole = less.has_first && less.has_last;
  const bool has_all = !faults[1 - side].misses && (is_whole || !has_cut[1 - side]);
  bool is_known = less.has_first && has_all && is_covered(pair, side, more);
  if (is_known && less.ended) is_known = elapsed(more.last_sent, less.answered) >= delays_from(pair, side).most;
  const std::uint64_t lost = is_known && least[side] > there ? least[side] - there : 0;
  more.add_packets(lost, pair.alone[side]);
  pair.uncompared += further - lost;
}

namespace {

/// READs of one point, to find a request that asks again for the rest of a READ: a point that did not see that READ
/// takes the request for another READ.
class ReadsOfPoint {
 public:
  explicit ReadsOfPoint(SeenMessages messages) {
    for (const SeenMessage& seen : messages) {
      if (seen.operation == Operation::kReadRequest && seen.first_psn != seen.last_psn) reads_.push_back(&seen);
    }
    sorting::sort(reads_, {}, first_of);
  }
  [[nodiscard]] bool have_inside(const SeenMessage& read) const {
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
  [[nodiscard]] static std::uint32_t first_of(const SeenMessage* read) noexcept { return read->first_psn.value(); }

  std::vector<const SeenMessage*> reads_;
};

}  // namespace

/// Counts the packets of messages that only one point saw. A message that was answered passed the other point, too.
void MessageComparisons::settle_alone(ComparedFlows::Pair& pair, std::size_t side, SeenMessages messages,
                                      SeenMessages others, bool others_cut) {
  const bool twice = faults_of(pair)[side].has_twice();
  std::optional<ReadsOfPoint> reads;
  const auto is_alone = [&](const SeenMessage& seen) {
    if (!seen.has_first || !seen.has_last || seen.ended || others_cut || !is_covered(pair, side, seen)) return false;
    if (seen.operation != Operation::kReadRequest) return true;
    if (!reads) reads.emplace(others);
    return !reads->have_inside(seen);
  };
  for (const SeenMessage& seen : messages) {
    if (seen.met || !seen.counts || seen.responses) continue;
    const std::uint64_t least = twice ? seen.packets : seen.all_packets();
    const std::uint64_t alone = is_alone(seen) ? least : 0;
    seen.add_packets(alone, pair.alone[side]);
    pair.uncompared += seen.all_packets() - alone;
  }
}

std::vector<FlowComparison> MessageComparisons::take() {
  sorting::sort(seen_, {}, [](const SeenMessage& seen) {
    return std::tuple(seen.flow, seen.point, seen.frame, seen.first_psn.value());
  });
  visit_pairs([&](ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high) {
    sample_delays(low, high, kMostSamples, points_[{pair.low, pair.high}].samples);
  });
  for (auto& [numbers, points] : points_) {
    if (points.samples.empty()) continue;  // as if the clocks agreed
    const auto middle = points.samples.begin() + static_cast<std::ptrdiff_t>(points.samples.size() / 2);
    std::ranges::nth_element(points.samples, middle);
    points.delay = *middle;
    points.samples = {};
  }
  flows_.order_by_known_copies();
  visit_pairs([&](ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high) { measure(pair, low, high); });
  visit_pairs([&](ComparedFlows::Pair& pair, SeenMessages low, SeenMessages high) { settle(pair, low, high); });
  seen_ = {};  // what it was compared by is needed no more, and the rows need room
  std::vector<FlowComparison> rows = flows_.rows();
  flows_ = {};
  for (FlowComparison& row : rows) row.by_messages = true;
  return rows;
}

}  // namespace rocescope
