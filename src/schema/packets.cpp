// Packets, each with what those before it show about it: the rows that `export --packets` writes.
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

const Packet& packet_of(const PacketRecord& record) { return *record.packet; }

/// What is known of a RoCE packet.
template <auto member>
auto of_roce(const PacketRecord& record) {
  const Packet& packet = packet_of(record);
  return packet.is_roce() ? std::optional(packet.roce.*member) : std::nullopt;
}
/// What a header says that the packet may have.
template <class Header, auto get>
auto of_header(const PacketRecord& record) {
  const std::optional<Header> header = packet_of(record).header<Header>();
  return header ? std::optional((*header.*get)()) : std::nullopt;
}
/// The memory that a request names.
std::optional<std::uint64_t> address_of(const PacketRecord& record) {
  const auto atomic = packet_of(record).header<AtomicEth>();
  return atomic ? std::optional(atomic->virtual_address()) : of_header<Reth, &Reth::virtual_address>(record);
}
std::optional<std::uint32_t> r_key_of(const PacketRecord& record) {
  const auto atomic = packet_of(record).header<AtomicEth>();
  return atomic ? std::optional(atomic->r_key()) : of_header<Reth, &Reth::r_key>(record);
}
template <auto member>
decltype(auto) of_verdict(const PacketRecord& record) {
  return (record.verdict.*member);
}

constexpr auto kPacketColumns = columns<PacketRecord>(
    number<[](const PacketRecord& row) { return packet_of(row).frame.number; }>("number", "of the frame, from 1"),
    time<[](const PacketRecord& row) { return packet_of(row).frame.timestamp; }>("time", "when it was captured"),
    number<[](const PacketRecord& row) { return packet_of(row).frame.capture_point; }>(
        "capture_point", "where it was seen: a number of capture_points"),
    number<&of_verdict<&Verdict::connection>>("connection", "its number").unless_zero(),
    number<&of_verdict<&Verdict::message>>("message", "the number of the message that it is of, or answers")
        .unless_zero(),
    address<[](const PacketRecord& row) { return packet_of(row).source; }>("source", "who sent it"),
    address<[](const PacketRecord& row) { return packet_of(row).destination; }>("destination", "to whom"),
    qpn<&of_roce<&RocePacket::dest_qp>>("dest_qp", "the queue pair that it goes to"),
    number<&of_roce<&RocePacket::udp_source_port>>("udp_source_port", "over RoCEv2").unless_zero(),
    number<[](const PacketRecord& row) { return packet_of(row).overlay_id; }>("overlay_id", "innermost VNI")
        .unless_zero(),
    number<[](const PacketRecord& row) { return packet_of(row).traffic_class; }>("traffic_class",
                                                                                 "with ECN in its two lowest bits"),
    text<[](const PacketRecord& row) {
      return packet_of(row).is_roce() ? packet_of(row).roce.opcode->name() : std::string_view();
    }>("opcode", "RC SEND Only, RC Acknowledge ...; empty: it is no RoCE packet"),
    boolean<[](const PacketRecord& row) { return packet_of(row).is_roce() && packet_of(row).roce.opcode->request; }>(
        "is_request", "it is of the requests of who sent it"),
    psn<&of_roce<&RocePacket::psn>>("psn", "its packet sequence number"),
    boolean<&of_header<Bth, &Bth::ack_request>>("ack_request", "it asks for an acknowledgement"),
    boolean<&of_header<Bth, &Bth::solicited_event>>("solicited_event", "it asks for an event"),
    boolean<&of_header<Bth, &Bth::fecn>>("fecn", "forward congestion notification of the BTH"),
    boolean<&of_header<Bth, &Bth::becn>>("becn", "backward congestion notification of the BTH"),
    number<[](const PacketRecord& row) { return packet_of(row).wire_length; }>("wire_bytes", "of the frame").bytes(),
    number<[](const PacketRecord& row) { return packet_of(row).frame.data.size(); }>("captured_bytes",
                                                                                     "of these in the capture")
        .bytes(),
    number<&of_roce<&RocePacket::payload_length>>("payload_bytes", "without pad").bytes(),
    number<&of_header<Aeth, &Aeth::syndrome>>("syndrome", "of an acknowledgement: the byte of the AETH"),
    number<&of_header<Aeth, &Aeth::msn>>("msn", "of an acknowledgement"),
    id<&address_of>("address", "virtual address, of the RETH or the AtomicETH"),
    key<&r_key_of>("r_key", "R_Key, of the same"),
    number<&of_header<Reth, &Reth::dma_length>>("dma_length", "of the RETH").bytes(),
    text<[](const PacketRecord& row) { return row.icrc.status; }>("icrc", "good, bad or unverifiable"),
    text<&of_verdict<&Verdict::kind>>("verdict", "in_order, gap, retransmission, response ..."),
    text<&of_verdict<&Verdict::cause>>("cause", "of a retransmission: nak, rnr, timeout ..."),
    text<&of_verdict<&Verdict::lost>>(
        "lost",
        "before or after the capture point, or corrupt: of a retransmission the copy before it, of a NAK the packet that it asks for"),
    number<&of_verdict<&Verdict::missing>>("missing_psns", "not seen before it").unless_zero(),
    boolean<&of_verdict<&Verdict::damaged>>("damaged", "its receiver drops it, and no field of it proves anything"),
    number<&of_verdict<&Verdict::related>>(
        "related_packet", "of a retransmission or a NAK the original, of a response the first packet of the request")
        .unless_zero(),
    number<&of_verdict<&Verdict::evidence>>("evidence_packet", "the NAK that asked for a retransmission")
        .unless_zero());

}  // namespace

constinit const Rows<PacketRecord> kPacket{
    {"packet", "a packet that --packets chose, with what those before it show about it", kPacketColumns}};

}  // namespace rocescope::schema
