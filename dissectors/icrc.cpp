// The invariant CRC: Ethernet's CRC-32 over the packet with all that switches and routers may change replaced by ones.
#include "rocescope/icrc.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "dissectors/crc32.hpp"
#include "dissectors/icrc_sum.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/transport.hpp"

namespace rocescope {
namespace {

bool has_source_port(const RocePacket& roce) noexcept {
  return roce.encapsulation == Encapsulation::kRoceV2Ipv4 || roce.encapsulation == Encapsulation::kRoceV2Ipv6;
}

/// Which bits of a header may change on the way.
template <std::size_t Size>
using Mask = ByteArray<Size>;

/// A mask of `Size` bytes: the listed ones are 0xFF.
template <std::size_t Size>
constexpr Mask<Size> ones_at(std::initializer_list<std::size_t> bytes) {
  Mask<Size> mask{};
  for (const std::size_t byte : bytes) mask[byte] = 0xFF;
  return mask;
}

template <std::size_t A, std::size_t B>
constexpr Mask<A + B> operator+(const Mask<A>& a, const Mask<B>& b) {
  Mask<A + B> both{};
  std::copy(a.begin(), a.end(), both.begin());
  std::copy(b.begin(), b.end(), both.begin() + A);
  return both;
}

constexpr Mask<Lrh::kSize> kLrh = {0xF0};                                     // the virtual lane
constexpr auto kIpv4 = ones_at<Ipv4::kSize>({1, 8, 10, 11});                  // TOS, TTL, checksum
constexpr Mask<Ipv6::kSize> kIpv6 = {0x0F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0xFF};  // traffic class, flow label, hop limit
constexpr auto kUdp = ones_at<Udp::kSize>({6, 7});                            // checksum
constexpr auto kBth = ones_at<Bth::kSize>({4});                               // FECN, BECN, reserved
constexpr auto kUdpAndBth = kUdp + kBth;
constexpr auto kIpv4ToBth = kIpv4 + kUdpAndBth;  // nearly every packet: one mask takes a few instructions
static_assert(Grh::kSize == Ipv6::kSize);        // and the same fields change

/// The CRC behind eight bytes of ones, which stand for the LRH that only native InfiniBand has.
constexpr std::uint32_t kNoLrh = [] {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;
  std::uint32_t crc = ~0U;
  for (std::size_t bit = 0; bit < Lrh::kSize * 8; ++bit) {
    crc = (crc >> 1) ^ (((crc ^ 1U) & 1U) != 0 ? kPolynomial : 0);
  }
  return ~crc;
}();

}  // namespace

inline void IcrcSum::flush() noexcept {
  if (collected_ > 0) crc_ = crc32(crc_, bytes_.data(), collected_);
  collected_ = 0;
}

/// The header at `offset` with ones where `mask` has them.
template <std::size_t Size>
inline void IcrcSum::masked(std::uint32_t offset, const ByteArray<Size>& mask) noexcept {
  if (collected_ + Size > bytes_.size()) flush();
  ByteArray<Size> header;  // bytes that nothing else points to are taken together
  std::memcpy(header.data(), frame_ + offset, Size);
  for (std::size_t i = 0; i < Size; ++i) header[i] |= mask[i];
  std::memcpy(bytes_.data() + collected_, header.data(), Size);
  collected_ += Size;
}

inline void IcrcSum::as_sent(std::uint32_t from, std::uint32_t to) noexcept {
  if (to - from > bytes_.size() - collected_) flush();
  if (to - from > bytes_.size()) {
    crc_ = crc32(crc_, frame_ + from, to - from);
  } else {
    std::memcpy(bytes_.data() + collected_, frame_ + from, to - from);
    collected_ += to - from;
  }
}

/// Adds the bytes before the BTH's extension headers.
inline void IcrcSum::add_headers(const RocePacket& roce) noexcept {
  const std::uint32_t at = roce.network_offset;
  const std::uint32_t udp = roce.bth_offset - static_cast<std::uint32_t>(Udp::kSize);
  switch (roce.encapsulation) {
    case Encapsulation::kInfiniBand: {
      const bool has_grh = roce.bth_offset - at > Lrh::kSize;
      if (has_grh) {
        masked(at + Lrh::kSize, kIpv6);
      } else {
        masked(at, kLrh);
      }
      return masked(roce.bth_offset, kBth);
    }
    case Encapsulation::kRoceV1:
      masked(at, kIpv6);
      return masked(roce.bth_offset, kBth);
    case Encapsulation::kRoceV2Ipv4:
      if (udp == at + Ipv4::kSize) return masked(at, kIpv4ToBth);
      masked(at, kIpv4);
      as_sent(at + Ipv4::kSize, udp);  // options
      return masked(udp, kUdpAndBth);
    case Encapsulation::kRoceV2Ipv6:
      masked(at, kIpv6);
      as_sent(at + Ipv6::kSize, udp);  // extension headers
      return masked(udp, kUdpAndBth);
    case Encapsulation::kNone:
      return;
  }
}

void IcrcSum::take(const RocePacket& roce, Bytes frame) noexcept {
  const bool has_lrh =
      roce.encapsulation == Encapsulation::kInfiniBand && roce.bth_offset - roce.network_offset == Lrh::kSize;
  frame_ = frame.data();
  crc_ = has_lrh ? 0 : kNoLrh;
  collected_ = 0;
  add_headers(roce);
  behind_bth_ = collected_;
  const std::uint32_t extensions = roce.bth_offset + static_cast<std::uint32_t>(Bth::kSize);
  const std::uint32_t payload = std::max(roce.payload_offset, extensions);  // 0: malformed before it
  end_ = roce.end_offset - static_cast<std::uint32_t>(Icrc::kSize);
  rest_ = std::max(payload, end_);
  const std::size_t size = rest_ - extensions;
  if (size <= bytes_.size() - collected_) {  // one CRC that waits for another takes twice as long
    std::memcpy(bytes_.data() + collected_, frame_ + extensions, size);
    headers_ = collected_ + (payload - extensions);
    collected_ += size;
  } else {
    as_sent(extensions, payload);
    headers_ = collected_;
    rest_ = payload;
  }
}

void IcrcSum::replace_source_port(std::uint16_t value) noexcept {
  std::uint8_t* const port = bytes_.data() + behind_bth_ - (Udp::kSize + Bth::kSize);
  port[0] = static_cast<std::uint8_t>(value >> 8);
  port[1] = static_cast<std::uint8_t>(value);
}

IcrcCheck IcrcSum::check(bool with_headers) const noexcept {
  std::uint32_t all = crc32(crc_, bytes_.data(), collected_);
  std::uint32_t headers = 0;
  if (with_headers) headers = headers_ == collected_ ? all : crc32(crc_, bytes_.data(), headers_);
  if (rest_ < end_) all = crc32(all, frame_ + rest_, end_ - rest_);
  IcrcCheck check{
      .expected = __builtin_bswap32(all),  // in the order of the wire: it goes out least significant byte first
      .found = static_cast<std::uint32_t>(load_bits(frame_ + end_, 0, 32)),
      .headers = headers};
  check.status = check.found == check.expected ? IcrcStatus::kGood : IcrcStatus::kBad;
  return check;
}

namespace {

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
