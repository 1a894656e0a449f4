#include <algorithm>
#include <utility>

#include "rocescope/capture_point.hpp"
#include "rocescope/detail/elapsed.hpp"

namespace rocescope {

void Delays::add(std::int64_t ns) {
  if (empty()) first_ = ns;
  const std::int64_t more = elapsed(first_, ns);
  if (more >= 0) {
    later_.add(static_cast<std::uint64_t>(more));
  } else {
    earlier_.add(static_cast<std::uint64_t>(elapsed(more, 0)));
  }
}

std::int64_t Delays::min() const noexcept {
  return first_ - static_cast<std::int64_t>(earlier_.empty() ? later_.min() : earlier_.max());
}

std::int64_t Delays::max() const noexcept { return first_ + static_cast<std::int64_t>(later_.max()); }

std::int64_t Delays::quantile(std::uint64_t per_mille) const noexcept {
  constexpr std::uint64_t kAll = 1000;
  const std::uint64_t earlier = earlier_.count();
  const std::uint64_t all = earlier + later_.count();
  const std::uint64_t rank = std::max<std::uint64_t>((all * per_mille + kAll - 1) / kAll, 1);
  if (rank > earlier) return first_ + static_cast<std::int64_t>(later_.at_rank(rank - earlier));
  return first_ - static_cast<std::int64_t>(earlier_.at_rank(earlier - rank + 1));
}

Delays Delays::reversed() const {
  Delays reversed;
  reversed.first_ = -first_;
  reversed.later_ = earlier_;
  reversed.earlier_ = later_;
  return reversed;
}

}  // namespace rocescope
