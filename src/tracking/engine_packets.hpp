// A packet as the engines take it: the PSN engine, and the table that finds its connection.
#pragma once

#include <cstdint>

#include "rocescope/headers/atomic_eth.hpp"
#include "rocescope/headers/ieth.hpp"
#include "rocescope/headers/imm_dt.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "tracking/connections/connection_table.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/requests/requester.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// A request of a connection.
[[nodiscard]] inline RequestPacket request_of(const TrackedPacket& tracked) {
  const PacketRecord& record = tracked.record;
  const Packet& packet = *record.packet;
  RequestPacket request{.opcode = packet.roce.opcode,
                        .psn = packet.roce.psn,
                        .frame = packet.frame.number,
                        .time = packet.frame.timestamp,
                        .icrc = record.icrc.found,
                        .payload = packet.roce.opcode->has_payload ? packet.roce.payload_length : 0};
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
[[nodiscard]] inline ResponsePacket response_of(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  using Kind = ResponsePacket::Kind;
  ResponsePacket response{.position = packet.roce.opcode->position,
                          .psn = packet.roce.psn,
                          .frame = packet.frame.number,
                          .time = packet.frame.timestamp,
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

/// A packet of a connection, before it is known of which.
[[nodiscard]] inline FlowPacket flow_packet_of(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  return {.key = FlowKey::of(packet),
          .transport = packet.roce.opcode->transport,
          .request = packet.roce.opcode->request,
          .psn = packet.roce.psn,
          .source_port = record.true_source_port.value_or(packet.roce.udp_source_port),
          .frame = packet.frame.number,
          .time = packet.frame.timestamp};
}

}  // namespace rocescope
