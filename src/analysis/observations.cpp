#include "analysis/observations.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "findings/findings.hpp"

namespace rocescope {
namespace {

std::uint64_t all_dropped(const Report& report) {
  std::uint64_t dropped = 0;
  for (const CaptureReport& capture : report.captures) {
    dropped += std::min(dropped_packets(capture.info), std::numeric_limits<std::uint64_t>::max() - dropped);
  }
  return dropped;
}

}  // namespace

Report conclude(Observations&& observations) {
  Report report = std::move(observations.report);
  report.findings = find_findings({.tracking = report,
                                   .dropped = all_dropped(report),
                                   .verifies_icrc = report.icrc.verified,
                                   .totals = report.totals,
                                   .stops = report.stops,
                                   .flows = &report.flows,
                                   .other_flows = &observations.other_flows,
                                   .cm_events = report.cm_events,
                                   .evicted = &report.evicted,
                                   .comparisons = report.comparisons,
                                   .commands = &observations.command_troubles});
  if (observations.evicted_findings.empty()) return report;
  std::ranges::move(observations.evicted_findings, std::back_inserter(report.findings));
  sort_findings(report.findings);
  return report;
}

}  // namespace rocescope
