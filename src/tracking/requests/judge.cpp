#include "tracking/requests/judge.hpp"

#include <array>

#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "tracking/connections/connection_state.hpp"

namespace rocescope {
namespace {

/// What distinguishes a copy of a packet from the same request sent again: the ICRC; if that is not in the capture, the
/// IPv4 identification, which the ICRC covers and which differs in a request sent again.
std::uint32_t mark_of(const TrackedPacket& tracked) {
  if (tracked.has_compared_icrc()) return tracked.record.icrc.found;
  const Packet& packet = tracked.packet();
  if (packet.roce.encapsulation != Encapsulation::kRoceV2Ipv4) return 0;
  return Ipv4(packet.frame.data.data() + packet.roce.network_offset).identification();
}

/// A request of a connection.
RequestPacket request_of(const TrackedPacket& tracked) {
  const PacketRecord& record = tracked.record;
  const Packet& packet = *record.packet;
  RequestPacket request{.opcode = packet.roce.opcode,
                        .psn = packet.roce.psn,
                        .frame = packet.frame.number,
                        .time = packet.frame.timestamp,
                        .icrc = mark_of(tracked),
                        .has_icrc = record.icrc.status == IcrcStatus::kGood,
                        .payload = packet.roce.opcode->has_payload ? packet.roce.payload_length : 0,
                        .asks_for_ack = tracked.bth().ack_request(),
                        .counts = tracked.counts};
  const Connection& connection = tracked.state->facts;
  if (connection.handshake == 0) request.watched_since = connection.first_time;
  if (packet.roce.encapsulation == Encapsulation::kRoceV2Ipv4) {
    request.identification = Ipv4(packet.frame.data.data() + packet.roce.network_offset).identification();
  }
  if (const auto& reth = tracked.reth) {
    request.address = reth->virtual_address();
    request.r_key = reth->r_key();
    request.dma_length = reth->dma_length();
  } else if (const auto atomic = packet.header<AtomicEth>()) {
    request.address = atomic->virtual_address();
    request.r_key = atomic->r_key();
  }
  if (const auto invalidated = packet.header<Ieth>()) {
    request.invalidated_r_key = static_cast<std::uint32_t>(load_bits(invalidated->bytes().data(), 0, 32));
  }
  if (const auto immediate = packet.header<ImmDt>()) {
    request.immediate = static_cast<std::uint32_t>(load_bits(immediate->bytes().data(), 0, 32));
  }
  return request;
}

/// A response of a connection.
ResponsePacket response_of(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  using Kind = ResponsePacket::Kind;
  ResponsePacket response{.position = packet.roce.opcode->position,
                          .psn = packet.roce.psn,
                          .frame = packet.frame.number,
                          .time = packet.frame.timestamp,
                          .icrc = mark_of(tracked),
                          .payload = packet.roce.payload_length};
  const auto& aeth = tracked.aeth;
  if (aeth) {
    response.value = aeth->value();
    response.msn = aeth->msn();
  }
  if (packet.roce.opcode->operation == Operation::kReadResponse) {
    response.kind = Kind::kRead;
    return response;
  }
  if (aeth && aeth->kind() == AethKind::kRnrNak) {
    response.kind = Kind::kRnrNak;
  } else if (aeth && aeth->kind() == AethKind::kNak) {
    const bool sequence = aeth->value() == static_cast<std::uint8_t>(NakCode::kPsnSequenceError);
    response.kind = sequence ? Kind::kSequenceNak : Kind::kFatalNak;
  } else if (packet.roce.opcode->operation == Operation::kAtomicAcknowledge) {
    response.kind = Kind::kAtomicAck;
  }
  return response;
}

/// Gives the path MTU that one direction showed to the other direction.
void share_mtu(const Requester& known, ConnectionState& connection, std::size_t other) {
  if (connection.shares_mtu || known.mtu() == 0) return;
  Requester* const its = connection.requesters[other].get();
  if (its == nullptr) return;
  if (its->mtu() == 0) its->set_mtu(known.mtu());
  connection.shares_mtu = true;
}

/// Whether a packet has another transport than its queue pair, which drops it. If the transport is not known, a second
/// such packet in a row means that another queue pair has the number now.
bool is_stray(Transport transport, ConnectionState& connection) {
  Connection& facts = connection.facts;
  const auto used = [&] { return connection.packets(0) + connection.packets(1) > 0; };
  const bool other = transport != facts.transport;
  if (other && (facts.paired_by == PairedBy::kCm || (!connection.stray && used()))) return connection.stray = true;
  connection.stray = false;
  facts.transport = transport;
  return false;
}

/// Its receiver drops it.
void judge_damaged(TrackedPacket& tracked, StreamNews& news) {
  Requester& requester = tracked.state->requester(tracked.requester);
  if (tracked.requester == tracked.sender) {
    tracked.is_astray = !requester.corrupt(request_of(tracked), news);
  } else {
    requester.corrupt_response(news);
    tracked.is_astray = !requester.is_outstanding(tracked.packet().roce.psn);
  }
}

}  // namespace

void judge(TrackedPacket& tracked, const TrackOptions& options, StreamNews& news) {
  ConnectionState& connection = *tracked.state;
  const PacketRecord& record = tracked.record;
  const OpcodeInfo& opcode = *record.packet->roce.opcode;
  if (tracked.verdict.damaged) return judge_damaged(tracked, news);
  if (is_stray(opcode.transport, connection)) return;
  if (!opcode.request) tracked.requester = 1 - tracked.sender;
  Requester& requester = connection.requester(tracked.requester);
  requester.set_reliable(opcode.transport != Transport::kUc);
  if (opcode.request) {
    tracked.seen_before = requester.has_seen(record.packet->roce.psn);
    const bool arrived = requester.has_arrived(record.packet->roce.psn);
    tracked.verdict = requester.request(request_of(tracked), options, news);
    tracked.answered_before = arrived && tracked.verdict.kind != VerdictKind::kCaptureDuplicate;
    const Recovery* recovery = requester.recovery();
    tracked.began_recovery = recovery != nullptr && recovery->first_frame == record.packet->frame.number;
    if (opcode.transport == Transport::kUc) {
      requester.settle(record.packet->frame.number, record.packet->frame.timestamp, news);
    }
  } else {
    tracked.acknowledged_before = requester.has_acknowledged_before(record.packet->roce.psn);
    if (connection.facts.joined != 0 && !requester.heard()) requester.assume_answered(record.packet->roce.psn);
    tracked.verdict = requester.response(response_of(tracked), options, news);
  }
  tracked.verdict.connection = connection.facts.number;
  tracked.measures = news.measures;
  tracked.lost_ack = news.lost_ack;
  tracked.needless = news.needless;
  tracked.is_nak_copy = news.is_nak_copy;
  tracked.ended = news.ended;
  share_mtu(requester, connection, 1 - tracked.requester);
}

}  // namespace rocescope
