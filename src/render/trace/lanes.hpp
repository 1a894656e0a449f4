// Spans that overlap, laid out so that those of one lane do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace rocescope::render {

/// Gives each span the lowest lane that is free. To be called in the order of their begins.
class Lanes {
 public:
  [[nodiscard]] std::size_t take(std::int64_t begin, std::int64_t end) {
    for (; !busy_.empty() && busy_.top().first <= begin; busy_.pop()) free_.push(busy_.top().second);
    if (free_.empty()) free_.push(lanes_++);
    const std::size_t lane = free_.top();
    free_.pop();
    busy_.emplace(end, lane);
    return lane;
  }

 private:
  using Busy = std::pair<std::int64_t, std::size_t>;  // when it ends, and the lane
  template <class T>
  using LowestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

  LowestFirst<Busy> busy_;
  LowestFirst<std::size_t> free_;
  std::size_t lanes_ = 0;
};

}  // namespace rocescope::render
