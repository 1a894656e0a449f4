// Handshakes: who connected to whom and how, and the messages of the communication manager.
#include "schema/make_column.hpp"
#include "schema/names/cm_names.hpp"
#include "schema/names/handshake_names.hpp"
#include "schema/names/service_text.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

using Proof = decltype(AnnouncedRegion::proof)::value_type;

constexpr auto kProofColumns =
    columns<Proof>(number<&Proof::offset>("offset", "where the address stands in the private data").bytes(),
                   text<[](const Proof& row) { return std::string_view(row.big_endian ? "big" : "little"); }>(
                       "byte_order", "big or little"),
                   number<&Proof::packet>("proved_by", "the number of the packet with the RETH that proves it"));
constinit const Rows<Proof> kProof{{"proof", "a RETH proves what private data mean", kProofColumns}};

constexpr auto kRegionColumns = columns<AnnouncedRegion>(
    id<&AnnouncedRegion::address>("address", "virtual address"), key<&AnnouncedRegion::r_key>("r_key", "R_Key"),
    number<&AnnouncedRegion::length>("length", "where the message has it").bytes().unless_zero(),
    number<&AnnouncedRegion::packet>("packet", "the number of the packet that announced it"),
    members<&AnnouncedRegion::proof>(kProof));

constexpr auto kHandshakeSideColumns = columns<HandshakeSide>(
    address<&HandshakeSide::address>("address", "of the side"),
    number<&HandshakeSide::comm_id>("comm_id", "communication ID; SIDR: request ID"),
    qpn<&HandshakeSide::qpn>("qpn", "its queue pair"),
    psn<&HandshakeSide::first_psn>("first_psn", "of its requests").titled("first PSN"),
    number<&HandshakeSide::responder_resources>("responder_resources", "READs and atomics that it can answer at once")
        .titled("resources"),
    number<&HandshakeSide::initiator_depth>("initiator_depth", "READs and atomics that it may have outstanding")
        .titled("depth"),
    number<&HandshakeSide::rnr_retry_count>("rnr_retry_count", "7: without end").titled("RNR retries"),
    boolean<&HandshakeSide::flow_control>("flow_control", "end-to-end credits").titled("credits"),
    object<&HandshakeSide::region>("region", kAnnouncedRegion, "what the other side may use").csv("region_"),
    hex<&HandshakeSide::private_data>("private_data", "of the application, without zeros at the end"));

template <auto member>
auto if_repeated(const HandshakeStep& row) {
  return row.count > 1 ? std::optional(row.*member) : std::nullopt;
}

constexpr auto kStepColumns = columns<HandshakeStep>(
    text<&HandshakeStep::message>("message", "REQ, REP, RTU ..."),
    number<&HandshakeStep::sender>("sender", "0: the active side, 1: the passive side"),
    number<&HandshakeStep::count>("count", "how often it was sent"),
    number<&HandshakeStep::packet>("packet", "the number of the first"),
    time<&HandshakeStep::time>("time", "of the first"),
    number<&if_repeated<&HandshakeStep::last_packet>>("last_packet", "the number of the last, where it was repeated"),
    time<&if_repeated<&HandshakeStep::last_time>>("last_time", "of the last"));

// What names a rejection is known to the handshake alone.
std::optional<std::string_view> about(const Handshake& row) {
  const std::string_view about = reject_about(row);
  return about.empty() ? std::nullopt : std::optional(about);
}
bool is_rejected(const Handshake& row) { return row.reject.has_value(); }
const HandshakeReject& reject_of(const Handshake& row) { return *row.reject; }

constexpr auto kRejectColumns =
    columns<Handshake>(number<[](const Handshake& row) { return reject_of(row).sender; }>(
                           "sender", "0: the active side, 1: the passive side"),
                       text<&about>("about", "the message that was refused"),
                       number<[](const Handshake& row) { return reject_of(row).reason; }>(
                           "reason", "REJ: its reason; SIDR_REP: its status"),
                       text<&reject_reason>("reason_name", "in words"),
                       number<[](const Handshake& row) { return reject_of(row).packet; }>("packet", "its number"),
                       time<[](const Handshake& row) { return reject_of(row).time; }>("time", "of the packet"));
constinit const Rows<Handshake> kReject{{"reject", "a refusal", kRejectColumns}};

constexpr auto kIpColumns =
    columns<CmEvent::IpAddresses>(address<&CmEvent::IpAddresses::source>("ip_source", "RDMA IP CM: of the active side"),
                                  number<&CmEvent::IpAddresses::source_port>("ip_source_port", "its port"),
                                  address<&CmEvent::IpAddresses::destination>("ip_destination", "of the passive side"),
                                  number<&CmEvent::IpAddresses::destination_port>("ip_destination_port", "its port"));
constinit const Rows<CmEvent::IpAddresses> kIpAddresses{
    {"ip_addresses", "addresses of the RDMA IP CM service", kIpColumns}};

template <auto member>
std::optional<std::int64_t> time_between(const Handshake& row) {
  return times_of(row).*member;
}

std::optional<std::string> service(const Handshake& row) {
  return row.service_id ? std::optional(service_text(*row.service_id)) : std::nullopt;
}
std::optional<std::int64_t> first_data_time(const Handshake& row) {
  return row.first_data_packet != 0 ? std::optional(row.first_data_time) : std::nullopt;
}

constexpr auto kHandshakeColumns = columns<Handshake>(
    number<&Handshake::number>("number", "from 1, in the order of the capture").titled("no."),
    text<&Handshake::kind>("kind", "cm, sidr, exchange, oob: over TCP").titled("by"),
    text<&Handshake::outcome>(
        "outcome",
        "established, rejected, timed_out: nobody answered, aborted: by the active side, incomplete, unknown: its beginning was not seen"),
    text<&Handshake::transport>("transport", "where the messages have it"),
    number<&Handshake::overlay_id>("overlay_id", "VNI, 0 outside tunnels"),
    number<&Handshake::capture_point>("capture_point", "where it was seen: a number of capture_points"),
    number<&Handshake::connection>("connection", "the number of the connection that it set up")
        .unless_zero()
        .titled("connection"),
    id<&Handshake::service_id>("service_id", "of the REQ"), text<&service>("service", "in words").titled("service"),
    members<&Handshake::ip>(kIpAddresses),
    number<&Handshake::path_mtu>("path_mtu", "where a message has it").bytes().unless_zero(),
    number<&Handshake::p_key>("p_key", "P_Key"), number<&Handshake::retry_count>("retry_count", "of both sides"),
    duration<&Handshake::ack_timeout>("ack_timeout", "local ACK timeout; 0: without end"),
    number<&Handshake::max_cm_retries>("max_cm_retries", "of the active side"),
    duration<&time_between<&HandshakeTimes::req_to_rep>>("req_to_rep", "between the first of each message")
        .titled("REQ-REP"),
    duration<&time_between<&HandshakeTimes::rep_to_rtu>>("rep_to_rtu", "the same").titled("REP-RTU"),
    duration<&time_between<&HandshakeTimes::rtu_to_data>>("rtu_to_data", "negative where data came first")
        .titled("RTU-data"),
    duration<&time_between<&HandshakeTimes::dreq_to_drep>>("dreq_to_drep", "as req_to_rep").titled("DREQ-DREP"),
    number<&Handshake::first_data_packet>("first_data_packet", "the first of the connection").unless_zero(),
    time<&first_data_time>("first_data_time", "its time"),
    object<[](const Handshake& row) { return &row; }>("reject", kReject, "a refusal")
        .where<&is_rejected>()
        .csv("reject_"),
    array<&Handshake::sides>("sides", kHandshakeSide, "two, the active side first").csv("side"),
    array<&Handshake::steps>("messages", kHandshakeStep, "each message once, with its repetitions"));

std::optional<std::string_view> cm_transport_of(const CmEvent& row) {
  return row.transport ? std::optional(cm_transport(row)) : std::nullopt;
}
std::optional<std::string> cm_service_of(const CmEvent& row) {
  return row.service_id ? std::optional(cm_service(row)) : std::nullopt;
}
std::optional<std::string_view> cm_about_of(const CmEvent& row) {
  return row.about ? std::optional(cm_about(row)) : std::nullopt;
}
std::optional<std::string> cm_reason_of(const CmEvent& row) {
  return row.reason ? std::optional(cm_reason(row)) : std::nullopt;
}
std::optional<std::string> cm_status_of(const CmEvent& row) {
  return row.status ? std::optional(cm_status(row)) : std::nullopt;
}

constexpr auto kCmColumns = columns<CmEvent>(
    time<&CmEvent::time>("time", "of the packet").titled("time"),
    number<&CmEvent::packet>("packet", "its number").titled("packet"),
    address<&CmEvent::source>("source", "who sent it").titled("source"),
    address<&CmEvent::destination>("destination", "to whom").titled("destination"),
    text<[](const CmEvent& row) { return cm_message_name(row.message); }>("message", "REQ, REP, RTU ...")
        .titled("message"),
    id<&CmEvent::transaction_id>("transaction_id", "of the MAD"),
    number<&CmEvent::retry_of>("retry_of", "the number of the packet that this one repeats"),
    number<&CmEvent::local_comm_id>("local_comm_id", "chosen by the sender"),
    number<&CmEvent::remote_comm_id>("remote_comm_id", "chosen by the receiver"),
    number<&CmEvent::request_id>("request_id", "of SIDR messages"),
    qpn<&CmEvent::local_qpn>("local_qpn", "queue pair of the sender"),
    qpn<&CmEvent::remote_qpn>("remote_qpn", "queue pair of the receiver"),
    psn<&CmEvent::starting_psn>("starting_psn", "the first that the sender will receive").titled("PSN"),
    text<&cm_transport_of>("transport", "of a REQ"),
    number<&CmEvent::path_mtu>("path_mtu", "0: its code is reserved").bytes(),
    number<&CmEvent::responder_resources>("responder_resources",
                                          "READs and atomics that the sender can answer at once"),
    number<&CmEvent::initiator_depth>("initiator_depth", "READs and atomics that the sender may have outstanding"),
    id<&CmEvent::service_id>("service_id", "of the service asked for"), text<&cm_service_of>("service", "in words"),
    members<&CmEvent::ip>(kIpAddresses), text<&cm_about_of>("about", "REJ, MRA: the message"),
    number<&CmEvent::reason>("reason", "of a REJ"), text<&cm_reason_of>("reason_name", "in words"),
    number<&CmEvent::status>("status", "of a SIDR_REP or APR"), text<&cm_status_of>("status_name", "in words"),
    hex<&CmEvent::private_data>("private_data", "of the application"));

}  // namespace

constinit const Rows<AnnouncedRegion> kAnnouncedRegion{
    {"announced_region", "memory that the other side may use", kRegionColumns}};
constinit const Rows<HandshakeSide> kHandshakeSide{{"handshake_side", "what one side offered", kHandshakeSideColumns}};
constinit const Rows<HandshakeStep> kHandshakeStep{
    {"handshake_message", "a message and its repetitions", kStepColumns}};
constinit const Rows<Handshake> kHandshake{{"handshake", "an attempt to connect two queue pairs", kHandshakeColumns}};
constinit const Rows<CmEvent> kCmMessage{{"cm_message", "a message of the communication manager", kCmColumns}};

}  // namespace rocescope::schema
