// One function a table: what it shows of a row, names or values.
#include "render/report/report_csv.hpp"

#include <fmt/format.h>

#include "render/report/csv_row.hpp"
#include "render/report/report_cm_names.hpp"
#include "render/report/report_names.hpp"
#include "rocescope/host.hpp"
#include "rocescope/verdict.hpp"
#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

std::optional<std::uint32_t> value_of(const std::optional<Qpn>& qpn) {
  return qpn ? std::optional(qpn->value()) : std::nullopt;
}

template <class Name, std::size_t Count>
void show_by_name(std::string_view prefix, const std::array<std::uint64_t, Count>& numbers, CsvRow& row) {
  for (std::size_t i = 1; i < Count; ++i) {
    row.number(fmt::format("{}{}", prefix, to_string(static_cast<Name>(i))), numbers[i]);
  }
}

void show_requests(const StreamTotals& requests, CsvRow& row) {
  row.number("messages", requests.messages);
  row.number("messages_completed", requests.messages_completed);
  row.number("messages_refused", requests.troubles->messages_refused);
  row.number("payload_bytes", requests.payload_bytes);
  row.number("resent_bytes", requests.troubles->resent_bytes);
  row.number("recoveries", requests.troubles->recoveries);
  row.number("missing_psns", requests.troubles->missing);
  row.number("lost_before", requests.troubles->lost_before);
  row.number("lost_after", requests.troubles->lost_after);
  row.number("capture_lost", requests.troubles->capture_lost);
  row.number("acks", requests.acks);
  row.number("sequence_naks", requests.troubles->sequence_naks);
  row.number("rnr_naks", requests.troubles->rnr_naks);
  row.number("fatal_naks", requests.troubles->fatal_naks);
  show_by_name<VerdictKind>("verdict_", requests.packets(), row);
  show_by_name<ResendCause>("retransmission_", requests.troubles->resends, row);
}

void show_side(std::string_view prefix, const ConnectionSide& side, CsvRow& row) {
  row.prefix(prefix);
  row.text("address", to_text(side.address));
  row.number("qpn", value_of(side.qpn));
  row.number("packets", side.traffic.packets);
  row.number("bytes", side.traffic.bytes);
  row.number("cnp_packets", side.cnp_packets);
  row.number("ce_packets", side.ce_packets);
  show_requests(*side.requests, row);
}

void show(const Connection& connection, CsvRow& row) {
  row.number("number", connection.number);
  row.text("transport", to_string(connection.transport));
  row.text("paired_by", to_string(connection.paired_by));
  row.number("overlay_id", connection.overlay_id);
  row.number("path_mtu", connection.path_mtu == 0 ? std::nullopt : std::optional(connection.path_mtu));
  row.number("first_time", connection.first_time);
  row.number("last_time", connection.last_time);
  show_side("side0_", connection.sides[0], row);
  show_side("side1_", connection.sides[1], row);
}

void show_psns(std::string_view prefix, const PsnRange& range, CsvRow& row) {
  const auto if_any = [&](std::uint64_t value) { return range.packets > 0 ? std::optional(value) : std::nullopt; };
  row.prefix(prefix);
  row.number("packets", range.packets);
  row.number("first_psn", if_any(range.first.value()));
  row.number("last_psn", if_any(range.last.value()));
  row.number("lowest_psn", if_any(range.lowest.value()));
  row.number("highest_psn", if_any(range.highest.value()));
  row.number("psn_span", if_any(range.span));
}

void show(const Flow& flow, CsvRow& row) {
  row.text("source", to_text(flow.source));
  row.text("destination", to_text(flow.destination));
  row.number("dest_qp", flow.dest_qp.value());
  row.number("overlay_id", flow.overlay_id);
  row.text("encapsulation", to_string(flow.encapsulation));
  row.text("transports", fmt::format("{}", fmt::join(transport_names(flow.transports), " ")));
  row.number("packets", flow.traffic.packets);
  row.number("bytes", flow.traffic.bytes);
  row.number("payload_bytes", flow.payload_bytes);
  row.number("cnp_packets", flow.cnp_packets);
  row.number("first_time", flow.first_time);
  row.number("last_time", flow.last_time);
  row.number("icrc_bad_packets", flow.icrc_bad_packets);
  row.number("source_port", flow.source_port > 0 ? std::optional(flow.source_port) : std::nullopt);
  row.number("true_source_port", flow.true_source_port);
  row.number("rewritten_packets", flow.rewritten_packets);
  show_psns("requests_", flow.requests, row);
  show_psns("responses_", flow.responses, row);
}

void show(const UdFlow& flow, CsvRow& row) {
  row.text("source", to_text(flow.source));
  row.number("source_qp", flow.source_qp.value());
  row.text("destination", to_text(flow.destination));
  row.number("dest_qp", flow.dest_qp.value());
  row.number("overlay_id", flow.overlay_id);
  row.number("q_key", flow.q_key);
  row.number("messages", flow.traffic.packets);
  row.number("bytes", flow.traffic.bytes);
  row.number("payload_bytes", flow.payload_bytes);
  row.number("immediate_messages", flow.immediate_messages);
  row.number("icrc_bad_messages", flow.icrc_bad_messages);
  row.number("first_time", flow.first_time);
  row.number("last_time", flow.last_time);
}

void show(const CmEvent& event, CsvRow& row) {
  const auto ip = event.ip.value_or(CmEvent::IpAddresses{});
  const auto port = [&](std::uint16_t value) { return event.ip ? std::optional(value) : std::nullopt; };
  row.number("time", event.time);
  row.number("packet", event.packet);
  row.text("source", to_text(event.source));
  row.text("destination", to_text(event.destination));
  row.text("message", cm_message_name(event.message));
  row.address("transaction_id", event.transaction_id);
  row.number("retry_of", event.retry_of);
  row.number("local_comm_id", event.local_comm_id);
  row.number("remote_comm_id", event.remote_comm_id);
  row.number("request_id", event.request_id);
  row.number("local_qpn", value_of(event.local_qpn));
  row.number("remote_qpn", value_of(event.remote_qpn));
  row.number("starting_psn", event.starting_psn ? std::optional(event.starting_psn->value()) : std::nullopt);
  row.text("transport", event.transport ? cm_transport(event) : std::string_view());
  row.number("path_mtu", event.path_mtu);
  row.number("responder_resources", event.responder_resources);
  row.number("initiator_depth", event.initiator_depth);
  row.address("service_id", event.service_id);
  row.text("service", event.service_id ? cm_service(event) : std::string());
  row.text("ip_source", event.ip ? to_text(ip.source) : std::string());
  row.number("ip_source_port", port(ip.source_port));
  row.text("ip_destination", event.ip ? to_text(ip.destination) : std::string());
  row.number("ip_destination_port", port(ip.destination_port));
  row.text("about", event.about ? cm_about(event) : std::string_view());
  row.number("reason", event.reason);
  row.text("reason_name", event.reason ? cm_reason(event) : std::string());
  row.number("status", event.status);
  row.text("status_name", event.status ? cm_status(event) : std::string());
  std::string private_data;
  append_hex(event.private_data, private_data);
  row.text("private_data", private_data);
}

void show(const MemoryRegion& region, CsvRow& row) {
  const auto range = [&](std::string_view lowest, std::string_view highest, const AddressRange& addresses) {
    row.address(lowest, addresses.empty ? std::nullopt : std::optional(addresses.lowest));
    row.address(highest, addresses.empty ? std::nullopt : std::optional(addresses.highest));
  };
  row.text("responder", to_text(region.responder));
  row.number("overlay_id", region.overlay_id);
  row.number("r_key", region.r_key);
  row.number("reads", region.reads);
  row.number("read_bytes", region.read_bytes);
  row.number("writes", region.writes);
  row.number("written_bytes", region.written_bytes);
  row.number("atomics", region.atomics);
  row.number("flushes", region.flushes);
  row.number("refused", region.refused);
  range("lowest_address", "highest_address", region.touched);
  range("refused_lowest_address", "refused_highest_address", region.refused_range);
  row.text("connections", fmt::format("{}", fmt::join(region.users, " ")));
  row.text("more_connections", region.more_users ? "true" : "false");
  row.number("first_packet", region.first_packet);
  row.number("first_time", region.first_time);
  row.number("last_time", region.last_time);
}

void show(const Finding& finding, CsvRow& row) {
  static constexpr FindingInfo kNone{};
  const FindingInfo& info = finding.info != nullptr ? *finding.info : kNone;
  const auto if_seen = [&](std::int64_t time) { return finding.seen.count > 0 ? std::optional(time) : std::nullopt; };
  row.text("id", info.name);
  row.text("severity", to_string(info.severity));
  row.text("title", info.title);
  row.text("what", finding.what);
  row.number("connection", finding.connection != 0 ? std::optional(finding.connection) : std::nullopt);
  row.number("side", finding.side);
  row.number("weight", finding.weight);
  row.number("count", finding.seen.count);
  row.number("first_time", if_seen(finding.seen.first_time));
  row.number("last_time", if_seen(finding.seen.last_time));
  std::string packets;
  for (const std::uint64_t packet : finding.seen.packets) {
    if (packet != 0) packets += fmt::format("{}{}", packets.empty() ? "" : " ", packet);
  }
  row.text("packets", packets);
  row.text("filter", finding.filter);
}

/// What the NIC of a host would have counted under one name.
struct CounterRow {
  Host host;
  NicCounterInfo info{};
  std::uint64_t value = 0;
};

void show(const CounterRow& shown, CsvRow& row) {
  row.text("address", to_text(shown.host.address));
  row.number("overlay_id", shown.host.overlay_id);
  row.text("counter", name_of(shown.info));
  row.text("mlx5", shown.info.mlx5);
  row.text("rxe", shown.info.rxe);
  row.number("value", shown.value);
}

/// A message with whose it is.
struct MessageRow {
  const Connection& connection;
  std::size_t side = 0;
  const Message& message;
};

void show(const MessageRow& shown, CsvRow& row) {
  const Message& message = shown.message;
  const ConnectionSide& requester = shown.connection.sides[shown.side];
  const ConnectionSide& responder = shown.connection.sides[1 - shown.side];
  const bool ended = message.completion_frame != 0;
  row.number("number", message.number);
  row.number("connection", shown.connection.number);
  row.number("side", shown.side);
  row.text("requester", to_text(requester.address));
  row.number("requester_qpn", value_of(requester.qpn));
  row.text("responder", to_text(responder.address));
  row.number("responder_qpn", value_of(responder.qpn));
  row.text("operation", to_string(message.operation));
  row.text("outcome", to_string(message.outcome));
  row.number("nak_code", message.outcome == MessageOutcome::kRefused ? std::optional(message.nak_code) : std::nullopt);
  row.number("bytes", message.bytes);
  row.address("address", message.address);
  row.number("r_key", message.r_key);
  row.number("immediate", message.immediate);
  row.number("invalidated_r_key", message.invalidated_r_key);
  row.text("has_first", message.has_first ? "true" : "false");
  row.text("has_last", message.has_last ? "true" : "false");
  row.text("resent", message.resent ? "true" : "false");
  row.number("first_psn", message.first_psn.value());
  row.number("last_psn", message.last_psn.value());
  row.number("first_packet", message.first_frame);
  row.number("last_packet", message.last_frame);
  row.number("completion_packet", ended ? std::optional(message.completion_frame) : std::nullopt);
  row.number("first_time", message.first_time);
  row.number("last_time", message.last_time);
  row.number("completion_time", ended ? std::optional(message.completion_time) : std::nullopt);
}

template <class Row>
void append_row(CsvRow::Show what, const Row& shown, std::string& out) {
  CsvRow row(what, out);
  show(shown, row);
  row.end();
}

template <auto Report::*rows>
void append_table(const Report& report, std::string& out) {
  using Row = typename std::remove_cvref_t<decltype(report.*rows)>::value_type;
  append_row(CsvRow::Show::kNames, Row{}, out);
  for (const Row& row : report.*rows) append_row(CsvRow::Show::kValues, row, out);
}

void append_counter_table(const Report& report, std::string& out) {
  append_row(CsvRow::Show::kNames, CounterRow{}, out);
  for (const Host& host : report.hosts) {
    const auto values = nic_counters(host);
    for (const NicCounterInfo& info : nic_counter_infos()) {
      const std::uint64_t value = values[static_cast<std::size_t>(info.counter)];
      append_row(CsvRow::Show::kValues, CounterRow{host, info, value}, out);
    }
  }
}

constexpr CsvTable kTables[] = {
    {"findings.csv", append_table<&Report::findings>},
    {"connections.csv", append_table<&Report::connections>},
    {"flows.csv", append_table<&Report::flows>},
    {"datagrams.csv", append_table<&Report::ud_flows>},
    {"cm.csv", append_table<&Report::cm_events>},
    {"regions.csv", append_table<&Report::memory_regions>},
    {"counters.csv", append_counter_table},
};

}  // namespace

std::span<const CsvTable> csv_tables() noexcept { return kTables; }

void append_message_header(std::string& out) {
  append_row(CsvRow::Show::kNames, MessageRow{.connection = Connection{}, .message = Message{}}, out);
}

void append_message_row(const Connection& connection, std::size_t side, const Message& message, std::string& out) {
  append_row(CsvRow::Show::kValues, MessageRow{connection, side, message}, out);
}

}  // namespace rocescope::render
