// The table of flows.
#include <fmt/format.h>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "rocescope/text.hpp"
#include "schema/names/protocol_names.hpp"

namespace rocescope::render {
using text::count;

namespace {

using std::string;

string psns(const PsnRange& range) {
  if (range.packets == 0) return {};
  if (range.lowest == range.highest) return fmt::format("{}", range.lowest.value());
  return fmt::format("{}-{}", range.lowest.value(), range.highest.value());
}

/// The two columns of PSNs. A short list shows the more telling one: of requests, where there are any.
std::pair<string, string> psn_columns(const Flow& flow, bool both) {
  if (both) return {psns(flow.requests), psns(flow.responses)};
  if (flow.requests.packets > 0) return {psns(flow.requests), {}};
  return {flow.responses.packets > 0 ? "rsp " + psns(flow.responses) : string(), {}};
}

/// What is unusual about a flow.
string notes(const Flow& flow) {
  string text;
  const auto add = [&](const string& note) { text += (text.empty() ? "" : ", ") + note; };
  if (flow.overlay_id > 0) add(fmt::format("VNI {}", flow.overlay_id));
  if (flow.cnp_packets > 0) add(fmt::format("{} CNP", count(flow.cnp_packets)));
  if (flow.icrc_bad_packets > 0) add(fmt::format("{} bad ICRC", count(flow.icrc_bad_packets)));
  if (flow.true_source_port) add(fmt::format("sent from port {0} ({0:#06x})", *flow.true_source_port));
  return text;
}

}  // namespace

void append_flows(const Report& report, ReportPage& page) {
  if (report.flows.empty()) return;
  page.section("Flows");
  ReportTable table({{"source"},
                     {"destination"},
                     {"to QP", Align::kRight},
                     {"transport"},
                     {"packets", Align::kRight},
                     {"bytes", Align::kRight},
                     {"payload", Align::kRight},
                     {page.all() ? "request PSNs" : "PSNs"},
                     {"response PSNs"},
                     {"first", Align::kRight},
                     {"last", Align::kRight},
                     {"notes"}});
  const SecondsSince seconds(report);
  for (std::size_t i = 0; i < page.shown(report.flows.size()); ++i) {
    const Flow& flow = report.flows[i];
    const auto [requests, responses] = psn_columns(flow, page.all());
    table.row({to_text(flow.source), to_text(flow.destination), fmt::format("0x{:06x}", flow.dest_qp.value()),
               fmt::format("{}", fmt::join(schema::transport_names(flow.transports), " ")), count(flow.traffic.packets),
               bytes(flow.traffic.bytes), bytes(flow.payload_bytes), requests, responses, seconds(flow.first_time),
               seconds(flow.last_time), notes(flow)});
  }
  table.append_to(page.out());
  page.rest(report.flows.size(), "flows");
  if (const EvictedFlows& evicted = report.evicted.flows; evicted.flows > 0) {
    page.note(fmt::format("{} packets ({}) of {} flows that were evicted, idle", count(evicted.all.traffic.packets),
                          bytes(evicted.all.traffic.bytes), count(evicted.flows)));
  }
  if (report.untracked_flows.packets > 0) {
    page.note(fmt::format("{} packets ({}) of further flows, beyond the limit of this table",
                          count(report.untracked_flows.packets), bytes(report.untracked_flows.bytes)));
  }
}

}  // namespace rocescope::render
