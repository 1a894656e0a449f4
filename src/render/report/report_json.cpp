#include "render/report/report_json.hpp"

#include <optional>

#include "render/json_writer.hpp"
#include "render/report/report_json_congestion.hpp"
#include "render/report/report_json_connections.hpp"
#include "render/report/report_json_findings.hpp"
#include "render/report/report_json_handshakes.hpp"
#include "render/report/report_json_hosts.hpp"
#include "render/report/report_json_regions.hpp"
#include "render/report/report_json_times.hpp"
#include "render/report/report_names.hpp"
#include "rocescope/header.hpp"
#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

void write_traffic(const Traffic& traffic, JsonWriter& json) {
  json.number("packets", traffic.packets);
  json.number("bytes", traffic.bytes);
}

void write_totals(const CaptureTotals& totals, JsonWriter& json) {
  write_traffic(totals.traffic, json);
  json.number("roce_packets", totals.roce.packets);
  json.number("roce_bytes", totals.roce.bytes);
  json.number("captured_bytes", totals.captured_bytes);
  json.number("cut_packets", totals.cut_packets);
  json.number("out_of_order_packets", totals.out_of_order_packets);
  if (!totals.first_time) return;
  json.number("first_time", *totals.first_time);
  json.number("last_time", *totals.last_time);
  json.number("duration", totals.duration());
}

void write_interface(const CaptureInterface& interface, JsonWriter& json) {
  json.open_object();
  if (!interface.name.empty()) json.string("name", interface.name);
  if (!interface.description.empty()) json.string("description", interface.description);
  if (interface.section > 0) json.number("section", interface.section);
  json.number("number", interface.number);
  json.number("link_type", interface.link_type);
  json.string("link_type_name", link_type_name(interface.link_type));
  if (interface.snap_length > 0) json.number("snap_length", interface.snap_length);
  json.number("ticks_per_second", interface.ticks_per_second);
  if (interface.dropped) json.number("dropped_packets", *interface.dropped);
  json.close_object();
}

void write_capture(const CaptureReport& capture, JsonWriter& json) {
  json.open_object();
  json.string("path", capture.info.path);
  json.string("format", capture.info.format);
  write_totals(capture.totals, json);
  json.open_array("interfaces");
  for (const CaptureInterface& interface : capture.info.interfaces) write_interface(interface, json);
  json.close_array();
  json.open_array("warnings");
  for (const std::string& warning : capture.info.warnings) json.string(warning);
  json.close_array();
  json.close_object();
}

void write_protocols(const std::vector<ProtocolNode>& nodes, JsonWriter& json) {
  json.open_array("protocols");
  for (const ProtocolNode& node : nodes) {
    json.open_object();
    json.string("name", protocol_name(node.protocol));
    json.string("label", protocol_label(node.protocol));
    write_traffic(node.traffic, json);
    if (!node.children.empty()) write_protocols(node.children, json);
    json.close_object();
  }
  json.close_array();
}

void write_other_packets(const std::vector<OtherPackets>& others, JsonWriter& json) {
  json.open_array("other_packets");
  for (const OtherPackets& other : others) {
    json.open_object();
    json.string("name", protocol_name(other.protocol));
    json.string("label", protocol_label(other.protocol));
    json.number("packets", other.packets);
    json.close_object();
  }
  json.close_array();
}

void write_operations(const std::vector<OperationCount>& operations, JsonWriter& json) {
  json.open_array("operations");
  for (const OperationCount& operation : operations) {
    json.open_object();
    json.number("opcode", operation.opcode->code);
    json.string("name", operation.opcode->name());
    json.string("transport", to_string(operation.opcode->transport));
    json.string("operation", to_string(operation.opcode->operation));
    write_traffic(operation.traffic, json);
    json.number("payload_bytes", operation.payload_bytes);
    json.close_object();
  }
  json.close_array();
}

void write_psns(std::string_view key, const PsnRange& range, JsonWriter& json) {
  if (range.packets == 0) return;
  json.open_object(key);
  json.number("packets", range.packets);
  json.number("first_psn", range.first.value());
  json.number("last_psn", range.last.value());
  json.number("lowest_psn", range.lowest.value());
  json.number("highest_psn", range.highest.value());
  json.number("psn_span", range.span);
  json.close_object();
}

void write_flow(const Flow& flow, JsonWriter& json) {
  json.open_object();
  json.string("source", to_text(flow.source));
  json.string("destination", to_text(flow.destination));
  json.number("dest_qp", flow.dest_qp.value());
  json.number("overlay_id", flow.overlay_id);
  json.string("encapsulation", to_string(flow.encapsulation));
  json.open_array("transports");
  for (const std::string_view name : transport_names(flow.transports)) json.string(name);
  json.close_array();
  write_traffic(flow.traffic, json);
  json.number("payload_bytes", flow.payload_bytes);
  write_psns("requests", flow.requests, json);
  write_psns("responses", flow.responses, json);
  json.number("cnp_packets", flow.cnp_packets);
  json.number("first_time", flow.first_time);
  json.number("last_time", flow.last_time);
  json.number("icrc_bad_packets", flow.icrc_bad_packets);
  if (flow.source_port > 0) json.number("source_port", flow.source_port);
  if (flow.true_source_port) json.number("true_source_port", *flow.true_source_port);
  json.number("rewritten_packets", flow.rewritten_packets);
  json.close_object();
}

void write_ud_flow(const UdFlow& flow, JsonWriter& json) {
  json.open_object();
  json.string("source", to_text(flow.source));
  json.number("source_qp", flow.source_qp.value());
  json.string("destination", to_text(flow.destination));
  json.number("dest_qp", flow.dest_qp.value());
  json.number("overlay_id", flow.overlay_id);
  json.number("q_key", flow.q_key);
  json.number("messages", flow.traffic.packets);
  json.number("bytes", flow.traffic.bytes);
  json.number("payload_bytes", flow.payload_bytes);
  json.number("immediate_messages", flow.immediate_messages);
  json.number("icrc_bad_messages", flow.icrc_bad_messages);
  json.number("first_time", flow.first_time);
  json.number("last_time", flow.last_time);
  json.close_object();
}

void write_icrc(const IcrcTotals& icrc, JsonWriter& json) {
  json.open_object("icrc");
  json.boolean("verified", icrc.verified);
  json.number("good", icrc.good);
  json.number("bad", icrc.bad);
  json.number("rewritten", icrc.rewritten);
  json.number("unsearched", icrc.unsearched);
  json.open_object("unverifiable");
  for (const auto& entry : icrc.unverifiable) {
    const std::string_view reason = to_string(entry.reason);
    json.number(reason.empty() ? "unknown" : reason, entry.packets);
  }
  json.close_object();
  json.close_object();
}

void write_stops(const std::vector<StopCount>& stops, JsonWriter& json) {
  json.open_array("stops");
  for (const StopCount& stop : stops) {
    json.open_object();
    json.string("reason", to_string(stop.reason));
    if (stop.layer != HeaderKind::kNone) json.string("header", header_info(stop.layer).name);
    json.number("packets", stop.packets);
    json.number("first_packet", stop.first_packet);
    json.close_object();
  }
  json.close_array();
}

void write_untracked(std::string_view key, const Traffic& traffic, JsonWriter& json) {
  json.open_object(key);
  write_traffic(traffic, json);
  json.close_object();
}

}  // namespace

void append_report_json(const Report& report, std::string& out, JsonSpace space) {
  JsonWriter json(out, space);
  json.open_object();
  json.string("type", "report");
  json.number("schema", kReportSchema);
  json.number("packets_read", report.packets_read);
  json.open_object("totals");
  write_totals(report.totals, json);
  json.close_object();
  json.open_array("captures");
  for (const CaptureReport& capture : report.captures) write_capture(capture, json);
  json.close_array();
  write_protocols(report.protocols, json);
  write_other_packets(report.other_packets, json);
  write_operations(report.operations, json);
  json.open_array("findings");
  for (const Finding& finding : report.findings) write_finding(finding, json);
  json.close_array();
  json.open_array("connections");
  for (const Connection& connection : report.connections) write_connection(connection, json);
  json.close_array();
  write_evicted(report.evicted, json);
  write_times(report.times, json);
  write_rates(report.rates, json);
  write_host_rates(report.host_rates, json);
  write_nic_counters(report.hosts, json);
  write_congestion(report.congestion, json);
  write_pauses(report.pauses, json);
  write_regions(report.memory_regions, json);
  json.open_array("flows");
  for (const Flow& flow : report.flows) write_flow(flow, json);
  json.close_array();
  json.open_array("ud_flows");
  for (const UdFlow& flow : report.ud_flows) write_ud_flow(flow, json);
  json.close_array();
  write_handshakes(report.handshakes, json);
  json.open_array("cm_messages");
  for (const CmEvent& event : report.cm_events) write_cm_event(event, json);
  json.close_array();
  write_icrc(report.icrc, json);
  write_stops(report.stops, json);
  json.open_object("untracked");
  write_untracked("protocols", report.untracked_protocols, json);
  write_untracked("flows", report.untracked_flows, json);
  write_untracked("ud_flows", report.untracked_ud_flows, json);
  json.number("connection_packets", report.untracked_connection_packets);
  json.number("memory_region_requests", report.untracked_region_requests);
  json.number("host_packets", report.untracked_host_packets);
  json.number("pause_frames", report.untracked_pause_frames);
  json.number("handshake_messages", report.unlisted_handshakes);
  json.number("cm_messages", report.unlisted_cm_events);
  json.close_object();
  json.close_object();
  out += '\n';
}

}  // namespace rocescope::render
