// What was read of captures, before anything is concluded.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "rocescope/detail/command_troubles.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

/// A report without findings, and what else they rest on. Plain data: a partial result (src/partial) holds just this.
struct Observations {
  Report report;                 ///< its findings are empty
  std::deque<Flow> other_flows;  ///< of packets that do not count, for rules about all flows of a host
  TroublesByConnection command_troubles;
  std::vector<Finding> evicted_findings;  ///< about connections that were evicted: drawn then
};

/// The report, with its findings.
[[nodiscard]] Report conclude(Observations&& observations);

}  // namespace rocescope
