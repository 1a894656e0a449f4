#include "render/html/series_grid.hpp"

#include <algorithm>

#include "rocescope/detail/elapsed.hpp"

namespace rocescope::render {
namespace {

/// The multiple of `width` at or below `time`, above the lowest 64-bit number.
std::int64_t round_down(std::int64_t time, std::int64_t width) noexcept {
  const std::int64_t into = time % width;
  const std::int64_t below = into < 0 ? into + width : into;
  return time - std::min(below, elapsed(std::numeric_limits<std::int64_t>::min(), time));
}

}  // namespace

Grid Grid::over(std::int64_t first, std::int64_t last, std::int64_t interval, std::size_t most) {
  constexpr std::int64_t kWidest = std::int64_t{1} << 58;
  Grid grid{.start = 0, .width = std::max<std::int64_t>(interval, 1), .buckets = 0};
  const auto fits = [&] {
    grid.start = round_down(first, grid.width);
    return elapsed(grid.start, last) / grid.width < static_cast<std::int64_t>(most);
  };
  while (!fits() && grid.width < kWidest) grid.width *= 2;
  grid.buckets = static_cast<std::size_t>(elapsed(grid.start, std::max(first, last)) / grid.width) + 1;
  return grid;
}

std::size_t Grid::at(std::int64_t time) const noexcept {
  const std::int64_t since = std::max<std::int64_t>(elapsed(start, time), 0);
  return std::min(static_cast<std::size_t>(since / width), buckets - 1);
}

void add_rates(const RateSeries& rates, std::uint64_t Sent::*what, const Grid& grid, GridSeries& series) {
  series.resize(grid.buckets);
  std::int64_t start = rates.start();
  for (const Sent& bucket : rates.buckets()) {
    const std::uint64_t amount = bucket.*what;
    const std::size_t first = grid.at(start);
    const std::size_t last = grid.at(start + rates.width() - 1);
    const std::uint64_t number = last - first + 1;
    for (std::size_t i = first; i <= last; ++i) {
      series[i] += amount / number + (i - first < amount % number ? 1 : 0);
    }
    start += rates.width();
  }
}

void write_series(std::string_view key, std::span<const std::uint64_t> series, JsonWriter& json) {
  const auto is_any = [](std::uint64_t number) { return number != 0; };
  const auto first = std::ranges::find_if(series, is_any);
  if (first == series.end()) return json.null(key);
  const auto behind = std::find_if(series.rbegin(), series.rend(), is_any).base();
  json.open_object(key);
  json.number("first", first - series.begin());
  json.open_array("values");
  for (auto each = first; each != behind; ++each) json.number({}, *each);
  json.close_array();
  json.close_object();
}

}  // namespace rocescope::render
