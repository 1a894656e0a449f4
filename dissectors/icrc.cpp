// The invariant CRC: Ethernet's CRC-32 over the packet with all that switches and routers may change replaced by ones.
#include "rocescope/icrc.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "dissectors/crc32.hpp"
#include "dissectors/icrc_sum.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/transport.hpp"

namespace rocescope {
namespace {

bool has_source_port(const RocePacket& roce) noexcept {
  return roce.encapsulation == Encapsulation::kRoceV2Ipv4 || roce.encapsulation == Encapsulation::kRoceV2Ipv6;
}

IcrcCheck check_whole(const RocePacket& roce, Bytes frame, std::optional<std::uint16_t> source_port) noexcept {
  IcrcSum sum;
  sum.take(roce, frame);
  if (source_port && has_source_port(roce)) sum.replace_source_port(*source_port);
  return sum.check(true);
}

/// Whether all bytes from the BTH to the ICRC are here.
bool is_whole(const Packet& packet) noexcept {
  const RocePacket& roce = packet.roce;
  return roce.end_offset <= packet.frame.data.size() && roce.end_offset >= roce.bth_offset + Bth::kSize + Icrc::kSize;
}

}  // namespace

IcrcCheck check_icrc(const Packet& packet, std::optional<std::uint16_t> source_port) noexcept {
  IcrcCheck check;
  const RocePacket& roce = packet.roce;
  if (!packet.is_roce()) return check;
  check.status = IcrcStatus::kUnverifiable;
  if (roce.fragmented) {
    check.obstacle = StopReason::kFragment;
    return check;
  }
  // A header that its opcode asks for and that does not fit may be a damaged opcode: the ICRC still ends the packet.
  const bool malformed = packet.stop.reason == StopReason::kMalformed && is_whole(packet);
  if (packet.find(HeaderKind::kIcrc) == nullptr && !malformed) {
    check.obstacle = packet.stop.reason;
    return check;
  }
  return check_whole(roce, packet.frame.data, source_port);
}

bool same_payload(const IcrcCheck& a, const IcrcCheck& b, std::uint32_t bytes) noexcept {
  // A CRC is linear: with the same bytes behind them, two different beginnings end in CRCs that differ as if those bytes
  // had been zeros.
  static constexpr std::array<std::uint8_t, 4096> kZeros{};
  std::uint32_t difference = a.headers ^ b.headers;
  std::uint32_t none = 0;
  while (bytes > 0) {
    const std::size_t count = std::min<std::size_t>(bytes, kZeros.size());
    difference = crc32(difference, kZeros.data(), count);
    none = crc32(none, kZeros.data(), count);
    bytes -= static_cast<std::uint32_t>(count);
  }
  return (difference ^ none) == __builtin_bswap32(a.found ^ b.found);
}

std::optional<std::uint16_t> find_source_port(const Packet& packet) noexcept {
  if (!has_source_port(packet.roce)) return std::nullopt;
  const IcrcCheck zero = check_icrc(packet, std::uint16_t{0});
  if (zero.status == IcrcStatus::kUnverifiable) return std::nullopt;

  // A CRC is linear: each bit of the port flips the same bits of the ICRC, whatever the others are. Flips are combined until each has a
  // highest bit that none behind it has; then the one port that flips what differs is found bit by bit.
  struct Flip {
    std::uint32_t icrc = 0;
    std::uint16_t port = 0;
    void reduce(const Flip& by) noexcept {
      if ((icrc ^ by.icrc) > icrc) return;
      icrc ^= by.icrc;
      port = static_cast<std::uint16_t>(port ^ by.port);
    }
  };
  std::array<Flip, 16> flips;
  for (unsigned bit = 0; bit < flips.size(); ++bit) {
    Flip& flip = flips[bit];
    flip.port = static_cast<std::uint16_t>(1U << bit);
    flip.icrc = check_whole(packet.roce, packet.frame.data, flip.port).expected ^ zero.expected;
    for (unsigned before = 0; before < bit; ++before) flip.reduce(flips[before]);
  }
  Flip difference{.icrc = zero.expected ^ zero.found, .port = 0};
  for (const Flip& flip : flips) difference.reduce(flip);
  if (difference.icrc != 0) return std::nullopt;
  return difference.port;
}

}  // namespace rocescope
