// A quantity that changes in steps, thinned to what a plot can show.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rocescope::render {

/// Keeps every change until there are too many. Then it keeps, of each of some equal columns of time, the first, the last, and those
/// with the least and the most.
class StepSeries {
 public:
  struct Step {
    std::int64_t time = 0;   ///< nanoseconds since 1970
    std::int64_t value = 0;  ///< from then on
    std::int64_t beside = 0;
    friend bool operator==(const Step&, const Step&) noexcept = default;
  };

  /// From `first` to `last`, nanoseconds since 1970.
  StepSeries(std::int64_t first, std::int64_t last, std::size_t columns);

  void add(const Step& step);
  /// In the order of time.
  [[nodiscard]] std::vector<Step> steps() const;
  [[nodiscard]] bool empty() const noexcept { return added_ == 0; }
  [[nodiscard]] bool is_thinned() const noexcept { return thinned_; }

 private:
  struct Column {
    std::array<Step, 4> steps;  // the first, the least, the most, the last
  };
  static constexpr std::size_t kStepsPerColumn = 4;

  void thin();
  void put(const Step& step);
  void end_column();

  std::int64_t first_;
  std::int64_t width_;  // of a column
  std::size_t columns_;
  std::uint64_t added_ = 0;
  bool thinned_ = false;
  Step last_;
  std::vector<Step> steps_;  // all, or of the columns that are over
  std::int64_t column_ = -1;
  Column open_;
};

}  // namespace rocescope::render
