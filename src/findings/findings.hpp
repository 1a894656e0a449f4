// Draws findings from evidence.
#pragma once

#include <vector>

#include "findings/evidence.hpp"
#include "rocescope/finding.hpp"

namespace rocescope {

/// All findings that follow from the evidence, each with its cause, sorted.
[[nodiscard]] std::vector<Finding> find_findings(const Evidence& evidence);
/// The findings of a connection, or of an attempt to connect, stand together: each cause before its consequences, the worst
/// cause first. The connections stand by their worst finding: errors, then warnings, then notes; in each those that stand
/// still first, then the most costly. A finding of the whole capture stands by itself.
void sort_findings(std::vector<Finding>& findings);

}  // namespace rocescope
