// The ladder as NDJSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "render/ladder/ladder_printer.hpp"
#include "render/report/report_cm_names.hpp"
#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

using Json = nlohmann::ordered_json;

void write_line(const Json& object, std::string& out) {
  // What is no UTF-8, as in a file of truth, must not end the program.
  out += object.dump(-1, ' ', false, Json::error_handler_t::replace);
  out += '\n';
}

template <class Value>
void add(Json& object, const char* name, const std::optional<Value>& value) {
  if (!value) return;
  if constexpr (requires { value->value(); }) {
    object[name] = value->value();
  } else {
    object[name] = *value;
  }
}
void add_text(Json& object, const char* name, std::string_view text) {
  if (!text.empty()) object[name] = text;
}
template <class Number>
void add_number(Json& object, const char* name, Number number) {
  if (number != 0) object[name] = number;
}

void add_fields(const CmEvent& cm, Json& object) {
  object["message"] = cm_message_name(cm.message);
  object["transaction_id"] = cm.transaction_id;
  add(object, "retry_of", cm.retry_of);
  add(object, "local_comm_id", cm.local_comm_id);
  add(object, "remote_comm_id", cm.remote_comm_id);
  add(object, "local_qpn", cm.local_qpn);
  add(object, "remote_qpn", cm.remote_qpn);
  add(object, "starting_psn", cm.starting_psn);
  add_text(object, "transport", cm_transport(cm));
  add(object, "path_mtu", cm.path_mtu);
  add(object, "service_id", cm.service_id);
  add_text(object, "about", cm_about(cm));
  add(object, "reason", cm.reason);
}

void add_fields(const ExchangeEvent& exchange, Json& object) {
  object["message"] = name_of(kExchangeTypeNames, static_cast<std::uint64_t>(exchange.type));
  object["sequence"] = exchange.sequence;
  add(object, "qpn", exchange.qpn);
  add(object, "starting_psn", exchange.starting_psn);
  add(object, "path_mtu", exchange.path_mtu);
  add(object, "address", exchange.address);
  add(object, "length", exchange.length);
  add(object, "r_key", exchange.r_key);
  add(object, "client_qpn", exchange.client_qpn);
  add(object, "server_qpn", exchange.server_qpn);
  add(object, "status", exchange.status);
}

void add_aeth(const PacketRun& run, Json& object) {
  if (!run.aeth) return;
  if (*run.aeth == AethKind::kAck) object["aeth"] = "ack";
  if (*run.aeth == AethKind::kRnrNak) {
    object["aeth"] = "rnr_nak";
    object["rnr_timer"] = rnr_timer_ns(run.aeth_value);
  }
  if (*run.aeth == AethKind::kNak) {
    object["aeth"] = "nak";
    object["nak_code"] = run.aeth_value;
  }
}

void add_fields(const PacketRun& run, Json& object) {
  constexpr std::string_view kExtents[] = {"messages", "part", "packets"};
  object["operation"] = to_string(run.opcode->operation);
  if (run.packets == 1) object["position"] = to_string(run.opcode->position);
  object["extent"] = kExtents[static_cast<std::size_t>(run.extent)];
  object["packets"] = run.packets;
  if (run.extent == PacketRun::Extent::kMessages) object["messages"] = run.messages;
  object["bytes"] = run.bytes;
  object["first_psn"] = run.first_psn.value();
  object["last_psn"] = run.last_psn.value();
  add_aeth(run, object);
  add_text(object, "verdict", to_string(run.verdict.kind));
  add_text(object, "cause", to_string(run.verdict.cause));
  add_text(object, "lost", to_string(run.verdict.lost));
  add_number(object, "missing", run.verdict.missing);
  add_number(object, "message", run.verdict.message);
  add_number(object, "related", run.verdict.related);
  add_number(object, "last_related", run.last_related);
  add_number(object, "evidence", run.verdict.evidence);
  add_number(object, "ce_packets", run.ce_packets);
  if (run.bad_icrc) object["bad_icrc"] = true;
  add(object, "address", run.address);
  add(object, "r_key", run.r_key);
  add(object, "immediate", run.immediate);
}

std::string_view type_of(const CmEvent&) { return "cm"; }
std::string_view type_of(const ExchangeEvent&) { return "exchange"; }
std::string_view type_of(const PacketRun&) { return "packets"; }

void add_fact(const truth::DeviceOpened& fact, Json& object) {
  object["event"] = "device_opened";
  object["device"] = fact.device;
}
void add_fact(const truth::Device& fact, Json& object) {
  object["event"] = "device";
  object["device"] = fact.device;
}
void add_fact(const truth::ProtectionDomain& fact, Json& object) {
  object["event"] = "pd";
  object["pd"] = fact.pd;
}
void add_fact(const truth::CompletionQueue& fact, Json& object) {
  object["event"] = "cq";
  object["cq"] = fact.cq;
  object["entries"] = fact.entries;
}
void add_fact(const truth::MemoryRegion& fact, Json& object) {
  object["event"] = "mr";
  object["address"] = fact.address;
  object["length"] = fact.length;
  object["r_key"] = fact.r_key;
}
void add_fact(const truth::RegionDeregistered& fact, Json& object) {
  object["event"] = "mr_deregistered";
  object["address"] = fact.address;
  object["r_key"] = fact.r_key;
}
void add_fact(const truth::QueuePair& fact, Json& object) {
  object["event"] = "qp";
  object["qpn"] = fact.qpn.value();
}
void add_fact(const truth::QueuePairState& fact, Json& object) {
  object["event"] = "qp_state";
  object["qpn"] = fact.qpn.value();
  object["state"] = fact.state;
  if (!fact.via.empty()) object["via"] = fact.via;
}
void add_fact(const truth::QueuePairDestroyed& fact, Json& object) {
  object["event"] = "qp_destroyed";
  object["qpn"] = fact.qpn.value();
}
void add_fact(const truth::CmEvent& fact, Json& object) {
  object["event"] = "cm_event";
  object["cm_event"] = fact.type;
  object["status"] = fact.status;
}
void add_fact(const truth::Completion& fact, Json& object) {
  object["event"] = "completion";
  object["wr_id"] = fact.wr_id;
  object["status"] = fact.status;
  add_text(object, "opcode", to_string(fact.opcode));
}
void add_fact(const truth::AsyncEvent& fact, Json& object) {
  object["event"] = "async_event";
  object["async_event"] = fact.type;
}
void add_fact(const truth::Kill& fact, Json& object) {
  object["event"] = "kill";
  object["signal"] = fact.signal;
}

class LadderJson final : public LadderPrinter {
 public:
  void begin(const Connection& connection, std::int64_t /*start*/, const TruthTimeline* timeline,
             std::string& out) override {
    Json object{{"type", "ladder"},
                {"schema", 1},
                {"connection", connection.number},
                {"transport", to_string(connection.transport)},
                {"paired_by", to_string(connection.paired_by)},
                {"overlay_id", connection.overlay_id}};
    add_number(object, "path_mtu", connection.path_mtu);
    for (std::size_t i = 0; i < 2; ++i) {
      Json side{{"address", to_text(connection.sides[i].address)}};
      add(side, "qpn", connection.sides[i].qpn);
      if (timeline != nullptr) side["truth"] = to_string(timeline->sides[i]);
      object["sides"].push_back(std::move(side));
    }
    write_line(object, out);
  }

  void event(const LadderEvent& event, std::string& out) override {
    std::visit(
        [&](const auto& what) {
          Json object{{"type", type_of(what)}, {"frame", event.frame}};
          if (event.last_frame != event.frame) object["last_frame"] = event.last_frame;
          object["time"] = event.time;
          if (event.last_frame != event.frame) object["last_time"] = event.last_time;
          add(object, "silence", event.silence);
          object["sender"] = event.sender;
          add_fields(what, object);
          write_line(object, out);
        },
        event.what);
  }

  void truth(const TruthEvent& event, std::string& out) override {
    Json object{{"type", "truth"}, {"time", event.time}, {"duration", event.time - event.begin}, {"side", event.side}};
    std::visit([&](const auto& fact) { add_fact(fact, object); }, event.what);
    write_line(object, out);
  }

  void phase(const PhaseSpan& phase, std::string& out) override {
    write_line({{"type", "phase"},
                {"phase", to_string(phase.phase)},
                {"time", phase.begin},
                {"duration", phase.end - phase.begin}},
               out);
  }

  void end(std::string& /*out*/) override {}
};

}  // namespace

std::unique_ptr<LadderPrinter> make_ladder_json() { return std::make_unique<LadderJson>(); }

std::string_view ladder_json_documentation() noexcept {
  return R"(One object a line, in the order of time. Numbers are raw: bytes, packets, times as integer nanoseconds since 1970-01-01 UTC. Members that do not apply are absent. "schema" changes when a member changes its meaning or goes away, not when members are added. "sender" and "side" index the "sides" of the first object.

  type "ladder", first    schema (1), connection, transport, paired_by,
                          overlay_id, path_mtu, and two sides: address, qpn,
                          truth (who it is: client, server)
  type "cm"               a CM message: frame, time, silence (since the
                          ladder's packet before), sender, message (REQ, ...),
                          transaction_id, retry_of (a frame), local_comm_id,
                          remote_comm_id, local_qpn, remote_qpn, starting_psn,
                          transport, path_mtu, service_id, about, reason
  type "exchange"         a message of rdmagen's exchange: frame, time,
                          silence, sender, message (QP_CREATE_REQ, ...),
                          sequence, qpn, starting_psn, path_mtu, address,
                          length, r_key, client_qpn, server_qpn, status
  type "packets"          a run of packets: frame, last_frame, time,
                          last_time, silence, sender, operation, position (of
                          a packet alone), and
    extent                "messages": whole ones of the same size; "part":
                          packets of one message; "packets": with the same
                          verdict
    packets, messages, bytes, first_psn, last_psn
    aeth                  "ack", "rnr_nak" (rnr_timer, ns), "nak" (nak_code)
    verdict, cause, lost, missing, message, related, evidence
                          of the first packet, as the fields
                          rocescope.verdict and so on; last_related
    ce_packets            marked on the way
    bad_icrc, address, r_key, immediate
  type "truth"            with --truth: time (when it had ended), duration,
                          side, event, and members of that event
  type "phase"            with --truth: phase (discovery, queue pair, memory,
                          connection, data, tear-down), time, duration)";
}

}  // namespace rocescope::render
