// The ladder as NDJSON.
#include <algorithm>
#include <concepts>
#include <span>
#include <vector>

#include "render/json_writer.hpp"
#include "render/ladder/ladder_printer.hpp"
#include "render/packets/command_notes.hpp"
#include "render/report/row_json.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "schema/names/cm_names.hpp"
#include "schema/tables.hpp"

namespace rocescope::render {
namespace {

/// Grows whenever a member changes its meaning or its form, or is removed.
constexpr int kLadderSchema = 2;

void write_qpn(std::string_view key, const std::optional<Qpn>& qpn, JsonWriter& json) {
  if (qpn) json.number(key, qpn->value());
}
void write_psn(std::string_view key, const std::optional<Psn>& psn, JsonWriter& json) {
  if (psn) json.number(key, psn->value());
}
void write_text(std::string_view key, std::string_view text, JsonWriter& json) {
  if (!text.empty()) json.string(key, text);
}
template <std::integral Number>
void write_number(std::string_view key, Number number, JsonWriter& json) {
  if (number != 0) json.number(key, number);
}

void write_fields(const CmEvent& cm, JsonWriter& json) {
  json.string("message", schema::cm_message_name(cm.message));
  json.hex_id("transaction_id", cm.transaction_id);
  json.number("retry_of", cm.retry_of);
  json.number("local_comm_id", cm.local_comm_id);
  json.number("remote_comm_id", cm.remote_comm_id);
  write_qpn("local_qpn", cm.local_qpn, json);
  write_qpn("remote_qpn", cm.remote_qpn, json);
  write_psn("starting_psn", cm.starting_psn, json);
  write_text("transport", schema::cm_transport(cm), json);
  json.number("path_mtu", cm.path_mtu);
  json.hex_id("service_id", cm.service_id);
  write_text("about", schema::cm_about(cm), json);
  json.number("reason", cm.reason);
}

void write_fields(const ExchangeEvent& exchange, JsonWriter& json) {
  json.string("message", name_of(kExchangeTypeNames, static_cast<std::uint64_t>(exchange.type)));
  json.number("sequence", exchange.sequence);
  write_qpn("qpn", exchange.qpn, json);
  write_psn("starting_psn", exchange.starting_psn, json);
  json.number("path_mtu", exchange.path_mtu);
  json.hex_id("address", exchange.address);
  json.number("length", exchange.length);
  json.number("r_key", exchange.r_key);
  write_qpn("client_qpn", exchange.client_qpn, json);
  write_qpn("server_qpn", exchange.server_qpn, json);
  json.number("status", exchange.status);
}

void write_aeth(const PacketRun& run, JsonWriter& json) {
  if (!run.aeth) return;
  if (*run.aeth == AethKind::kAck) json.string("aeth", "ack");
  if (*run.aeth == AethKind::kRnrNak) {
    json.string("aeth", "rnr_nak");
    json.number("rnr_timer", rnr_timer_ns(run.aeth_value));
  }
  if (*run.aeth == AethKind::kNak) {
    json.string("aeth", "nak");
    json.number("nak_code", run.aeth_value);
  }
}

/// The numbers of the commands that it begins, or ends.
void write_ends(std::string_view key, bool responses, const PacketRun& run, JsonWriter& json) {
  if (std::ranges::none_of(run.ends, [&](const CommandEnd& end) { return end.is_response == responses; })) return;
  json.open_array(key);
  for (const CommandEnd& end : run.ends) {
    if (end.is_response == responses) json.number({}, end.span->command.number);
  }
  json.close_array();
}

void write_fields(const PacketRun& run, JsonWriter& json) {
  constexpr std::string_view kExtents[] = {"messages", "part", "packets"};
  json.string("operation", to_string(run.opcode->operation));
  if (run.packets == 1) json.string("position", to_string(run.opcode->position));
  json.string("extent", kExtents[static_cast<std::size_t>(run.extent)]);
  json.number("packets", run.packets);
  if (run.extent == PacketRun::Extent::kMessages) json.number("messages", run.messages);
  json.number("bytes", run.bytes);
  if (run.command) json.string("command", command_text(*run.command));
  write_ends("requests", false, run, json);
  write_ends("responses", true, run, json);
  json.number("first_psn", run.first_psn.value());
  json.number("last_psn", run.last_psn.value());
  write_aeth(run, json);
  write_text("verdict", to_string(run.verdict.kind), json);
  write_text("cause", to_string(run.verdict.cause), json);
  write_text("lost", to_string(run.verdict.lost), json);
  write_number("missing", run.verdict.missing, json);
  write_number("message", run.verdict.message, json);
  write_number("related", run.verdict.related, json);
  write_number("last_related", run.last_related, json);
  write_number("evidence", run.verdict.evidence, json);
  write_number("ce_packets", run.ce_packets, json);
  if (run.bad_icrc) json.boolean("bad_icrc", true);
  json.hex_id("address", run.address);
  json.number("r_key", run.r_key);
  json.number("immediate", run.immediate);
}

std::string_view type_of(const CmEvent&) { return "cm"; }
std::string_view type_of(const ExchangeEvent&) { return "exchange"; }
std::string_view type_of(const PacketRun&) { return "packets"; }

void write_fact(const truth::DeviceOpened& fact, JsonWriter& json) {
  json.string("event", "device_opened");
  json.string("device", fact.device);
}
void write_fact(const truth::Device& fact, JsonWriter& json) {
  json.string("event", "device");
  json.string("device", fact.device);
}
void write_fact(const truth::ProtectionDomain& fact, JsonWriter& json) {
  json.string("event", "pd");
  json.number("pd", fact.pd);
}
void write_fact(const truth::CompletionQueue& fact, JsonWriter& json) {
  json.string("event", "cq");
  json.number("cq", fact.cq);
  json.number("entries", fact.entries);
}
void write_fact(const truth::MemoryRegion& fact, JsonWriter& json) {
  json.string("event", "mr");
  json.hex_id("address", fact.address);
  json.number("length", fact.length);
  json.number("r_key", fact.r_key);
}
void write_fact(const truth::RegionDeregistered& fact, JsonWriter& json) {
  json.string("event", "mr_deregistered");
  json.hex_id("address", fact.address);
  json.number("r_key", fact.r_key);
}
void write_fact(const truth::QueuePair& fact, JsonWriter& json) {
  json.string("event", "qp");
  json.number("qpn", fact.qpn.value());
}
void write_fact(const truth::QueuePairState& fact, JsonWriter& json) {
  json.string("event", "qp_state");
  json.number("qpn", fact.qpn.value());
  json.string("state", fact.state);
  if (fact.via.empty()) return;
  json.open_array("via");
  for (const std::string& state : fact.via) json.string(state);
  json.close_array();
}
void write_fact(const truth::QueuePairDestroyed& fact, JsonWriter& json) {
  json.string("event", "qp_destroyed");
  json.number("qpn", fact.qpn.value());
}
void write_fact(const truth::CmEvent& fact, JsonWriter& json) {
  json.string("event", "cm_event");
  json.string("cm_event", fact.type);
  json.number("status", fact.status);
}
void write_fact(const truth::Completion& fact, JsonWriter& json) {
  json.string("event", "completion");
  json.hex_id("wr_id", fact.wr_id);
  json.string("status", fact.status);
  write_text("opcode", to_string(fact.opcode), json);
}
void write_fact(const truth::AsyncEvent& fact, JsonWriter& json) {
  json.string("event", "async_event");
  json.string("async_event", fact.type);
}
void write_fact(const truth::Kill& fact, JsonWriter& json) {
  json.string("event", "kill");
  json.string("signal", fact.signal);
}

/// Writes one object, whose members after the type `write` writes.
template <class Write>
void write_line(std::string_view type, std::string& out, Write write) {
  JsonWriter json(out, JsonSpace::kCompact);
  json.open_object();
  json.string("type", type);
  write(json);
  json.close_object();
  out += '\n';
}

void write_side(const ConnectionSide& side, const truth::Side* truth, JsonWriter& json) {
  json.open_object();
  json.string("address", to_text(side.address));
  write_qpn("qpn", side.qpn, json);
  if (truth != nullptr) json.string("truth", to_string(*truth));
  json.close_object();
}

class LadderJson final : public LadderPrinter {
 public:
  explicit LadderJson(std::span<const CommandSpan> commands)
      : commands_(commands), cursor_(commands), is_written_(commands.size()) {}

  void begin(const Connection& connection, std::int64_t /*start*/, const TruthTimeline* timeline,
             std::string& out) override {
    write_line("ladder", out, [&](JsonWriter& json) {
      json.number("schema", kLadderSchema);
      json.number("connection", connection.number);
      json.string("transport", to_string(connection.transport));
      json.string("paired_by", to_string(connection.paired_by));
      json.number("overlay_id", connection.overlay_id);
      write_number("path_mtu", connection.path_mtu, json);
      json.open_array("sides");
      for (std::size_t i = 0; i < connection.sides.size(); ++i) {
        write_side(connection.sides[i], timeline == nullptr ? nullptr : &timeline->sides[i], json);
      }
      json.close_array();
    });
  }

  void event(const LadderEvent& event, std::string& out) override {
    cursor_.reach(event.frame, [&](const CommandSpan& span) { command(span, out); });
    if (const auto* run = std::get_if<PacketRun>(&event.what)) {
      for (const CommandEnd& end : run->ends) command(*end.span, out);
    }
    std::visit(
        [&](const auto& what) {
          write_line(type_of(what), out, [&](JsonWriter& json) {
            const bool several = event.last_frame != event.frame;
            json.number("frame", event.frame);
            if (several) json.number("last_frame", event.last_frame);
            json.number("time", event.time);
            if (several) json.number("last_time", event.last_time);
            json.number("silence", event.silence);
            json.number("sender", event.sender);
            write_fields(what, json);
          });
        },
        event.what);
  }

  void truth(const TruthEvent& event, std::string& out) override {
    write_line("truth", out, [&](JsonWriter& json) {
      json.number("time", event.time);
      json.number("duration", elapsed(event.begin, event.time));
      json.number("side", event.side);
      std::visit([&](const auto& fact) { write_fact(fact, json); }, event.what);
    });
  }

  void phase(const PhaseSpan& phase, std::string& out) override {
    write_line("phase", out, [&](JsonWriter& json) {
      json.string("phase", to_string(phase.phase));
      json.number("time", phase.begin);
      json.number("duration", phase.end - phase.begin);
    });
  }

  void end(std::string& /*out*/) override {}

 private:
  /// Once, before the first line beside which it is outstanding.
  void command(const CommandSpan& span, std::string& out) {
    auto is_written = is_written_.begin() + (&span - commands_.data());
    if (*is_written) return;
    *is_written = true;
    write_line("command", out, [&](JsonWriter& json) { write_members(schema::kCommand, span.command, json); });
  }

  std::span<const CommandSpan> commands_;
  SpanCursor cursor_;
  std::vector<bool> is_written_;  // of commands_
};

}  // namespace

std::unique_ptr<LadderPrinter> make_ladder_json(const CommandSpans* commands) {
  return std::make_unique<LadderJson>(commands == nullptr ? std::span<const CommandSpan>() : commands->all());
}

std::string_view ladder_json_documentation() noexcept {
  return R"(
One object a line, in the order of time. Numbers are raw: bytes, packets, times as integer nanoseconds since
1970-01-01 UTC. IDs and addresses of 64 bits are strings, "0x" and 16 digits. Members that do not apply are absent.
"schema" changes when a member changes its meaning or goes away, not when members are added. "sender" and "side" index
the "sides" of the first object.

  type "ladder", first    schema (2), connection, transport, paired_by,
                          overlay_id, path_mtu, and two sides: address, qpn,
                          truth (client, server)
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
    command               what the message says, in words
    requests, responses   numbers of the commands that it asks, or answers
    aeth                  "ack", "rnr_nak" (rnr_timer, ns), "nak" (nak_code)
    verdict, cause, lost, missing, message, related, evidence
                          of the first packet, as the fields
                          rocescope.verdict and so on; last_related
    ce_packets            marked on the way
    bad_icrc, address, r_key, immediate
  type "command"          a command of a protocol above RoCE, before the
                          first line beside which it is outstanding: the
                          members of a row of commands.csv, see
                          rocescope-analyze(1)
  type "truth"            with --truth: time (its end), duration,
                          side, event, and the members of that event
  type "phase"            with --truth: phase (discovery, queue pair, memory,
                          connection, data, tear-down), time, duration)";
}

}  // namespace rocescope::render
