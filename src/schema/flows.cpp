// Flows: all packets from one address to one queue pair; datagrams by the queue pairs at both ends.
#include "schema/make_column.hpp"
#include "schema/names/protocol_names.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

/// A range without packets has no other values.
template <auto member>
std::optional<Psn> psn_of(const PsnRange& range) {
  return range.packets > 0 ? std::optional(range.*member) : std::nullopt;
}
std::optional<std::uint64_t> span_of(const PsnRange& range) {
  return range.packets > 0 ? std::optional(range.span) : std::nullopt;
}
template <auto range>
bool has_packets_of(const Flow& flow) {
  return (flow.*range).packets > 0;
}

constexpr auto kPsnColumns =
    columns<PsnRange>(number<&PsnRange::packets>("packets", "packets of the stream").packets(),
                      psn<&psn_of<&PsnRange::first>>("first_psn", "of the first packet"),
                      psn<&psn_of<&PsnRange::last>>("last_psn", "of the last packet"),
                      psn<&psn_of<&PsnRange::lowest>>("lowest_psn", "in serial order"),
                      psn<&psn_of<&PsnRange::highest>>("highest_psn", "in serial order"),
                      number<&span_of>("psn_span", "numbers from the lowest to the highest, both included"));

constexpr auto kFlowColumns = columns<Flow>(
    address<&Flow::source>("source", "who sent the packets").titled("source"),
    address<&Flow::destination>("destination", "to whom").titled("destination"),
    qpn<&Flow::dest_qp>("dest_qp", "queue pair to which they go").titled("to QP"),
    number<&Flow::overlay_id>("overlay_id", "VNI, 0 outside tunnels").not_added(),
    text<&Flow::encapsulation>("encapsulation", "of the first packet"),
    list<[](const Flow& row) { return transport_names(row.transports); }>("transports", Type::kText,
                                                                          "transports of its packets")
        .titled("transport"),
    members<&Flow::traffic>(kTraffic).parts<kTraffic>(),
    number<&Flow::payload_bytes>("payload_bytes", "message bytes, without headers and pad")
        .bytes()
        .sum()
        .titled("payload"),
    object<&Flow::requests>("requests", kPsnRange, "PSNs of the requests")
        .csv("requests_")
        .where<&has_packets_of<&Flow::requests>>(),
    object<&Flow::responses>("responses", kPsnRange, "PSNs of READ responses and acknowledgements")
        .csv("responses_")
        .where<&has_packets_of<&Flow::responses>>(),
    number<&Flow::cnp_packets>("cnp_packets", "congestion notifications").packets().sum(),
    time<&Flow::first_time>("first_time", "of its first packet").titled("first"),
    time<&Flow::last_time>("last_time", "of its last packet").titled("last"),
    number<&Flow::icrc_bad_packets>("icrc_bad_packets", "packets whose ICRC is wrong").packets().sum(),
    number<&Flow::source_port>("source_port", "UDP source port of the first packet").unless_zero().not_added(),
    number<&Flow::true_source_port>("true_source_port", "the port that was sent, where the capture rewrote it")
        .not_added(),
    number<&Flow::rewritten_packets>("rewritten_packets", "packets whose source port the capture rewrote")
        .packets()
        .sum());

constexpr auto kUdFlowColumns = columns<UdFlow>(
    address<&UdFlow::source>("source", "who sent the datagrams").titled("source"),
    qpn<&UdFlow::source_qp>("source_qp", "queue pair that sent them, of the DETH").titled("QP"),
    address<&UdFlow::destination>("destination", "to whom").titled("destination"),
    qpn<&UdFlow::dest_qp>("dest_qp", "queue pair to which they go").titled("QP"),
    number<&UdFlow::overlay_id>("overlay_id", "VNI, 0 outside tunnels").not_added(),
    key<&UdFlow::q_key>("q_key", "of the first datagram").titled("Q_Key"),
    number<&UdFlow::traffic, &Traffic::packets>("messages", "datagrams").messages().sum().titled("messages"),
    number<&UdFlow::traffic, &Traffic::bytes>("bytes", "their bytes on the wire").bytes().sum(),
    number<&UdFlow::payload_bytes>("payload_bytes", "without headers and pad").bytes().sum().titled("payload"),
    number<&UdFlow::immediate_messages>("immediate_messages", "with immediate data").messages().sum(),
    number<&UdFlow::icrc_bad_messages>("icrc_bad_messages", "whose ICRC is wrong").messages().sum(),
    time<&UdFlow::first_time>("first_time", "of the first datagram").titled("first"),
    time<&UdFlow::last_time>("last_time", "of the last").titled("last"));

}  // namespace

constinit const Rows<PsnRange> kPsnRange{{"psn_range", "the PSNs of a stream of packets", kPsnColumns}};
constinit const Rows<Flow> kFlow{{"flow", "all packets from one address to one queue pair", kFlowColumns}};
constinit const Rows<UdFlow> kUdFlow{{"ud_flow", "datagrams from one queue pair to another", kUdFlowColumns}};

}  // namespace rocescope::schema
