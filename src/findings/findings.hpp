// Draws findings from evidence.
#pragma once

#include <vector>

#include "findings/evidence.hpp"
#include "rocescope/finding.hpp"

namespace rocescope {

/// All findings that follow from the evidence: errors, then warnings, then notes; in each group the most costly first.
[[nodiscard]] std::vector<Finding> find_findings(const Evidence& evidence);
/// The worst first.
void sort_findings(std::vector<Finding>& findings);

}  // namespace rocescope
