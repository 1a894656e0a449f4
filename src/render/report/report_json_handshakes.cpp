#include "render/report/report_json_handshakes.hpp"

#include <fmt/format.h>

#include "render/handshake_names.hpp"
#include "render/report/report_cm_names.hpp"
#include "render/service_text.hpp"
#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

template <class Number>
void write_if(std::string_view key, const std::optional<Number>& value, JsonWriter& json) {
  if (value) json.number(key, *value);
}

/// As text: readers of JSON that take numbers for doubles would spoil them.
std::string hex_id(std::uint64_t id) { return fmt::format("0x{:016x}", id); }

void write_region(const AnnouncedRegion& region, JsonWriter& json) {
  json.open_object("region");
  json.string("address", hex_id(region.address));
  json.number("r_key", region.r_key);
  if (region.length != 0) json.number("length", region.length);
  json.number("packet", region.packet);
  if (region.proof) {
    json.number("offset", region.proof->offset);
    json.string("byte_order", region.proof->big_endian ? "big" : "little");
    json.number("proved_by", region.proof->packet);
  }
  json.close_object();
}

void write_side(const HandshakeSide& side, JsonWriter& json) {
  json.open_object();
  json.string("address", to_text(side.address));
  write_if("comm_id", side.comm_id, json);
  if (side.qpn) json.number("qpn", side.qpn->value());
  if (side.first_psn) json.number("first_psn", side.first_psn->value());
  write_if("responder_resources", side.responder_resources, json);
  write_if("initiator_depth", side.initiator_depth, json);
  write_if("rnr_retry_count", side.rnr_retry_count, json);
  if (side.flow_control) json.boolean("flow_control", *side.flow_control);
  if (side.region) write_region(*side.region, json);
  if (!side.private_data.empty()) {
    std::string hex;
    append_hex(side.private_data, hex);
    json.string("private_data", hex);
  }
  json.close_object();
}

void write_step(const HandshakeStep& step, JsonWriter& json) {
  json.open_object();
  json.string("message", to_string(step.message));
  json.number("sender", step.sender);
  json.number("count", step.count);
  json.number("packet", step.packet);
  json.number("time", step.time);
  if (step.count > 1) {
    json.number("last_packet", step.last_packet);
    json.number("last_time", step.last_time);
  }
  json.close_object();
}

void write_reject(const Handshake& handshake, JsonWriter& json) {
  json.open_object("reject");
  json.number("sender", handshake.reject->sender);
  const std::string_view about = reject_about(handshake);
  if (!about.empty()) json.string("about", about);
  json.number("reason", handshake.reject->reason);
  json.string("reason_name", reject_reason(handshake));
  json.number("packet", handshake.reject->packet);
  json.number("time", handshake.reject->time);
  json.close_object();
}

void write_addresses(const CmEvent::IpAddresses& ip, JsonWriter& json) {
  json.string("ip_source", to_text(ip.source));
  json.number("ip_source_port", ip.source_port);
  json.string("ip_destination", to_text(ip.destination));
  json.number("ip_destination_port", ip.destination_port);
}

void write_handshake(const Handshake& handshake, JsonWriter& json) {
  json.open_object();
  json.number("number", handshake.number);
  json.string("kind", to_string(handshake.kind));
  json.string("outcome", to_string(handshake.outcome));
  if (handshake.transport) json.string("transport", to_string(*handshake.transport));
  json.number("overlay_id", handshake.overlay_id);
  if (handshake.connection != 0) json.number("connection", handshake.connection);
  if (handshake.service_id) {
    json.string("service_id", hex_id(*handshake.service_id));
    json.string("service", service_text(*handshake.service_id));
  }
  if (handshake.ip) write_addresses(*handshake.ip, json);
  if (handshake.path_mtu != 0) json.number("path_mtu", handshake.path_mtu);
  write_if("p_key", handshake.p_key, json);
  write_if("retry_count", handshake.retry_count, json);
  write_if("ack_timeout", handshake.ack_timeout, json);
  write_if("max_cm_retries", handshake.max_cm_retries, json);
  const HandshakeTimes times = times_of(handshake);
  write_if("req_to_rep", times.req_to_rep, json);
  write_if("rep_to_rtu", times.rep_to_rtu, json);
  write_if("rtu_to_data", times.rtu_to_data, json);
  write_if("dreq_to_drep", times.dreq_to_drep, json);
  if (handshake.first_data_packet != 0) {
    json.number("first_data_packet", handshake.first_data_packet);
    json.number("first_data_time", handshake.first_data_time);
  }
  if (handshake.reject) write_reject(handshake, json);
  json.open_array("sides");
  for (const HandshakeSide& side : handshake.sides) write_side(side, json);
  json.close_array();
  json.open_array("messages");
  for (const HandshakeStep& step : handshake.steps) write_step(step, json);
  json.close_array();
  json.close_object();
}

}  // namespace

void write_cm_event(const CmEvent& event, JsonWriter& json) {
  json.open_object();
  json.number("time", event.time);
  json.number("packet", event.packet);
  json.string("source", to_text(event.source));
  json.string("destination", to_text(event.destination));
  json.string("message", cm_message_name(event.message));
  json.string("transaction_id", hex_id(event.transaction_id));
  write_if("retry_of", event.retry_of, json);
  write_if("local_comm_id", event.local_comm_id, json);
  write_if("remote_comm_id", event.remote_comm_id, json);
  write_if("request_id", event.request_id, json);
  if (event.local_qpn) json.number("local_qpn", event.local_qpn->value());
  if (event.remote_qpn) json.number("remote_qpn", event.remote_qpn->value());
  if (event.starting_psn) json.number("starting_psn", event.starting_psn->value());
  if (event.transport) json.string("transport", cm_transport(event));
  write_if("path_mtu", event.path_mtu, json);
  write_if("responder_resources", event.responder_resources, json);
  write_if("initiator_depth", event.initiator_depth, json);
  if (event.service_id) {
    json.string("service_id", hex_id(*event.service_id));
    json.string("service", cm_service(event));
  }
  if (event.ip) {
    json.string("ip_source", to_text(event.ip->source));
    json.number("ip_source_port", event.ip->source_port);
    json.string("ip_destination", to_text(event.ip->destination));
    json.number("ip_destination_port", event.ip->destination_port);
  }
  if (event.about) json.string("about", cm_about(event));
  write_if("reason", event.reason, json);
  if (event.reason) json.string("reason_name", cm_reason(event));
  write_if("status", event.status, json);
  if (event.status) json.string("status_name", cm_status(event));
  if (!event.private_data.empty()) {
    std::string hex;
    append_hex(event.private_data, hex);
    json.string("private_data", hex);
  }
  json.close_object();
}

void write_handshakes(const std::vector<Handshake>& handshakes, JsonWriter& json) {
  json.open_array("handshakes");
  for (const Handshake& handshake : handshakes) write_handshake(handshake, json);
  json.close_array();
}

void write_states(const std::vector<QpTransition>& states, JsonWriter& json) {
  json.open_array("states");
  for (const QpTransition& transition : states) {
    json.open_object();
    json.string("state", to_string(transition.state));
    json.boolean("observed", transition.observed);
    json.number("packet", transition.packet);
    json.number("time", transition.time);
    json.close_object();
  }
  json.close_array();
}

}  // namespace rocescope::render
