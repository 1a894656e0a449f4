// From a report to its findings.
#pragma once

#include <vector>

#include "rocescope/finding.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

/// All findings that follow from the rest of the report: errors first, then warnings, then notes; in each group those that
/// cost most first.
[[nodiscard]] std::vector<Finding> find_findings(const Report& report);
/// The worst first.
void sort_findings(std::vector<Finding>& findings);

}  // namespace rocescope
