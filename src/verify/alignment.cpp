#include "verify/alignment.hpp"

#include <algorithm>

#include "verify/work_request.hpp"

namespace rocescope::verify {
namespace {

/// How many of each to skip until both match again.
struct Step {
  std::size_t requests = 1;
  std::size_t messages = 1;
};

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

/// The best step from a place where both differ, at most kFarthest long.
Step step_from(std::span<const WorkRequest> requests, std::span<const Message> messages) {
  constexpr std::size_t kFarthest = 16;
  const auto cost = [&](const Step& step) {
    // Skipping some of one only leaves the other with too many at the end, unless it had that many more.
    const std::size_t imbalance = distance(requests.size() - step.requests, messages.size() - step.messages);
    return std::max(step.requests, step.messages) + imbalance;
  };
  Step best;
  bool found = false;
  for (std::size_t i = 0; i <= std::min(kFarthest, requests.size()); ++i) {
    for (std::size_t j = 0; j <= std::min(kFarthest, messages.size()); ++j) {
      if (i + j == 0) continue;
      const bool both_end = i == requests.size() && j == messages.size();
      const bool alike = i < requests.size() && j < messages.size() && differing_fields(requests[i], messages[j]) == 0;
      if (!both_end && !alike) continue;
      const Step step{i, j};
      if (found && cost(step) >= cost(best)) continue;
      best = step;
      found = true;
    }
  }
  return best;
}

}  // namespace

std::vector<Pairing> align(std::span<const WorkRequest> requests, std::span<const Message> messages) {
  std::vector<Pairing> pairs;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < requests.size() || j < messages.size()) {
    if (i < requests.size() && j < messages.size() && differing_fields(requests[i], messages[j]) == 0) {
      pairs.push_back({i++, j++});
      continue;
    }
    if (i == requests.size()) {
      pairs.push_back({std::nullopt, j++});
      continue;
    }
    if (j == messages.size()) {
      pairs.push_back({i++, std::nullopt});
      continue;
    }
    const Step step = step_from(requests.subspan(i), messages.subspan(j));
    const std::size_t both = std::min(step.requests, step.messages);
    for (std::size_t k = 0; k < both; ++k, ++i, ++j) {
      pairs.push_back({i, j, differing_fields(requests[i], messages[j])});
    }
    for (std::size_t k = both; k < step.requests; ++k) pairs.push_back({i++, std::nullopt});
    for (std::size_t k = both; k < step.messages; ++k) pairs.push_back({std::nullopt, j++});
  }
  return pairs;
}

}  // namespace rocescope::verify
