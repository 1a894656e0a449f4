// The table of flows.
#include <fmt/format.h>

#include "render/report/row_table.hpp"
#include "rocescope/text.hpp"
#include "schema/names/protocol_names.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
using text::count;

namespace {

using std::string;

string psns(const PsnRange& range) {
  if (range.packets == 0) return {};
  if (range.lowest == range.highest) return fmt::format("{}", range.lowest.value());
  return fmt::format("{}-{}", range.lowest.value(), range.highest.value());
}

/// A short list shows the PSNs of requests, or of responses where there are no requests.
string short_psns(const Flow& flow) {
  if (flow.requests.packets > 0 || flow.responses.packets == 0) return psns(flow.requests);
  return "rsp " + psns(flow.responses);
}

string transports(const Flow& flow) {
  return fmt::format("{}", fmt::join(schema::transport_names(flow.transports), " "));
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
  const bool all = page.all();
  RowTable<Flow> table(report, schema::kFlow,
                       {"source",
                        "destination",
                        "dest_qp",
                        {"transport", transports},
                        "packets",
                        "bytes",
                        "payload_bytes",
                        {all ? "request PSNs" : "PSNs",
                         [all](const Flow& flow) { return all ? psns(flow.requests) : short_psns(flow); }},
                        {"response PSNs", [all](const Flow& flow) { return all ? psns(flow.responses) : string(); }},
                        "first_time",
                        "last_time",
                        {"notes", notes}});
  table.rows(report.flows, "flows", page);
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
