// From the BTH to the ICRC: what all encapsulations of RoCE and InfiniBand share.
#include "dissectors.hpp"
#include "rocescope/headers/aeth.hpp"
#include "rocescope/headers/bth.hpp"
#include "rocescope/headers/dc_connect.hpp"
#include "rocescope/headers/deth.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/headers/tail.hpp"

namespace rocescope::dissectors {
namespace {

/// Adds the captured part of `length` bytes at the offset and steps behind all of them. False, and noted, when some of
/// them were not captured.
bool take_bytes(Dissection& d, HeaderKind kind, std::uint32_t length) noexcept {
  if (length == 0) return true;
  const std::uint64_t there = d.data.size() - std::min<std::uint64_t>(d.offset, d.data.size());
  const std::uint64_t captured = std::min<std::uint64_t>(length, there);
  if (captured > 0 && !d.add(kind, d.offset, captured)) return false;
  if (captured < length) {
    d.stop(d.cut_by, kind, length);
    return false;
  }
  d.offset += length;
  return true;
}

/// A DC responder's NAK says more than its AETH.
bool has_dc_nak(const Dissection& d, std::uint32_t tail) noexcept {
  const RocePacket& roce = d.packet.roce;
  if (roce.opcode->transport != Transport::kDc || roce.opcode->operation != Operation::kAcknowledge) return false;
  return d.packet.header<Aeth>()->kind() == AethKind::kNak && d.left() >= DcNak::kSize + tail;
}

/// Queue pairs 0 (SMI) and 1 (GSI) speak management datagrams only (IBTA 3.5.10). A request that was redirected goes from
/// one of them to another queue pair, so either end tells.
bool is_management(Qpn qpn) noexcept { return qpn <= kGsiQp; }

/// Reads a datagram as far as its queue pairs or its Q_Key tell what it is.
void dissect_datagram(Dissection& d) noexcept {
  const auto deth = d.packet.header<Deth>();
  if (is_management(d.packet.roce.dest_qp) || is_management(deth->src_qp())) return dissect_mad(d);
  if (deth->q_key() == kExchangeKey) return dissect_exchange(d);
}

/// The headers inside the payload, where they are known; then the rest of it. False when some of it was not captured.
bool dissect_payload(Dissection& d) noexcept {
  const RocePacket& roce = d.packet.roce;
  const std::uint32_t payload_end = roce.payload_offset + roce.payload_length;
  if (roce.opcode->transport == Transport::kUd && roce.opcode->operation == Operation::kSend) {
    const std::uint64_t packet_end = d.end;
    d.end = payload_end;
    dissect_datagram(d);
    d.end = packet_end;
  }
  return take_bytes(d, HeaderKind::kPayload, payload_end - d.offset);
}

}  // namespace

void dissect_bth(Dissection& d, Encapsulation encapsulation, std::uint32_t network_offset) noexcept {
  const std::uint32_t start = d.offset;
  const auto bth = d.take<Bth>();
  if (!bth) return;
  RocePacket& roce = d.packet.roce;
  const OpcodeInfo& opcode =
      d.options.reliable_datagram ? reliable_datagram_opcode(bth->opcode()) : opcode_info(bth->opcode());
  roce.encapsulation = encapsulation;
  roce.opcode = &opcode;
  roce.dest_qp = bth->dest_qp();
  roce.psn = bth->psn();
  roce.network_offset = network_offset;
  roce.bth_offset = start;
  roce.end_offset = static_cast<std::uint32_t>(d.end);

  for (const HeaderKind kind : opcode.headers) {
    if (kind == HeaderKind::kNone) break;
    if (!d.take(kind, header_info(kind).size)) return;
  }

  const std::uint32_t tail = bth->pad_count() + static_cast<std::uint32_t>(Icrc::kSize);
  if (d.left() < tail) return d.stop(StopReason::kMalformed, HeaderKind::kIcrc, tail);
  roce.pad_length = bth->pad_count();
  if (has_dc_nak(d, tail) && !d.take<DcNak>()) return;
  roce.payload_offset = d.offset;
  roce.payload_length = static_cast<std::uint32_t>(d.left()) - tail;
  if (!dissect_payload(d)) return;
  if (!take_bytes(d, HeaderKind::kPad, roce.pad_length)) return;
  static_cast<void>(d.take(HeaderKind::kIcrc, Icrc::kSize));
}

}  // namespace rocescope::dissectors
