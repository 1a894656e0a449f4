// From evidence to findings.
#pragma once

#include <vector>

#include "findings/evidence.hpp"
#include "rocescope/finding.hpp"

namespace rocescope {

/// All findings that follow from the evidence: errors first, then warnings, then notes; in each group those that
/// cost most first.
[[nodiscard]] std::vector<Finding> find_findings(const Evidence& evidence);
/// The worst first.
void sort_findings(std::vector<Finding>& findings);

}  // namespace rocescope
