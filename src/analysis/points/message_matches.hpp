// Finds out which messages of two capture points are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/points/seen_message.hpp"

namespace rocescope {

/// ns: by so much the delays of the messages of two points differ at most.
inline constexpr std::int64_t kMostDelaysApart = 10'000'000'000;

/// Adds how long after `low` the `high` point saw messages, ns by their clocks, up to `most` samples. Takes only
/// messages whose names come once at each point: they are unambiguous.
void sample_delays(SeenMessages low, SeenMessages high, std::size_t most, std::vector<std::int64_t>& samples);
/// The messages that both saw, by the frames at the lower number. `delay`: of most of them. Marks what is met.
[[nodiscard]] std::vector<SeenByBoth> match_messages(SeenMessages low, SeenMessages high, std::int64_t delay);

}  // namespace rocescope
