// The invariant CRC: Ethernet's CRC-32 over the packet with all that switches and routers may change replaced by ones.
#include "rocescope/icrc.hpp"

#include <isa-l/crc.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "rocescope/headers/bth.hpp"
#include "rocescope/headers/grh.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/lrh.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/udp.hpp"

namespace rocescope {
namespace {

constexpr std::uint8_t kOnes = 0xFF;

/// Feeds pieces of the packet to the CRC, in order.
class IcrcSum {
 public:
  explicit IcrcSum(const Packet& packet) noexcept : data_(packet.frame.data) {}

  void ones(std::size_t count) noexcept {
    std::array<std::uint8_t, 8> bytes;
    bytes.fill(kOnes);
    update(bytes.data(), count);
  }
  void as_sent(std::uint32_t from, std::uint32_t to) noexcept { update(data_.data() + from, to - from); }

  /// `size` bytes from `offset`, changed by `mask` first.
  template <std::size_t Size, class Mask>
  void masked(std::uint32_t offset, Mask mask) noexcept {
    std::array<std::uint8_t, Size> bytes;
    std::memcpy(bytes.data(), data_.data() + offset, Size);
    mask(bytes);
    update(bytes.data(), Size);
  }

  [[nodiscard]] std::uint32_t value() const noexcept { return crc_; }
  /// In the order of the wire: the ICRC goes out least significant byte first.
  [[nodiscard]] std::uint32_t wire_order() const noexcept { return __builtin_bswap32(crc_); }

 private:
  void update(const std::uint8_t* bytes, std::size_t count) noexcept { crc_ = crc32_gzip_refl(crc_, bytes, count); }

  Bytes data_;
  std::uint32_t crc_ = 0;
};

/// GRH and IPv6 header: traffic class, flow label and hop limit change on the way.
void mask_ipv6(std::array<std::uint8_t, Ipv6::kSize>& header) noexcept {
  header[0] |= 0x0F;
  header[1] = header[2] = header[3] = header[7] = kOnes;
}

void mask_ipv4(std::array<std::uint8_t, Ipv4::kSize>& header) noexcept {
  header[1] = header[8] = header[10] = header[11] = kOnes;  // TOS, TTL, checksum
}

struct Computed {
  std::uint32_t icrc = 0;
  std::uint32_t headers = 0;  // the CRC where the payload starts
};

Computed compute(const Packet& packet, std::optional<std::uint16_t> source_port) noexcept {
  const RocePacket& roce = packet.roce;
  IcrcSum sum(packet);
  std::uint32_t at = roce.network_offset;
  const std::uint32_t udp_offset = roce.bth_offset - static_cast<std::uint32_t>(Udp::kSize);
  switch (roce.encapsulation) {
    case Encapsulation::kInfiniBand: {
      const bool has_grh = roce.bth_offset - at > Lrh::kSize;
      if (has_grh) {
        sum.ones(Lrh::kSize);
        sum.masked<Grh::kSize>(at + Lrh::kSize, mask_ipv6);
      } else {
        sum.masked<Lrh::kSize>(at, [](auto& lrh) { lrh[0] |= 0xF0; });  // the virtual lane
      }
      break;
    }
    case Encapsulation::kRoceV1:
      sum.ones(Lrh::kSize);
      sum.masked<Grh::kSize>(at, mask_ipv6);
      break;
    case Encapsulation::kRoceV2Ipv4:
      sum.ones(Lrh::kSize);
      sum.masked<Ipv4::kSize>(at, mask_ipv4);
      sum.as_sent(at + Ipv4::kSize, udp_offset);  // options
      break;
    case Encapsulation::kRoceV2Ipv6:
      sum.ones(Lrh::kSize);
      sum.masked<Ipv6::kSize>(at, mask_ipv6);
      sum.as_sent(at + Ipv6::kSize, udp_offset);  // extension headers
      break;
    case Encapsulation::kNone:
      break;
  }
  if (roce.encapsulation == Encapsulation::kRoceV2Ipv4 || roce.encapsulation == Encapsulation::kRoceV2Ipv6) {
    sum.masked<Udp::kSize>(udp_offset, [&](auto& udp) {
      if (source_port) {
        udp[0] = static_cast<std::uint8_t>(*source_port >> 8);
        udp[1] = static_cast<std::uint8_t>(*source_port);
      }
      udp[6] = udp[7] = kOnes;  // checksum
    });
  }
  sum.masked<Bth::kSize>(roce.bth_offset, [](auto& bth) { bth[4] = kOnes; });  // FECN, BECN, reserved
  sum.as_sent(roce.bth_offset + Bth::kSize, roce.payload_offset);
  const std::uint32_t headers = sum.value();
  sum.as_sent(roce.payload_offset, roce.end_offset - static_cast<std::uint32_t>(Icrc::kSize));
  return {sum.wire_order(), headers};
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
  const Layer* icrc = packet.find(HeaderKind::kIcrc);
  if (icrc == nullptr) {
    check.obstacle = packet.stop.reason;
    return check;
  }
  check.found = static_cast<std::uint32_t>(load_bits(packet.frame.data.data() + icrc->offset, 0, 32));
  const Computed computed = compute(packet, source_port);
  check.expected = computed.icrc;
  check.headers = computed.headers;
  check.status = check.found == check.expected ? IcrcStatus::kGood : IcrcStatus::kBad;
  return check;
}

bool same_payload(const IcrcCheck& a, const IcrcCheck& b, std::uint32_t bytes) noexcept {
  // A CRC is linear: with the same bytes behind them, two different beginnings end in CRCs that differ as if those bytes
  // had been zeros.
  static constexpr std::array<std::uint8_t, 4096> kZeros{};
  std::uint32_t difference = a.headers ^ b.headers;
  std::uint32_t none = 0;
  while (bytes > 0) {
    const std::size_t count = std::min<std::size_t>(bytes, kZeros.size());
    difference = crc32_gzip_refl(difference, kZeros.data(), count);
    none = crc32_gzip_refl(none, kZeros.data(), count);
    bytes -= static_cast<std::uint32_t>(count);
  }
  return (difference ^ none) == __builtin_bswap32(a.found ^ b.found);
}

std::optional<std::uint16_t> find_source_port(const Packet& packet) noexcept {
  const Encapsulation encapsulation = packet.roce.encapsulation;
  if (encapsulation != Encapsulation::kRoceV2Ipv4 && encapsulation != Encapsulation::kRoceV2Ipv6) return std::nullopt;
  const IcrcCheck zero = check_icrc(packet, std::uint16_t{0});
  if (zero.status == IcrcStatus::kUnverifiable) return std::nullopt;

  // A CRC is linear: each bit of the port flips the same bits of the ICRC, whatever the others are. So sixteen ICRCs
  // tell those of all 65,536 ports.
  std::array<std::uint32_t, 16> flips;
  for (unsigned bit = 0; bit < flips.size(); ++bit) {
    flips[bit] = compute(packet, static_cast<std::uint16_t>(1U << bit)).icrc ^ zero.expected;
  }
  // Gray code: neighbours differ in one bit.
  std::uint32_t expected = zero.expected;
  std::uint16_t port = 0;
  for (std::uint32_t i = 1; expected != zero.found; ++i) {
    if (i == 0x10000) return std::nullopt;
    const unsigned bit = static_cast<unsigned>(__builtin_ctz(i));
    port = static_cast<std::uint16_t>(port ^ (1U << bit));
    expected ^= flips[bit];
  }
  return port;
}

}  // namespace rocescope
