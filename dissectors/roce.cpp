// The parts that some RoCE packets have between the BTH's extension headers and the ICRC.
#include "dissectors/dissectors.hpp"
#include "rocescope/headers/dc.hpp"
#include "rocescope/headers/exchange.hpp"
#include "rocescope/headers/extended_transport.hpp"

namespace rocescope::dissectors {
namespace {

/// Queue pairs 0 (SMI) and 1 (GSI) speak management datagrams only (IBTA 3.5.10). A request that was redirected goes from
/// one of them to another queue pair, so either end is enough.
bool is_management(Qpn qpn) noexcept { return qpn <= kGsiQp; }

}  // namespace

bool take_dc_nak(Dissection& d, std::uint32_t tail) noexcept {
  if (d.packet.roce.opcode->operation != Operation::kAcknowledge) return true;
  const bool nak = d.packet.header<Aeth>()->kind() == AethKind::kNak && d.left() >= DcNak::kSize + tail;
  return !nak || d.take<DcNak>();
}

void dissect_datagram(Dissection& d) noexcept {
  const RocePacket& roce = d.packet.roce;
  const auto deth = d.packet.header<Deth>();
  const std::uint64_t packet_end = d.end;
  d.end = roce.payload_offset + roce.payload_length;
  if (is_management(roce.dest_qp) || is_management(deth->src_qp())) {
    dissect_mad(d);
  } else if (deth->q_key() == kExchangeKey) {
    dissect_exchange(d);
  }
  d.end = packet_end;
}

bool take_cut(Dissection& d, HeaderKind kind, std::uint32_t length) noexcept {
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

}  // namespace rocescope::dissectors
