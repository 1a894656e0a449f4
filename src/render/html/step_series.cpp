#include "render/html/step_series.hpp"

#include <algorithm>
#include <utility>

#include "rocescope/detail/elapsed.hpp"
#include "sorting/sort.hpp"

namespace rocescope::render {

StepSeries::StepSeries(std::int64_t first, std::int64_t last, std::size_t columns)
    : first_(first), width_(elapsed(first, last) / static_cast<std::int64_t>(columns) + 1), columns_(columns) {}

void StepSeries::add(const Step& step) {
  if (added_ > 0 && step.value == last_.value && step.beside == last_.beside) return;
  last_ = step;
  ++added_;
  if (thinned_) return put(step);
  steps_.push_back(step);
  if (steps_.size() > kStepsPerColumn * columns_) thin();
}

void StepSeries::thin() {
  thinned_ = true;
  for (const Step& step : std::exchange(steps_, {})) put(step);
}

/// Where time goes back, the column stays.
void StepSeries::put(const Step& step) {
  const std::int64_t column = elapsed(first_, step.time) / width_;
  if (column > column_) {
    end_column();
    column_ = column;
    open_.steps.fill(step);
    return;
  }
  auto& [begin, least, most, end] = open_.steps;
  if (step.value < least.value) least = step;
  if (step.value > most.value) most = step;
  end = step;
  static_cast<void>(begin);
}

void StepSeries::end_column() {
  if (column_ < 0) return;
  auto kept = open_.steps;
  sorting::stable_sort(kept, {}, &Step::time);
  const auto behind = std::unique(kept.begin(), kept.end());
  steps_.insert(steps_.end(), kept.begin(), behind);
}

std::vector<StepSeries::Step> StepSeries::steps() const {
  StepSeries copy = *this;
  if (thinned_) copy.end_column();
  return copy.steps_;
}

}  // namespace rocescope::render
