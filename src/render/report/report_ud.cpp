// The table of datagrams.
#include <fmt/format.h>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
using text::count;

namespace {

std::string flow_notes(const UdFlow& flow) {
  std::string text;
  const auto add = [&](const std::string& note) { text += (text.empty() ? "" : ", ") + note; };
  if (flow.overlay_id > 0) add(fmt::format("VNI {}", flow.overlay_id));
  if (flow.immediate_messages > 0) add(fmt::format("{} with immediate", count(flow.immediate_messages)));
  if (flow.icrc_bad_messages > 0) add(fmt::format("{} bad ICRC", count(flow.icrc_bad_messages)));
  return text;
}

}  // namespace

void append_ud_flows(const Report& report, ReportPage& page) {
  if (report.ud_flows.empty()) return;
  page.section("Datagrams");
  RowTable<UdFlow> table(report, schema::kUdFlow,
                         {"source",
                          {"source_qp", Cells::kLeft},
                          "destination",
                          {"dest_qp", Cells::kLeft},
                          "q_key",
                          "messages",
                          "payload_bytes",
                          "first_time",
                          "last_time",
                          {"notes", flow_notes}});
  table.rows(report.ud_flows, "flows of datagrams", page);
  if (const EvictedUdFlows& evicted = report.evicted.ud_flows; evicted.flows > 0) {
    page.note(fmt::format("{} datagrams ({}) of {} pairs of queue pairs that were evicted, idle",
                          count(evicted.all.traffic.packets), bytes(evicted.all.traffic.bytes), count(evicted.flows)));
  }
  if (report.untracked_ud_flows.packets > 0) {
    page.note(fmt::format("{} datagrams ({}) of further queue pairs, beyond the limit of this table",
                          count(report.untracked_ud_flows.packets), bytes(report.untracked_ud_flows.bytes)));
  }
}

}  // namespace rocescope::render
