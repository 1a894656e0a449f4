#include "analysis/packet_counters.hpp"

#include <algorithm>
#include <utility>

namespace rocescope {

void PacketCounters::add(const PacketRecord& record) {
  const std::uint32_t capture = record.packet->frame.capture_id;
  if (capture >= by_capture_.size()) by_capture_.resize(capture + 1U);
  by_capture_[capture].add(record);
  all_.add(record);
  if (record.packet->is_roce()) {
    const std::size_t point = record.packet->frame.capture_point - 1U;
    if (point >= by_point_.size()) by_point_.resize(point + 1);
    by_point_[point].add(record.packet->wire_length);
  }
  start_ = record.first_timestamp;
  protocols_.add(record);
  icrc_.add(record);
  stops_.add(record);
  if (record.repeated) return;
  operations_.add(record);
  flows_.add(record);
  ud_flows_.add(record);
  cm_.add(record);
}

void PacketCounters::evict(std::int64_t idle_since) {
  flows_.evict(idle_since);
  other_flows_.evict(idle_since);
  ud_flows_.evict(idle_since);
}

void PacketCounters::report(Report& report) {
  for (std::size_t i = 0; i < std::min(report.captures.size(), by_capture_.size()); ++i) {
    report.captures[i].totals = by_capture_[i].totals();
  }
  for (std::size_t i = 0; i < std::min(report.capture_points.size(), by_point_.size()); ++i) {
    report.capture_points[i].roce = by_point_[i];
  }
  report.totals = all_.totals();
  report.start = start_;
  report.protocols = protocols_.protocols();
  report.untracked_protocols = protocols_.untracked();
  report.other_packets = protocols_.other_packets();
  report.operations = operations_.counts();
  report.ud_flows = ud_flows_.flows();
  report.untracked_ud_flows = ud_flows_.untracked();
  report.flows = std::move(flows_).flows();
  report.untracked_flows = flows_.untracked();
  report.cm_events = cm_.events();
  report.unlisted_cm_events = cm_.unlisted();
  report.icrc = icrc_.totals();
  report.stops = stops_.counts();
  report.evicted.flows = flows_.evicted();
  report.evicted.ud_flows = ud_flows_.evicted();
}

}  // namespace rocescope
