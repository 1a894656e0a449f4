#include "analysis/points/response_comparison.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "analysis/points/message_matches.hpp"
#include "rocescope/detail/elapsed.hpp"

namespace rocescope {
namespace {

/// READs one after the other, up to one whose responses both points saw once each.
struct Stretch {
  std::uint64_t packets = 0;  // that they count
  std::uint64_t once = 0;     // of these, each response once
  bool is_cut = false;        // the capture missed some
  const SeenMessage* unusual = nullptr;
};

/// Removes the first of `rest`, which end at this frame or before.
Stretch take_responses(SeenMessages& rest, std::uint64_t last_frame) {
  Stretch stretch;
  std::size_t taken = 0;
  for (; taken < rest.size() && rest[taken].frame <= last_frame; ++taken) {
    const SeenMessage& read = rest[taken];
    if (!read.responses || !read.counts) continue;
    stretch.packets += read.all_packets();
    stretch.once += read.packets;
    if (read.completed && read.packets < read.span) stretch.is_cut = true;
    if (!read.first_once && stretch.unusual == nullptr) stretch.unusual = &read;
  }
  rest = rest.subspan(taken);
  return stretch;
}

/// The matches of READs whose responses both points saw once each, and whose last response is the same packet at both.
/// If a READ is answered again, each point may have seen another copy, whose delay differs from those around it.
std::vector<SeenByBoth> usual_reads(const std::vector<SeenByBoth>& matches) {
  constexpr std::size_t kAround = 8;      // on each side
  constexpr std::int64_t kLeast = 2'000;  // ns
  std::vector<SeenByBoth> reads;
  std::vector<std::int64_t> delays;
  for (const SeenByBoth& both : matches) {
    const auto is_usual = [](const SeenMessage& read) { return read.responses && read.first_once && read.counts; };
    if (!is_usual(*both.first) || !is_usual(*both.second)) continue;
    reads.push_back(both);
    delays.push_back(elapsed(both.first->time, both.second->time));
  }
  const auto middle_of = [](std::vector<std::int64_t>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
  };
  std::vector<SeenByBoth> usual;
  std::vector<std::int64_t> around;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const auto first = delays.begin() + static_cast<std::ptrdiff_t>(i - std::min(i, kAround));
    const auto last = delays.begin() + static_cast<std::ptrdiff_t>(std::min(i + kAround + 1, delays.size()));
    around.assign(first, last);
    const std::int64_t middle = middle_of(around);
    for (std::int64_t& delay : around) delay = std::abs(elapsed(middle, delay));
    const std::int64_t most = std::max(4 * std::min(middle_of(around), kMostDelaysApart), kLeast);
    if (std::abs(elapsed(middle, delays[i])) > most) continue;
    if (usual.empty() || usual.back().second->frame < reads[i].second->frame) usual.push_back(reads[i]);
  }
  return usual;
}

/// Counts responses of one flow at two points.
class ResponseCounts {
 public:
  ResponseCounts(ComparedFlows::Pair& pair, const std::array<CaptureFaults, 2>& faults)
      : pair_(pair), faults_(faults) {}

  /// Responses to READs with an open beginning or end. At `least` so many passed both.
  void add_unbounded(const std::array<Stretch, 2>& stretches, std::uint64_t least);
  /// From the last response to the READ `before` to that to the READ at the end, at both points. Null: nothing is known before.
  void add(const std::array<const SeenMessage*, 2>& before, const std::array<const SeenMessage*, 2>& ends,
           const std::array<Stretch, 2>& stretches);
  void finish();

 private:
  ComparedFlows::Pair& pair_;
  const std::array<CaptureFaults, 2>& faults_;
  std::array<Occurrences, 2> more_{};  // what a point saw more of, unless the capture of the other one missed responses
};

void ResponseCounts::add_unbounded(const std::array<Stretch, 2>& stretches, std::uint64_t least) {
  const std::uint64_t most = std::max(stretches[0].packets, stretches[1].packets);
  const bool is_equal =
      stretches[0].packets == stretches[1].packets && !faults_[0].has_twice() && !faults_[1].has_twice();
  const std::uint64_t both = is_equal ? most : least;
  pair_.both += both;
  pair_.uncompared += most - both;
}

void ResponseCounts::add(const std::array<const SeenMessage*, 2>& before, const std::array<const SeenMessage*, 2>& ends,
                         const std::array<Stretch, 2>& stretches) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  std::array<std::uint32_t, 2> packets{};
  bool is_known = before[0] != nullptr;
  for (std::size_t side = 0; is_known && side < 2; ++side) {
    packets[side] = ends[side]->all_responses - before[side]->all_responses;
    is_known = before[side]->connection == ends[side]->connection && packets[side] <= kMost;
  }
  if (!is_known) return add_unbounded(stretches, ends[0]->packets);
  const auto least = [&](std::size_t side) {
    const std::uint64_t most = packets[side];
    return faults_[side].has_twice() ? std::min(most, stretches[side].once) : most;
  };
  const std::uint64_t common = std::min(least(0), least(1));
  pair_.both += common;
  const std::size_t side = packets[0] > packets[1] ? 0 : 1;
  const std::uint64_t further = packets[side] - packets[1 - side];
  pair_.uncompared += packets[1 - side] - common;
  if (stretches[1 - side].is_cut) {
    pair_.uncompared += further;
  } else if (further > 0) {
    const SeenMessage& read = stretches[side].unusual != nullptr ? *stretches[side].unusual : *ends[side];
    read.add_packets(further, more_[side]);
  }
}

/// If each point sometimes saw more, packets were overtaken, or the ends were not the same packets after all.
void ResponseCounts::finish() {
  const bool is_known = more_[0].count == 0 || more_[1].count == 0;
  for (const std::size_t side : {0U, 1U}) {
    if (is_known && !faults_[1 - side].misses && !faults_[side].has_twice()) {
      pair_.alone[side].interleave(more_[side]);
    } else {
      pair_.uncompared += more_[side].count;
    }
  }
}

}  // namespace

void compare_responses(ComparedFlows::Pair& pair, const std::vector<SeenByBoth>& matches, SeenMessages low,
                       SeenMessages high, const std::array<CaptureFaults, 2>& faults) {
  std::array<const SeenMessage*, 2> before{};
  ResponseCounts counts(pair, faults);
  for (const SeenByBoth& both : usual_reads(matches)) {
    const std::array<const SeenMessage*, 2> ends{both.first, both.second};
    counts.add(before, ends, {take_responses(low, ends[0]->frame), take_responses(high, ends[1]->frame)});
    before = ends;
  }
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  counts.add_unbounded({take_responses(low, kLast), take_responses(high, kLast)}, 0);
  counts.finish();
}

}  // namespace rocescope
