// Series over time that share their buckets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "render/json_writer.hpp"
#include "rocescope/rate_series.hpp"

namespace rocescope::render {

/// Buckets of one width, in nanoseconds; `start`: of the first, since 1970.
struct Grid {
  std::int64_t start = 0;
  std::int64_t width = 1;
  std::size_t buckets = 0;

  /// From `first` to `last`: buckets of `interval`, twice as wide until `most` suffice.
  [[nodiscard]] static Grid over(std::int64_t first, std::int64_t last, std::int64_t interval, std::size_t most);
  /// The bucket of this time; of one outside the first or the last. There is one at least.
  [[nodiscard]] std::size_t at(std::int64_t time) const noexcept;
};

/// A number for each bucket.
using GridSeries = std::vector<std::uint64_t>;

/// Adds `what` of each bucket of `rates` to the buckets of `grid`. What is in a wider bucket is spread over it; the sum stays.
void add_rates(const RateSeries& rates, std::uint64_t Sent::*what, const Grid& grid, GridSeries& series);

/// `{"first":3,"values":[1,0,2]}`, without the zeros at both ends; null where there are only zeros.
void write_series(std::string_view key, std::span<const std::uint64_t> series, JsonWriter& json);

}  // namespace rocescope::render
