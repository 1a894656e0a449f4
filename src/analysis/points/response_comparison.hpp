// Compares what two capture points saw of the responses to the same READs.
#pragma once

#include <array>
#include <vector>

#include "analysis/points/capture_faults.hpp"
#include "analysis/points/compared_flows.hpp"
#include "analysis/points/seen_message.hpp"

namespace rocescope {

/// Counts the responses of a flow. `matches`: those that both points saw. Responses are counted between READs whose
/// responses both points saw once each: the last responses of these READs are the same packets.
void compare_responses(ComparedFlows::Pair& pair, const std::vector<SeenByBoth>& matches, SeenMessages low,
                       SeenMessages high, const std::array<CaptureFaults, 2>& faults);

}  // namespace rocescope
