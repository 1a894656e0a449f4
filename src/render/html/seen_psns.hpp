// Which PSNs of a requester were seen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace rocescope::render {

/// PSNs of a PsnLine, as runs of PSNs that follow each other: few in most captures. Above kMost it forgets the lowest.
class SeenPsns {
 public:
  static constexpr std::size_t kMost = 65'536;

  [[nodiscard]] bool contains(std::int64_t psn) const {
    const auto behind = runs_.upper_bound(psn);
    return behind != runs_.begin() && psn < std::prev(behind)->second;
  }
  /// `count` PSNs from `first` on.
  void add(std::int64_t first, std::int64_t count) {
    std::int64_t end = first + count;
    auto run = runs_.upper_bound(first);
    if (run != runs_.begin() && std::prev(run)->second >= first) {
      --run;
      first = run->first;
    }
    while (run != runs_.end() && run->first <= end) {
      end = std::max(end, run->second);
      run = runs_.erase(run);
    }
    runs_[first] = end;
    if (runs_.size() > kMost) runs_.erase(runs_.begin());
  }

 private:
  std::map<std::int64_t, std::int64_t> runs_;  // one past the last, by the first
};

}  // namespace rocescope::render
