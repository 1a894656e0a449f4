// What an ICRC is computed of.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "dissectors/crc32.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/transport.hpp"
#include "rocescope/icrc.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {
namespace icrc {

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

inline constexpr Mask<Lrh::kSize> kLrh = {0xF0};                     // the virtual lane
inline constexpr auto kIpv4 = ones_at<Ipv4::kSize>({1, 8, 10, 11});  // TOS, TTL, checksum
inline constexpr Mask<Ipv6::kSize> kIpv6 = {0x0F, 0xFF, 0xFF, 0xFF,
                                            0,    0,    0,    0xFF};  // traffic class, flow label, hop limit
inline constexpr auto kUdp = ones_at<Udp::kSize>({6, 7});             // checksum
inline constexpr auto kBth = ones_at<Bth::kSize>({4});                // FECN, BECN, reserved
inline constexpr auto kUdpAndBth = kUdp + kBth;
inline constexpr auto kIpv4ToBth = kIpv4 + kUdpAndBth;  // nearly every packet: one mask takes a few instructions
static_assert(Grh::kSize == Ipv6::kSize);               // and the same fields change

/// The CRC behind eight bytes of ones, which stand for the LRH that only native InfiniBand has.
inline constexpr std::uint32_t kNoLrh = [] {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;
  std::uint32_t crc = ~0U;
  for (std::size_t bit = 0; bit < Lrh::kSize * 8; ++bit) {
    crc = (crc >> 1) ^ (((crc ^ 1U) & 1U) != 0 ? kPolynomial : 0);
  }
  return ~crc;
}();

}  // namespace icrc

/// Checks an ICRC in two steps. take() copies the headers, with ones for what may change on the way, and a short payload. A CRC over bytes
/// that were just copied waits until they are stored: whoever checks many packets takes several before the first check(), which halves the
/// time.
class IcrcSum {
 public:
  /// `frame` has the ICRC and all bytes that it covers, and lasts until check().
  void take(const RocePacket& roce, Bytes frame) noexcept;
  /// Of RoCEv2: as if it had been sent from this UDP port.
  void replace_source_port(std::uint16_t value) noexcept;
  /// Of the packet that was taken last. `with_headers`: fills in IcrcCheck::headers.
  [[nodiscard]] IcrcCheck check(bool with_headers) const noexcept;

 private:
  void add_headers(const RocePacket& roce) noexcept;
  template <std::size_t Size>
  void masked(std::uint32_t offset, const ByteArray<Size>& mask) noexcept;
  void as_sent(std::uint32_t from, std::uint32_t to) noexcept;
  void flush() noexcept;

  const std::uint8_t* frame_ = nullptr;
  std::uint32_t crc_ = 0;       // of what stands before bytes_
  std::uint32_t end_ = 0;       // offset of the ICRC
  std::uint32_t rest_ = 0;      // offset of what stands behind bytes_, up to end_
  std::size_t collected_ = 0;   // of bytes_
  std::size_t behind_bth_ = 0;  // the same: up to the extension headers
  std::size_t headers_ = 0;     // the same: up to the payload
  alignas(64) std::array<std::uint8_t, 320> bytes_;
};

inline void IcrcSum::flush() noexcept {
  if (collected_ > 0) crc_ = crc32(crc_, bytes_.data(), collected_);
  collected_ = 0;
}

/// The header at `offset` with ones where `mask` has them.
template <std::size_t Size>
inline void IcrcSum::masked(std::uint32_t offset, const ByteArray<Size>& mask) noexcept {
  if (collected_ + Size > bytes_.size()) flush();
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  constexpr std::size_t kInWords = Size / kWord * kWord;
  const std::uint8_t* const from = frame_ + offset;
  std::uint8_t* const to = bytes_.data() + collected_;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kInWords; i += kWord) {
    std::uint64_t word = 0;
    std::uint64_t ones = 0;
    std::memcpy(&word, from + i, kWord);
    std::memcpy(&ones, mask.data() + i, kWord);
    word |= ones;
    std::memcpy(to + i, &word, kWord);
  }
  for (std::size_t i = kInWords; i < Size; ++i) to[i] = from[i] | mask[i];
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
        masked(at + Lrh::kSize, icrc::kIpv6);
      } else {
        masked(at, icrc::kLrh);
      }
      return masked(roce.bth_offset, icrc::kBth);
    }
    case Encapsulation::kRoceV1:
      masked(at, icrc::kIpv6);
      return masked(roce.bth_offset, icrc::kBth);
    case Encapsulation::kRoceV2Ipv4:
      if (udp == at + Ipv4::kSize) return masked(at, icrc::kIpv4ToBth);
      masked(at, icrc::kIpv4);
      as_sent(at + Ipv4::kSize, udp);  // options
      return masked(udp, icrc::kUdpAndBth);
    case Encapsulation::kRoceV2Ipv6:
      masked(at, icrc::kIpv6);
      as_sent(at + Ipv6::kSize, udp);  // extension headers
      return masked(udp, icrc::kUdpAndBth);
    case Encapsulation::kNone:
      return;
  }
}

inline void IcrcSum::take(const RocePacket& roce, Bytes frame) noexcept {
  const bool has_lrh =
      roce.encapsulation == Encapsulation::kInfiniBand && roce.bth_offset - roce.network_offset == Lrh::kSize;
  frame_ = frame.data();
  crc_ = has_lrh ? 0 : icrc::kNoLrh;
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

inline void IcrcSum::replace_source_port(std::uint16_t value) noexcept {
  std::uint8_t* const port = bytes_.data() + behind_bth_ - (Udp::kSize + Bth::kSize);
  port[0] = static_cast<std::uint8_t>(value >> 8);
  port[1] = static_cast<std::uint8_t>(value);
}

inline IcrcCheck IcrcSum::check(bool with_headers) const noexcept {
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

}  // namespace rocescope
