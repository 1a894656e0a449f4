// The invariant CRC: Ethernet's CRC-32 over the packet with all that switches and routers may change replaced by ones.
#include "rocescope/icrc.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "dissectors/crc32.hpp"
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

/// Feeds pieces of the packet to the CRC, in order. A call of it costs more than the bytes of a header, so headers are
/// collected first.
class IcrcSum {
 public:
  IcrcSum(const std::uint8_t* frame, std::uint32_t start) noexcept : data_(frame), crc_(start) {}

  /// The header at `offset` with ones where `mask` has them.
  template <std::size_t Size>
  void masked(std::uint32_t offset, const Mask<Size>& mask) noexcept {
    if (collected_ + Size > headers_.size()) flush();
    ByteArray<Size> header;  // bytes that nothing else points to are taken together
    std::memcpy(header.data(), data_ + offset, Size);
    for (std::size_t i = 0; i < Size; ++i) header[i] |= mask[i];
    std::memcpy(headers_.data() + collected_, header.data(), Size);
    collected_ += Size;
  }
  void headers_as_sent(std::uint32_t from, std::uint32_t to) noexcept {
    if (to - from > headers_.size() - collected_) return as_sent(from, to);
    constexpr std::uint32_t kWord = 4;  // all headers are multiples of it
    for (; from + kWord <= to; from += kWord, collected_ += kWord) {
      std::memcpy(headers_.data() + collected_, data_ + from, kWord);
    }
    for (; from < to; ++from) headers_[collected_++] = data_[from];
  }
  void as_sent(std::uint32_t from, std::uint32_t to) noexcept {
    flush();
    if (from < to) update(data_ + from, to - from);
  }
  /// Puts `value` where the last masked() found the UDP source port, `before_end` bytes before what was collected.
  void replace(std::size_t before_end, std::uint16_t value) noexcept {
    std::uint8_t* at = headers_.data() + collected_ - before_end;
    at[0] = static_cast<std::uint8_t>(value >> 8);
    at[1] = static_cast<std::uint8_t>(value);
  }

  /// The CRC of all so far.
  [[nodiscard]] std::uint32_t value() noexcept {
    flush();
    return crc_;
  }

  struct Values {
    std::uint32_t headers = 0;  ///< the CRC up to the payload
    std::uint32_t all = 0;
  };
  /// All so far, and extension headers from `from` on and the payload behind them. One CRC that waits for another takes twice as long: what
  /// is short stands behind the headers, and is fed with them. `headers`: whether their CRC is wanted.
  [[nodiscard]] Values values_with(std::uint32_t from, std::uint32_t payload, std::uint32_t to,
                                   bool headers) noexcept {
    const std::size_t extensions = payload - from;
    const std::size_t rest = std::max(to, payload) - from;
    if (rest > headers_.size() - collected_) {
      headers_as_sent(from, payload);
      const std::uint32_t before = value();
      as_sent(payload, to);
      return {before, crc_};
    }
    std::memcpy(headers_.data() + collected_, data_ + from, rest);
    const std::uint32_t all = crc32(crc_, headers_.data(), collected_ + rest);
    if (!headers) return {0, all};
    return {rest == extensions ? all : crc32(crc_, headers_.data(), collected_ + extensions), all};
  }

 private:
  void update(const std::uint8_t* bytes, std::size_t count) noexcept { crc_ = crc32(crc_, bytes, count); }
  void flush() noexcept {
    if (collected_ > 0) update(headers_.data(), collected_);
    collected_ = 0;
  }

  const std::uint8_t* data_;
  std::uint32_t crc_;
  std::size_t collected_ = 0;
  alignas(64) std::array<std::uint8_t, 320> headers_;
};

/// Adds the bytes before the BTH's extension headers.
void add_headers(IcrcSum& sum, const RocePacket& roce) noexcept {
  const std::uint32_t at = roce.network_offset;
  const std::uint32_t udp = roce.bth_offset - static_cast<std::uint32_t>(Udp::kSize);
  switch (roce.encapsulation) {
    case Encapsulation::kInfiniBand: {
      const bool has_grh = roce.bth_offset - at > Lrh::kSize;
      if (has_grh) {
        sum.masked(at + Lrh::kSize, kIpv6);
      } else {
        sum.masked(at, kLrh);
      }
      return sum.masked(roce.bth_offset, kBth);
    }
    case Encapsulation::kRoceV1:
      sum.masked(at, kIpv6);
      return sum.masked(roce.bth_offset, kBth);
    case Encapsulation::kRoceV2Ipv4:
      if (udp == at + Ipv4::kSize) return sum.masked(at, kIpv4ToBth);
      sum.masked(at, kIpv4);
      sum.headers_as_sent(at + Ipv4::kSize, udp);  // options
      return sum.masked(udp, kUdpAndBth);
    case Encapsulation::kRoceV2Ipv6:
      sum.masked(at, kIpv6);
      sum.headers_as_sent(at + Ipv6::kSize, udp);  // extension headers
      return sum.masked(udp, kUdpAndBth);
    case Encapsulation::kNone:
      return;
  }
}

struct Computed {
  std::uint32_t icrc = 0;     // in the order of the wire: it goes out least significant byte first
  std::uint32_t headers = 0;  // the CRC where the payload starts
};

Computed compute(const RocePacket& roce, const std::uint8_t* frame, std::optional<std::uint16_t> source_port,
                 bool with_headers) noexcept {
  const bool has_lrh =
      roce.encapsulation == Encapsulation::kInfiniBand && roce.bth_offset - roce.network_offset == Lrh::kSize;
  IcrcSum sum(frame, has_lrh ? 0 : kNoLrh);
  add_headers(sum, roce);
  if (source_port && has_source_port(roce)) sum.replace(Udp::kSize + Bth::kSize, *source_port);
  constexpr auto kBthSize = static_cast<std::uint32_t>(Bth::kSize);
  const std::uint32_t payload = std::max(roce.payload_offset, roce.bth_offset + kBthSize);  // 0: malformed before it
  const std::uint32_t end = roce.end_offset - static_cast<std::uint32_t>(Icrc::kSize);
  const IcrcSum::Values values = sum.values_with(roce.bth_offset + kBthSize, payload, end, with_headers);
  return {__builtin_bswap32(values.all), values.headers};
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
  return check_whole_icrc(roce, packet.frame.data, source_port);
}

IcrcCheck check_whole_icrc(const RocePacket& roce, Bytes frame, std::optional<std::uint16_t> source_port,
                           bool with_headers) noexcept {
  const Computed computed = compute(roce, frame.data(), source_port, with_headers);
  const std::uint8_t* const icrc = frame.data() + roce.end_offset - static_cast<std::uint32_t>(Icrc::kSize);
  IcrcCheck check{.expected = computed.icrc,
                  .found = static_cast<std::uint32_t>(load_bits(icrc, 0, 32)),
                  .headers = computed.headers};
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
    flip.icrc = compute(packet.roce, packet.frame.data.data(), flip.port, false).icrc ^ zero.expected;
    for (unsigned before = 0; before < bit; ++before) flip.reduce(flips[before]);
  }
  Flip difference{.icrc = zero.expected ^ zero.found, .port = 0};
  for (const Flip& flip : flips) difference.reduce(flip);
  if (difference.icrc != 0) return std::nullopt;
  return difference.port;
}

}  // namespace rocescope
