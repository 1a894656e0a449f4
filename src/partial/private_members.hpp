// The private members of classes of a report, as plain structs that are written and read in their place.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "rocescope/capture_point.hpp"
#include "rocescope/command.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

namespace partial {

struct HistogramBucket {
  std::uint16_t index = 0;
  std::uint64_t values = 0;
};
struct HistogramParts {
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::uint64_t sum = 0;
  std::vector<HistogramBucket> buckets;
};

struct RateSeriesParts {
  std::int64_t width = 0;
  std::int64_t first = 0;
  std::int64_t first_time = 0;
  std::int64_t last_time = 0;
  std::vector<Sent> buckets;
};

struct DelaysParts {
  std::int64_t first = 0;
  Histogram later;
  Histogram earlier;
};

/// A Connection has bit-fields, and nothing can refer to these.
struct ConnectionMarks {
  bool partial = false;
  bool repeated = false;
  bool unsure = false;
  bool noticed_late = false;
  std::uint8_t counting = 0;
};

}  // namespace partial

/// A friend of these classes. `parts_of()` gives the parts of a value; `assemble()` makes a value of them, or returns
/// false if no value has such parts.
struct PrivateMembers {
  // Classes with one member: the member stands for the class.
  template <class T>
  static auto& only_member(T& value) {
    using Class = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Class, TimeTable>) {
      return value.series_;
    } else if constexpr (std::is_same_v<Class, SizeTable>) {
      return value.rows_;
    } else if constexpr (std::is_same_v<Class, OperationTable>) {
      return value.totals_;
    } else if constexpr (std::is_same_v<Class, Sightings>) {
      return value.sightings_;
    } else if constexpr (std::is_same_v<Class, Breaches>) {
      return value.breaches_;
    } else {
      static_assert(std::is_same_v<Class, TransportSet>);
      return value.bits_;
    }
  }

  static partial::HistogramParts parts_of(const Histogram& value) {
    partial::HistogramParts parts{value.min_, value.max_, value.sum_, {}};
    parts.buckets.reserve(value.buckets_.size());
    for (const auto& bucket : value.buckets_) parts.buckets.push_back({bucket.index(), bucket.count()});
    return parts;
  }
  static bool assemble(partial::HistogramParts&& parts, Histogram& value) {
    const std::uint16_t last = Histogram::index_of(std::numeric_limits<std::uint64_t>::max());
    std::int32_t before = -1;
    value.buckets_.reserve(parts.buckets.size());
    for (const partial::HistogramBucket& bucket : parts.buckets) {
      if (bucket.values == 0 || bucket.index <= before || bucket.index > last) return false;
      before = bucket.index;
      auto& added = value.buckets_.emplace_back(bucket.index);
      added.add(bucket.values);
      if (added.index() != bucket.index || added.count() != bucket.values) return false;  // it has fewer bits
    }
    value.min_ = parts.min;
    value.max_ = parts.max;
    value.sum_ = parts.sum;
    return parts.min <= parts.max;
  }

  static partial::RateSeriesParts parts_of(const RateSeries& value) {
    const auto buckets = value.buckets();
    return {value.width_, value.first_, value.first_time_, value.last_time_, {buckets.begin(), buckets.end()}};
  }
  static bool assemble(partial::RateSeriesParts&& parts, RateSeries& value) {
    if (parts.width == 0) return parts.buckets.empty();
    const bool is_whole = parts.width == RateSeries::kWhole;
    if (parts.buckets.empty() || parts.buckets.size() > (is_whole ? 1 : RateSeries::kMostBuckets)) return false;
    if (parts.first_time > parts.last_time || parts.width < RateSeries::kWhole) return false;
    // All buckets lie within 64 bits, but for the first, which may begin before.
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / (is_whole ? 1 : parts.width);
    if (is_whole ? parts.first < 1 : parts.first < -most - 2 || parts.first > most) return false;
    if (!is_whole && most - parts.first < static_cast<std::int64_t>(parts.buckets.size()) - 1) return false;
    value.width_ = parts.width;
    value.first_ = parts.first;
    value.first_time_ = parts.first_time;
    value.last_time_ = parts.last_time;
    value.last_ = parts.buckets.back();
    if (parts.buckets.size() > 1) value.buckets_.make() = std::move(parts.buckets);
    value.find_last();
    return true;
  }

  static partial::DelaysParts parts_of(const Delays& value) { return {value.first_, value.later_, value.earlier_}; }
  static bool assemble(partial::DelaysParts&& parts, Delays& value) {
    value.first_ = parts.first;
    value.later_ = std::move(parts.later);
    value.earlier_ = std::move(parts.earlier);
    return true;
  }

  static std::vector<Command> parts_of(const CommandList& value) {
    std::vector<Command> parts;
    parts.reserve(value.size());
    for (const Command& command : value) parts.push_back(command);
    return parts;
  }
  static bool assemble(std::vector<Command>&& parts, CommandList& value) {
    value.clear();
    for (const Command& command : parts) value.push_back(command);
    return true;
  }

  static partial::ConnectionMarks marks_of(const Connection& value) {
    return {value.partial, value.repeated, value.unsure, value.noticed_late, value.counting};
  }
  static bool mark(const partial::ConnectionMarks& marks, Connection& value) {
    value.partial = marks.partial;
    value.repeated = marks.repeated;
    value.unsure = marks.unsure;
    value.noticed_late = marks.noticed_late;
    value.counting = marks.counting & 3U;
    return marks.counting <= 3;
  }
};

}  // namespace rocescope
