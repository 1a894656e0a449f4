#include "report_builder.hpp"

namespace rocescope {

void ReportBuilder::add(const PacketRecord& record) {
  const std::uint32_t capture = record.packet->frame.capture_id;
  if (capture >= by_capture_.size()) by_capture_.resize(capture + 1U);
  by_capture_[capture].add(record);
  all_.add(record);
  protocols_.add(record);
  operations_.add(record);
  flows_.add(record);
  cm_.add(record);
  icrc_.add(record);
  stops_.add(record);
}

Report ReportBuilder::finish(const ReadFacts& facts) const {
  Report report;
  for (std::size_t i = 0; i < facts.captures.size(); ++i) {
    report.captures.push_back({facts.captures[i], i < by_capture_.size() ? by_capture_[i].totals() : CaptureTotals{}});
  }
  report.totals = all_.totals();
  report.packets_read = facts.packets_read;
  report.protocols = protocols_.protocols();
  report.untracked_protocols = protocols_.untracked();
  report.other_packets = protocols_.other_packets();
  report.operations = operations_.counts();
  report.flows = flows_.flows();
  report.untracked_flows = flows_.untracked();
  report.cm_events = cm_.events();
  report.unlisted_cm_events = cm_.unlisted();
  report.icrc = icrc_.totals();
  report.icrc.verified = facts.icrc_verified;
  report.icrc.unsearched = facts.icrc_unsearched;
  report.stops = stops_.counts();
  return report;
}

}  // namespace rocescope
