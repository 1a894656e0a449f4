#include "render/ladder/ladder_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/packets/command_notes.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/headers/exchange.hpp"
#include "schema/column_path.hpp"
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

/// Grows whenever a member changes its meaning or its form, or is removed.
constexpr unsigned kLadderSchema = 2;

struct LadderSide {
  const ConnectionSide& side;
  std::optional<truth::Side> truth;
};

std::vector<LadderSide> sides_of(const LadderStart& start) {
  std::vector<LadderSide> sides;
  for (std::size_t i = 0; i < start.connection.sides.size(); ++i) {
    sides.push_back({start.connection.sides[i],
                     start.timeline == nullptr ? std::nullopt : std::optional(start.timeline->sides[i])});
  }
  return sides;
}

constexpr auto kLadderSideColumns =
    columns<LadderSide>(address<[](const LadderSide& row) { return row.side.address; }>("address", "of the side"),
                        qpn<[](const LadderSide& row) { return row.side.qpn; }>("qpn", "its queue pair"),
                        text<&LadderSide::truth>("truth", "with --truth: client or server"));
constinit const Rows<LadderSide> kLadderSide{{"ladder_side", "a side of the connection", kLadderSideColumns}};

template <auto member>
auto of_connection(const LadderStart& row) {
  return row.connection.*member;
}

constexpr auto kStartColumns = columns<LadderStart>(
    number<[](const LadderStart&) { return kLadderSchema; }>(
        "schema", "changes when a member changes its meaning or goes away, not when members are added"),
    number<&of_connection<&Connection::number>>("connection", "its number"),
    text<&of_connection<&Connection::transport>>("transport", "RC, UC or XRC"),
    text<&of_connection<&Connection::paired_by>>("paired_by", "how its two directions were found, as analyze has it"),
    number<&of_connection<&Connection::overlay_id>>("overlay_id", "VNI, 0 outside tunnels"),
    number<&of_connection<&Connection::path_mtu>>("path_mtu", "from the CM or from packets").bytes().unless_zero(),
    array<&sides_of>("sides", kLadderSide, "two, which sender and side of other lines index"));

/// Of the last packet of several.
template <auto member>
auto of_last(const LadderEvent& event) {
  return event.last_frame == event.frame ? std::nullopt : std::optional(event.*member);
}

constexpr auto kEventColumns = columns<LadderEvent>(
    number<&LadderEvent::frame>("frame", "the number of the packet, or of the first"),
    number<&of_last<&LadderEvent::last_frame>>("last_frame", "that of the last of several packets"),
    time<&LadderEvent::time>("time", "of the first packet"),
    time<&of_last<&LadderEvent::last_time>>("last_time", "of the last of several packets"),
    duration<&LadderEvent::silence>("silence", "since the ladder's packet before"),
    number<&LadderEvent::sender>("sender", "the side that sent it: 0 or 1"));

std::string_view exchange_message_of(const ExchangeEvent& exchange) {
  return name_of(kExchangeTypeNames, static_cast<std::uint64_t>(exchange.type));
}

constexpr auto kExchangeColumns = columns<ExchangeEvent>(
    text<&exchange_message_of>("message", "QP_CREATE_REQ ..."),
    number<&ExchangeEvent::sequence>("sequence", "its number"), qpn<&ExchangeEvent::qpn>("qpn", "of the sender"),
    psn<&ExchangeEvent::starting_psn>("starting_psn", "of the sender"),
    number<&ExchangeEvent::path_mtu>("path_mtu", "of the sender").bytes(),
    id<&ExchangeEvent::address>("address", "of a memory region of the sender"),
    number<&ExchangeEvent::length>("length", "of the region").bytes(),
    key<&ExchangeEvent::r_key>("r_key", "of the region"),
    qpn<&ExchangeEvent::client_qpn>("client_qpn", "of the client"),
    qpn<&ExchangeEvent::server_qpn>("server_qpn", "of the server"),
    number<&ExchangeEvent::status>("status", "of a response; 0: success"));

std::string_view extent_of(const PacketRun& run) {
  constexpr std::string_view kNames[] = {"messages", "part", "packets"};
  return kNames[static_cast<std::size_t>(run.extent)];
}
std::optional<std::string_view> position_of(const PacketRun& run) {
  return run.packets == 1 ? std::optional(to_string(run.opcode->position)) : std::nullopt;
}
std::optional<std::uint64_t> messages_of(const PacketRun& run) {
  return run.extent == PacketRun::Extent::kMessages ? std::optional(run.messages) : std::nullopt;
}
std::optional<std::string> command_of(const PacketRun& run) {
  return run.command ? std::optional(render::command_text(*run.command)) : std::nullopt;
}
/// The numbers of the commands that it begins, or ends.
template <bool responses>
std::vector<std::uint64_t> ends_of(const PacketRun& run) {
  std::vector<std::uint64_t> numbers;
  for (const CommandEnd& end : run.ends) {
    if (end.is_response == responses) numbers.push_back(end.span->command.number);
  }
  return numbers;
}
template <bool responses>
bool has_ends(const PacketRun& run) {
  return !ends_of<responses>(run).empty();
}
std::string_view aeth_of(const PacketRun& run) {
  constexpr std::string_view kNames[] = {"ack", "rnr_nak", "", "nak"};
  return run.aeth ? kNames[static_cast<std::size_t>(*run.aeth)] : std::string_view();
}
std::optional<std::int64_t> rnr_timer_of(const PacketRun& run) {
  return run.aeth == AethKind::kRnrNak ? std::optional(rnr_timer_ns(run.aeth_value)) : std::nullopt;
}
std::optional<std::uint64_t> nak_code_of(const PacketRun& run) {
  return run.aeth == AethKind::kNak ? std::optional<std::uint64_t>(run.aeth_value) : std::nullopt;
}
std::optional<bool> bad_icrc_of(const PacketRun& run) { return run.bad_icrc ? std::optional(true) : std::nullopt; }

constexpr auto kRunColumns = columns<PacketRun>(
    text<[](const PacketRun& run) { return to_string(run.opcode->operation); }>("operation", "SEND, RDMA WRITE ..."),
    text<&position_of>("position", "of a packet alone: First, Middle, Last or Only"),
    text<&extent_of>("extent",
                     "messages: whole ones of the same size; part: packets of one message; packets: with the same "
                     "verdict"),
    number<&PacketRun::packets>("packets", "how many").packets(),
    number<&messages_of>("messages", "how many, of whole ones").messages(),
    number<&PacketRun::bytes>("bytes", "of payload; of READ and FLUSH those that they name").bytes(),
    text<&command_of>("command", "what the message says, in words"),
    list<&ends_of<false>>("requests", Type::kNumber, "numbers of the commands that it asks").where<&has_ends<false>>(),
    list<&ends_of<true>>("responses", Type::kNumber, "numbers of the commands that it answers")
        .where<&has_ends<true>>(),
    psn<&PacketRun::first_psn>("first_psn", "of the first packet"),
    psn<&PacketRun::last_psn>("last_psn", "of the last"), text<&aeth_of>("aeth", "ack, rnr_nak or nak").unless_empty(),
    duration<&rnr_timer_of>("rnr_timer", "of an rnr_nak: how long the requester is to wait"),
    number<&nak_code_of>("nak_code", "of a nak"),
    text<&PacketRun::verdict, &Verdict::kind>(
        "verdict", "in_order, gap, retransmission, response ...; of the first packet, as all down to evidence")
        .unless_empty(),
    text<&PacketRun::verdict, &Verdict::cause>("cause", "of a retransmission: nak, rnr, timeout ...").unless_empty(),
    text<&PacketRun::verdict, &Verdict::lost>("lost",
                                              "before or after the capture point, or corrupt: of a retransmission the "
                                              "copy before it, of a NAK the packet that it asks for")
        .unless_empty(),
    number<&PacketRun::verdict, &Verdict::missing>("missing", "PSNs that were not seen before it").unless_zero(),
    number<&PacketRun::verdict, &Verdict::message>("message", "the number of the message that it is of, or answers")
        .unless_zero(),
    number<&PacketRun::verdict, &Verdict::related>("related",
                                                   "the number of a packet: of a retransmission or a NAK the original, "
                                                   "of a response the first packet of the request")
        .unless_zero(),
    number<&PacketRun::last_related>("last_related", "the same of the last packet").unless_zero(),
    number<&PacketRun::verdict, &Verdict::evidence>("evidence", "the number of the NAK that asked for a retransmission")
        .unless_zero(),
    number<&PacketRun::ce_packets>("ce_packets", "marked on the way").packets().unless_zero(),
    boolean<&bad_icrc_of>("bad_icrc", "true where the ICRC of all of them is wrong"),
    id<&PacketRun::address>("address", "virtual address, of the first packet that has one"),
    key<&PacketRun::r_key>("r_key", "R_Key, of the same"),
    number<&PacketRun::immediate>("immediate", "immediate data, of the first packet that has some"));

/// A CM message as a report has it, without what lines of a ladder say otherwise, or leave out.
std::vector<Column> cm_columns() {
  std::vector<Column> columns;
  for (const std::string_view name :
       {"message", "transaction_id", "retry_of", "local_comm_id", "remote_comm_id", "local_qpn", "remote_qpn",
        "starting_psn", "transport", "path_mtu", "service_id", "about", "reason"}) {
    columns.push_back(ColumnPath(kCmMessage, name).column());
  }
  return columns;
}

constexpr auto kTruthColumns = columns<TruthEvent>(
    time<&TruthEvent::time>("time", "its end, by the clock of the side"),
    duration<[](const TruthEvent& event) { return elapsed(event.begin, event.time); }>("duration", "how long it took"),
    number<&TruthEvent::side>("side", "that recorded it: 0 or 1"));

constexpr auto kOpenedColumns = columns<truth::DeviceOpened>(text<&truth::DeviceOpened::device>("device", "its name"));
constexpr auto kQueriedColumns = columns<truth::Device>(text<&truth::Device::device>("device", "its name"));
constexpr auto kDomainColumns =
    columns<truth::ProtectionDomain>(number<&truth::ProtectionDomain::pd>("pd", "its number"));
constexpr auto kQueueColumns =
    columns<truth::CompletionQueue>(number<&truth::CompletionQueue::cq>("cq", "its number"),
                                    number<&truth::CompletionQueue::entries>("entries", "that it has room for"));
constexpr auto kRegisteredColumns =
    columns<truth::MemoryRegion>(id<&truth::MemoryRegion::address>("address", "virtual address"),
                                 number<&truth::MemoryRegion::length>("length", "of the region").bytes(),
                                 key<&truth::MemoryRegion::r_key>("r_key", "R_Key"));
constexpr auto kDeregisteredColumns =
    columns<truth::RegionDeregistered>(id<&truth::RegionDeregistered::address>("address", "virtual address"),
                                       key<&truth::RegionDeregistered::r_key>("r_key", "R_Key"));
constexpr auto kPairColumns = columns<truth::QueuePair>(qpn<&truth::QueuePair::qpn>("qpn", "its number"));
constexpr auto kPairStateColumns = columns<truth::QueuePairState>(
    qpn<&truth::QueuePairState::qpn>("qpn", "its number"),
    text<&truth::QueuePairState::state>("state", "INIT, RTR, RTS, ERR"),
    list<&truth::QueuePairState::via>("via", Type::kText, "states passed through on the way")
        .where<[](const truth::QueuePairState& row) { return !row.via.empty(); }>());
constexpr auto kDestroyedColumns =
    columns<truth::QueuePairDestroyed>(qpn<&truth::QueuePairDestroyed::qpn>("qpn", "its number"));
constexpr auto kCmEventColumns =
    columns<truth::CmEvent>(text<&truth::CmEvent::type>("cm_event", "ADDR_RESOLVED, ESTABLISHED ..."),
                            number<&truth::CmEvent::status>("status", "the reason of a REJ"));
constexpr auto kCompletionColumns =
    columns<truth::Completion>(id<&truth::Completion::wr_id>("wr_id", "of the work request"),
                               text<&truth::Completion::status>("status", "SUCCESS, REM_ACCESS_ERR ..."),
                               text<&truth::Completion::opcode>("opcode", "SEND, RDMA_READ ...").unless_empty());
constexpr auto kAsyncColumns =
    columns<truth::AsyncEvent>(text<&truth::AsyncEvent::type>("async_event", "what the device reported"));
constexpr auto kKillColumns = columns<truth::Kill>(text<&truth::Kill::signal>("signal", "its name"));

constexpr auto kPhaseColumns = columns<PhaseSpan>(
    text<&PhaseSpan::phase>("phase", "discovery, queue pair, memory, connection, data, tear-down"),
    time<&PhaseSpan::begin>("time", "its begin"),
    duration<[](const PhaseSpan& span) { return span.end - span.begin; }>("duration", "how long it took"));

}  // namespace

constinit const Rows<LadderStart> kLadderStart{{"ladder", "the first line", kStartColumns}};
constinit const Rows<LadderEvent> kLadderEvent{
    {"event", "what lines of cm, exchange and packets begin with", kEventColumns}};
constinit const Rows<TruthEvent> kTruthEvent{
    {"truth", "what lines of truth begin with; its event and the members of that follow", kTruthColumns}};
constinit const Rows<PhaseSpan> kPhase{{"phase", "a span of time in one phase, before its events", kPhaseColumns}};

const EventRows& event_rows() {
  static const std::vector<Column> kCmColumns = cm_columns();
  static const EventRows kRows{{{"cm", "a CM message", kCmColumns}},
                               {{"exchange", "a message of rdmagen's exchange", kExchangeColumns}},
                               {{"packets", "a run of packets", kRunColumns}}};
  return kRows;
}

constinit const FactRows kFactRows{{{"device_opened", "a device was opened", kOpenedColumns}},
                                   {{"device", "a device was queried", kQueriedColumns}},
                                   {{"pd", "a protection domain was made", kDomainColumns}},
                                   {{"cq", "a completion queue was made", kQueueColumns}},
                                   {{"mr", "a memory region was registered", kRegisteredColumns}},
                                   {{"mr_deregistered", "a memory region was deregistered", kDeregisteredColumns}},
                                   {{"qp", "a queue pair was made", kPairColumns}},
                                   {{"qp_state", "a queue pair went to a state", kPairStateColumns}},
                                   {{"qp_destroyed", "a queue pair was destroyed", kDestroyedColumns}},
                                   {{"cm_event", "an event of librdmacm", kCmEventColumns}},
                                   {{"completion", "a work request was completed", kCompletionColumns}},
                                   {{"async_event", "an asynchronous event of the device", kAsyncColumns}},
                                   {{"kill", "the side kills itself", kKillColumns}}};

}  // namespace rocescope::schema
