// Compares what two capture points saw of the responses to the same READs.
#pragma once

#include <array>
#include <vector>

#include "analysis/points/capture_faults.hpp"
#include "analysis/points/compared_flows.hpp"
#include "analysis/points/seen_message.hpp"

namespace rocescope {

/// Counts the responses of a flow, of which `matches` were seen by both points. Responses are counted between READs of which both saw each
/// response once: the last responses of these are the same packets.
void compare_responses(ComparedFlows::Pair& pair, const std::vector<SeenByBoth>& matches, SeenMessages low,
                       SeenMessages high, const std::array<CaptureFaults, 2>& faults);

}  // namespace rocescope
