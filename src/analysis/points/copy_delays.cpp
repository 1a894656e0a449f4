#include "analysis/points/copy_delays.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kRounding = 2'000;        // ns: of time stamps
constexpr std::int64_t kMostApart = 10'000'000;  // ns: no network keeps packets longer as a rule

/// From one packet to another that is the same: how long it took, and which of the packets it is.
struct Gap {
  std::int64_t ns = 0;
  std::uint32_t packet = 0;
};

/// From the first to the last of gaps that are sorted.
struct GapWindow {
  std::size_t first = 0;
  std::size_t last = 0;
};

std::vector<Gap> gaps_of(const Returns& returns) {
  std::vector<Gap> gaps;
  for (std::uint32_t packet = 0; packet < returns.times.size(); ++packet) {
    const auto& times = returns.times[packet];
    for (std::size_t i = 0; i < times.size(); ++i) {
      for (std::size_t j = i + 1; j < times.size(); ++j) gaps.push_back({elapsed(times[i], times[j]), packet});
    }
  }
  sorting::sort(gaps, {}, &Gap::ns);
  return gaps;
}

std::uint32_t needed_of(const Returns& returns) noexcept {
  constexpr std::uint32_t kFew = 4;
  return returns.packets < kFew ? returns.packets : returns.packets - returns.packets / 4;
}

/// The windows in which nearly all packets come again, each as short as possible from its first gap on.
std::vector<GapWindow> windows_of(const std::vector<Gap>& gaps, const Returns& returns) {
  const std::uint32_t needed = needed_of(returns);
  std::vector<GapWindow> windows;
  if (needed == 0 || returns.times.size() < needed) return windows;
  std::vector<std::uint32_t> inside(returns.times.size());
  std::uint32_t packets = 0;
  for (std::size_t first = 0, end = 0; first < gaps.size(); ++first) {
    while (end < gaps.size() && packets < needed) packets += inside[gaps[end++].packet]++ == 0 ? 1U : 0U;
    if (packets < needed) break;
    windows.push_back({first, end - 1});
    if (--inside[gaps[first].packet] == 0) --packets;
  }
  return windows;
}

/// How wide a window is with regard to its length; what is rounded away does not count.
double width_of(const GapWindow& window, const std::vector<Gap>& gaps) noexcept {
  const auto ns = [&](std::size_t gap) { return static_cast<double>(std::max(gaps[gap].ns, kRounding)); };
  return std::log2(ns(window.last) / ns(window.first));
}

/// Few of the many windows: the narrowest of each octave.
std::vector<GapWindow> narrowest_of(const std::vector<GapWindow>& windows, const std::vector<Gap>& gaps) {
  constexpr double kWidest = 5;  // octaves
  std::vector<GapWindow> narrow;
  int octave = -1;
  for (const GapWindow& window : windows) {
    if (width_of(window, gaps) > kWidest || elapsed(gaps[window.first].ns, gaps[window.last].ns) > kMostApart) continue;
    const int its = std::ilogb(static_cast<double>(std::max(gaps[window.first].ns, kRounding)));
    if (its != std::exchange(octave, its)) {
      narrow.push_back(window);
    } else if (width_of(window, gaps) < width_of(narrow.back(), gaps)) {
      narrow.back() = window;
    }
  }
  return narrow;
}

/// Each two of the k times that a packet comes are a pair: k (k - 1) / 2.
std::uint8_t times_of(std::uint64_t pairs, const Returns& returns) noexcept {
  constexpr std::uint64_t kMostTimes = 4;
  std::uint64_t came = returns.packets - returns.times.size();
  for (const auto& times : returns.times) came += times.size();
  return static_cast<std::uint8_t>(std::clamp<std::uint64_t>(1 + (4 * pairs + came) / (2 * came), 2, kMostTimes));
}

}  // namespace

void CopyDelays::settle(std::int64_t least, std::int64_t most, std::uint8_t times) noexcept {
  least_ = least;
  most_ = most;
  times_ = times;
}

void CopyDelays::follow(std::int64_t ns) noexcept {
  constexpr std::int64_t kSmoothing = 16;
  const std::int64_t shift = elapsed(least_ + (most_ - least_) / 2, ns) / kSmoothing;
  least_ += shift;
  most_ += shift;
}

bool CopyDelays::is_answered_between() const noexcept {
  const auto known = std::span(answered_).first(std::min<std::size_t>(answered_count_, answered_.size()));
  return std::ranges::any_of(known, [this](std::int64_t ns) { return fits(ns); });
}

void AnswerTimes::add(std::int64_t ns) noexcept {
  ++count_;
  if (ns >= shortest_.back()) return;
  shortest_.back() = ns;
  std::ranges::inplace_merge(shortest_, shortest_.end() - 1);
}

std::int64_t AnswerTimes::soonest() const noexcept {
  constexpr std::uint32_t kSeldom = 64;
  return shortest_[std::min<std::size_t>(count_ / kSeldom, shortest_.size() - 1)];
}

/// Packets of both directions come again after about the difference of the clocks of two points, plus or minus their
/// time between the points.
Settled settle(std::array<CopyDelays, 2>& delays, const std::array<Returns, 2>& returns) {
  constexpr std::size_t kEnough = 4;
  constexpr std::size_t kEnoughLate = 7;  // a receiver that is not ready makes a few packets come again as regularly
  constexpr std::int64_t kNoTimeout = 250'000;  // ns: no timeout is that short
  const std::size_t returned = returns[0].times.size() + returns[1].times.size();
  if (returned < kEnough) return Settled::kNo;
  std::array<std::vector<Gap>, 2> gaps;
  std::array<std::vector<GapWindow>, 2> windows;
  for (std::size_t i = 0; i < 2; ++i) {
    gaps[i] = gaps_of(returns[i]);
    windows[i] = narrowest_of(windows_of(gaps[i], returns[i]), gaps[i]);
  }
  std::optional<std::pair<GapWindow, GapWindow>> best;
  double least_width = 0;
  for (const GapWindow& there : windows[0]) {
    for (const GapWindow& back : windows[1]) {
      const std::int64_t apart = std::max(elapsed(gaps[1][back.last].ns, gaps[0][there.first].ns),
                                          elapsed(gaps[0][there.last].ns, gaps[1][back.first].ns));
      const double width = width_of(there, gaps[0]) + width_of(back, gaps[1]);
      const bool is_late = std::max(gaps[0][there.first].ns, gaps[1][back.first].ns) > kNoTimeout;
      if (apart > kMostApart || (best && width >= least_width) || (is_late && returned < kEnoughLate)) continue;
      best = {there, back};
      least_width = width;
    }
  }
  if (!best) {
    const auto come_again = [&](std::size_t i) {
      return needed_of(returns[i]) > 0 && returns[i].times.size() >= needed_of(returns[i]);
    };
    const bool has_copies = windows[0].empty() != windows[1].empty() && come_again(0) && come_again(1);
    return has_copies && returned >= kEnoughLate ? Settled::kUnclear : Settled::kNo;
  }
  const std::array<GapWindow, 2> both{best->first, best->second};
  std::array<std::pair<std::int64_t, std::int64_t>, 2> limits;
  std::uint8_t times = 2;
  for (std::size_t i = 0; i < 2; ++i) {
    // A few packets take longer than nearly all.
    const std::int64_t first = gaps[i][both[i].first].ns;
    const std::int64_t last = gaps[i][both[i].last].ns;
    const std::int64_t spare = kRounding + 2 * (last - first);
    limits[i] = {std::max<std::int64_t>(first - spare, 0), last + spare};
    const auto pairs = std::ranges::count_if(
        gaps[i], [&](const Gap& gap) { return gap.ns >= limits[i].first && gap.ns <= limits[i].second; });
    times = std::max(times, times_of(static_cast<std::uint64_t>(pairs), returns[i]));
  }
  for (std::size_t i = 0; i < 2; ++i) delays[i].settle(limits[i].first, limits[i].second, times);
  return Settled::kYes;
}

}  // namespace rocescope
