// Times by kind, each as a histogram.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rocescope/histogram.hpp"
#include "rocescope/time_kind.hpp"

namespace rocescope {

struct TimeSeries {
  TimeKind kind = TimeKind::kAckLatency;
  Histogram times;
};

/// Takes memory only for the kinds that occurred.
class TimeTable {
 public:
  /// `ns` is not negative.
  void add(TimeKind kind, std::int64_t ns) { at(kind).add(static_cast<std::uint64_t>(ns)); }
  void merge(const TimeTable& other) {
    for (const TimeSeries& series : other.series_) at(series.kind).merge(series.times);
  }
  /// Null: none of this kind.
  [[nodiscard]] const Histogram* find(TimeKind kind) const noexcept {
    for (const TimeSeries& series : series_) {
      if (series.kind == kind) return &series.times;
    }
    return nullptr;
  }
  /// In the order of their first times.
  [[nodiscard]] std::span<const TimeSeries> all() const noexcept { return series_; }

 private:
  [[nodiscard]] Histogram& at(TimeKind kind) {
    for (TimeSeries& series : series_) {
      if (series.kind == kind) return series.times;
    }
    return series_.emplace_back(TimeSeries{kind, {}}).times;
  }

  std::vector<TimeSeries> series_;
};

}  // namespace rocescope
