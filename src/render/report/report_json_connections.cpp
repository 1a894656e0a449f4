#include "render/report/report_json_connections.hpp"

#include <string_view>

#include "render/report/report_json_congestion.hpp"
#include "render/report/report_json_handshakes.hpp"
#include "render/report/report_json_hosts.hpp"
#include "render/report/report_json_times.hpp"
#include "rocescope/opcode.hpp"
#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

void write_operations(const ConnectionSide& side, JsonWriter& json) {
  json.open_array("operations");
  for (const OperationTotals& totals : side.operations.all()) {
    json.open_object();
    json.string("operation", to_string(totals.operation));
    json.number("messages", totals.messages);
    json.number("completed", totals.completed);
    json.number("refused", totals.refused);
    json.number("bytes", totals.bytes);
    json.open_array("sizes");
    for (const SizeTable::Row& row : totals.sizes.rows()) {
      json.open_object();
      json.number("at_least", row.at_least);
      json.number("messages", row.messages);
      json.close_object();
    }
    json.close_array();
    json.close_object();
  }
  json.close_array();
}

/// Numbers by a name each, without those that are zero.
template <class Name, std::size_t Count>
void write_by_name(std::string_view key, const std::array<std::uint64_t, Count>& numbers, JsonWriter& json) {
  json.open_object(key);
  for (std::size_t i = 1; i < Count; ++i) {
    if (numbers[i] > 0) json.number(to_string(static_cast<Name>(i)), numbers[i]);
  }
  json.close_object();
}

void write_in_flight(const InFlight& in_flight, JsonWriter& json) {
  json.open_object("most_in_flight");
  json.number("messages", in_flight.messages);
  json.number("packets", in_flight.packets);
  json.number("bytes", in_flight.bytes);
  json.number("reads", in_flight.reads);
  json.close_object();
}

void write_requests(const StreamTotals& requests, JsonWriter& json) {
  json.open_object("requests");
  json.number("messages", requests.messages);
  json.number("messages_completed", requests.messages_completed);
  json.number("messages_refused", requests.troubles->messages_refused);
  json.number("payload_bytes", requests.payload_bytes);
  json.number("resent_bytes", requests.troubles->resent_bytes);
  json.number("recoveries", requests.troubles->recoveries);
  json.number("missing_psns", requests.troubles->missing);
  json.number("lost_before", requests.troubles->lost_before);
  json.number("lost_after", requests.troubles->lost_after);
  json.number("capture_lost", requests.troubles->capture_lost);
  json.number("acks", requests.acks);
  json.number("sequence_naks", requests.troubles->sequence_naks);
  json.number("rnr_naks", requests.troubles->rnr_naks);
  json.number("fatal_naks", requests.troubles->fatal_naks);
  write_in_flight(requests.most_in_flight, json);
  write_by_name<VerdictKind>("verdicts", requests.packets(), json);
  write_by_name<ResendCause>("retransmission_causes", requests.troubles->resends, json);
  json.close_object();
}

void write_traffic(const ConnectionSide& side, JsonWriter& json) {
  json.number("packets", side.traffic.packets);
  json.number("bytes", side.traffic.bytes);
  json.number("cnp_packets", side.cnp_packets);
  json.number("ce_packets", side.ce_packets);
  write_congestion(side, json);
}

void write_evicted_flows(const EvictedTotals& evicted, JsonWriter& json) {
  const EvictedFlows& flows = evicted.flows;
  json.open_object("flows");
  json.number("flows", flows.flows);
  json.number("packets", flows.traffic.packets);
  json.number("bytes", flows.traffic.bytes);
  json.number("payload_bytes", flows.payload_bytes);
  json.number("cnp_packets", flows.cnp_packets);
  json.number("icrc_bad_packets", flows.icrc_bad_packets);
  json.number("rewritten_packets", flows.rewritten_packets);
  json.close_object();
  const EvictedUdFlows& datagrams = evicted.ud_flows;
  json.open_object("ud_flows");
  json.number("flows", datagrams.flows);
  json.number("messages", datagrams.traffic.packets);
  json.number("bytes", datagrams.traffic.bytes);
  json.number("payload_bytes", datagrams.payload_bytes);
  json.number("immediate_messages", datagrams.immediate_messages);
  json.number("icrc_bad_messages", datagrams.icrc_bad_messages);
  json.close_object();
}

void write_evicted_regions(const EvictedRegions& evicted, JsonWriter& json) {
  json.open_object("memory_regions");
  json.number("regions", evicted.regions);
  json.number("reads", evicted.all.reads);
  json.number("read_bytes", evicted.all.read_bytes);
  json.number("writes", evicted.all.writes);
  json.number("written_bytes", evicted.all.written_bytes);
  json.number("atomics", evicted.all.atomics);
  json.number("flushes", evicted.all.flushes);
  json.number("refused", evicted.all.refused);
  json.close_object();
}

void write_side(const ConnectionSide& side, JsonWriter& json) {
  json.open_object();
  json.string("address", to_text(side.address));
  if (side.qpn) json.number("qpn", side.qpn->value());
  write_traffic(side, json);
  write_rates(side.rates, json);
  write_times(side.times, json);
  write_requests(*side.requests, json);
  write_operations(side, json);
  write_states(side.states, json);
  json.close_object();
}

}  // namespace

void write_evicted(const EvictedTotals& evicted, JsonWriter& json) {
  json.open_object("evicted");
  json.number("connections", evicted.connections);
  json.number("crowded", evicted.crowded);
  json.number("handshakes", evicted.handshakes);
  json.number("unlisted_findings", evicted.unlisted_findings);
  write_traffic(evicted.sides, json);
  write_times(evicted.sides.times, json);
  write_requests(*evicted.sides.requests, json);
  write_operations(evicted.sides, json);
  write_evicted_flows(evicted, json);
  write_evicted_regions(evicted.regions, json);
  json.close_object();
}

void write_connection(const Connection& connection, JsonWriter& json) {
  json.open_object();
  write_connection_members(connection, json);
  json.close_object();
}

void write_connection_members(const Connection& connection, JsonWriter& json) {
  json.number("number", connection.number);
  json.string("transport", to_string(connection.transport));
  json.string("paired_by", to_string(connection.paired_by));
  json.number("overlay_id", connection.overlay_id);
  if (connection.handshake != 0) json.number("handshake", connection.handshake);
  if (connection.path_mtu != 0) json.number("path_mtu", connection.path_mtu);
  json.number("first_time", connection.first_time);
  json.number("last_time", connection.last_time);
  json.open_array("sides");
  for (const ConnectionSide& side : connection.sides) write_side(side, json);
  json.close_array();
}

}  // namespace rocescope::render
