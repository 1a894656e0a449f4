// The table of datagrams.
#include <fmt/format.h>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
using text::count;

namespace {

std::string notes(const UdFlow& flow) {
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
  ReportTable table({{"source"},
                     {"QP"},
                     {"destination"},
                     {"QP"},
                     {"Q_Key"},
                     {"messages", Align::kRight},
                     {"payload", Align::kRight},
                     {"first", Align::kRight},
                     {"last", Align::kRight},
                     {"notes"}});
  const SecondsSince seconds(report);
  for (std::size_t i = 0; i < page.shown(report.ud_flows.size()); ++i) {
    const UdFlow& flow = report.ud_flows[i];
    table.row({to_text(flow.source), fmt::format("0x{:06x}", flow.source_qp.value()), to_text(flow.destination),
               fmt::format("0x{:06x}", flow.dest_qp.value()), fmt::format("0x{:08x}", flow.q_key),
               count(flow.traffic.packets), bytes(flow.payload_bytes), seconds(flow.first_time),
               seconds(flow.last_time), notes(flow)});
  }
  table.append_to(page.out());
  page.rest(report.ud_flows.size(), "flows of datagrams");
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
