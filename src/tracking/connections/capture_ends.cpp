#include "tracking/connections/capture_ends.hpp"

#include <algorithm>
#include <unordered_map>

#include "tracking/connections/capture_names.hpp"

namespace rocescope {
void CaptureEnds::name(const std::vector<std::string>& paths) {
  names_.clear();
  if (paths.size() < 2) return;
  for (const std::string& path : paths) names_.push_back(capture_names(path));
}

std::int64_t CaptureEnds::end_of(std::uint32_t capture) const {
  if (capture >= names_.size() || capture >= spans_.size()) return kNever;
  if (!is_chained_) chain();
  return std::max(spans_[capture].last, spans_[spans_[capture].final].last);
}

/// Each capture goes on from the one that ended before it and has the most numbers in common with it; of several, from that which began
/// last.
void CaptureEnds::chain() const {
  is_chained_ = true;
  std::vector<std::uint32_t> by_begin;
  for (std::uint32_t i = 0; i < std::min(names_.size(), spans_.size()); ++i) {
    spans_[i].next = kNever;
    spans_[i].final = i;
    if (spans_[i].has_frames()) by_begin.push_back(i);
  }
  std::ranges::stable_sort(by_begin, {}, [&](std::uint32_t i) { return spans_[i].first; });
  /// When another one may begin.
  const auto over = [&](std::uint32_t i) {
    const Span& span = spans_[i];
    const auto lasts = static_cast<std::uint64_t>(span.last) - static_cast<std::uint64_t>(span.first);
    return lasts > static_cast<std::uint64_t>(kWindow) ? span.last - kWindow : span.first;
  };
  std::vector<std::uint32_t> by_end = by_begin;
  std::ranges::stable_sort(by_end, {}, over);
  std::unordered_map<std::string, std::uint32_t> ended;
  struct Next {
    std::uint32_t capture = 0;
    std::size_t in_common = 0;  // names
  };
  std::vector<Next> next(spans_.size());
  auto end = by_end.begin();
  for (const std::uint32_t begun : by_begin) {
    for (; end != by_end.end() && over(*end) < spans_[begun].first; ++end) {
      for (const std::string& name : names_[*end]) {
        const auto [known, added] = ended.emplace(name, *end);
        if (!added && spans_[known->second].first <= spans_[*end].first) known->second = *end;
      }
    }
    for (std::size_t in_common = names_[begun].size(); in_common > 0; --in_common) {
      const auto before = ended.find(names_[begun][in_common - 1]);
      if (before == ended.end()) continue;
      Next& its = next[before->second];
      if (its.in_common < in_common) its = {begun, in_common};
      break;
    }
  }
  for (auto each = by_begin.rbegin(); each != by_begin.rend(); ++each) {
    if (next[*each].in_common == 0) continue;
    Span& span = spans_[*each];
    const std::int64_t begin = spans_[next[*each].capture].first;
    span.next = begin > kNever - kWindow ? kNever : begin + kWindow;
    span.final = spans_[next[*each].capture].final;
  }
}

}  // namespace rocescope
