// The shape of packets that may take the express lane: what is asked of their bytes before anything is read of them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "model/express_reason.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/transport.hpp"
#include "rocescope/opcode.hpp"

namespace rocescope {

/// Packets that are judged and counted alike.
enum class ExpressKind : std::uint8_t { kSendOrWrite, kReadRequest, kAck, kReadResponse };
inline constexpr std::size_t kExpressKinds = static_cast<std::size_t>(ExpressKind::kReadResponse) + 1;

static_assert(ImmDt::kSize == Ieth::kSize);

/// What lies between the BTH and the payload of an opcode.
struct ExpressForm {
  bool is_express : 1 = false;   ///< its packets may take the express lane
  bool begins_send : 1 = false;  ///< in one byte with it: a form has eight
  bool is_write : 1 = false;     ///< a WRITE of one packet
  ExpressKind kind = ExpressKind::kSendOrWrite;
  bool has_reth = false;
  bool has_aeth = false;
  bool has_word = false;  ///< immediate data, or the R_Key that a SEND invalidates
  /// Bits that the length of payload and pad does not have: without a payload all of them, else the last two.
  std::int8_t no_bits = 0;
  std::uint8_t flags = 0;      ///< kHasReth, kHasMsn
  std::uint8_t extension = 0;  ///< bytes

  // As ExpressFacts has them.
  static constexpr std::uint8_t kHasReth = 1 << 3;  ///< a READ Request, and the First or Only packet of a WRITE
  static constexpr std::uint8_t kHasMsn = 1 << 4;
};
static_assert(sizeof(ExpressForm) == 8);

[[nodiscard]] constexpr ExpressForm express_form_of(const OpcodeInfo& opcode) {
  ExpressForm form;
  if (opcode.transport != Transport::kRc) return form;
  switch (opcode.operation) {
    case Operation::kSend:
      form.begins_send = opcode.position == Position::kFirst || opcode.position == Position::kOnly;
      break;
    case Operation::kWrite:
      form.has_reth = opcode.position == Position::kFirst || opcode.position == Position::kOnly;
      form.is_write = opcode.position == Position::kOnly;
      break;
    case Operation::kReadRequest:
      form.kind = ExpressKind::kReadRequest;
      form.has_reth = true;
      break;
    case Operation::kReadResponse:
      form.kind = ExpressKind::kReadResponse;
      form.has_aeth = opcode.position != Position::kMiddle;
      break;
    case Operation::kAcknowledge:
      form.kind = ExpressKind::kAck;
      form.has_aeth = true;
      break;
    default:
      return form;
  }
  form.is_express = true;
  form.has_word = opcode.immediate || opcode.invalidate;
  form.no_bits = opcode.has_payload ? 3 : -1;
  form.flags = static_cast<std::uint8_t>((form.has_reth ? ExpressForm::kHasReth : 0) +
                                         (form.has_aeth ? ExpressForm::kHasMsn : 0));
  form.extension = static_cast<std::uint8_t>((form.has_reth ? Reth::kSize : 0) + (form.has_aeth ? Aeth::kSize : 0) +
                                             (form.has_word ? ImmDt::kSize : 0));
  return form;
}

inline constexpr auto kExpressForms = [] {
  std::array<ExpressForm, 256> forms{};
  for (std::size_t code = 0; code < forms.size(); ++code) {
    forms[code] = express_form_of(opcode_info(static_cast<std::uint8_t>(code)));
  }
  return forms;
}();

/// Of numbers on the wire.
template <class T>
[[nodiscard, gnu::always_inline]] inline T load_number(const std::uint8_t* bytes) noexcept {
  static_assert(std::endian::native == std::endian::little);
  T value = 0;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (sizeof(T) == 2) {
    return __builtin_bswap16(value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bswap32(value);
  } else {
    return __builtin_bswap64(value);
  }
}

/// Whether of as many bytes, that follow each other on the wire, some of these bits are set.
template <std::size_t N>
[[nodiscard, gnu::always_inline]] inline bool has_some_bits(const std::uint8_t* bytes, ByteArray<N> bits) noexcept {
  using Word = std::conditional_t<N == 8, std::uint64_t, std::uint16_t>;
  static_assert(sizeof(Word) == N);
  Word word = 0;
  std::memcpy(&word, bytes, N);
  return (word & std::bit_cast<Word>(bits)) != 0;
}

/// A frame as its first headers need it; in registers.
struct ExpressBytes {
  const std::uint8_t* data = nullptr;
  std::size_t captured = 0;  ///< bytes of data
  std::uint32_t original = 0;
};

/// Where the headers of one of the shapes are: known before the packet is.
template <std::uint32_t kNetworkAt, bool kWithIpv6>
struct ExpressShape {
  static constexpr bool kIsIpv6 = kWithIpv6;
  static constexpr std::uint32_t kNetwork = kNetworkAt;
  static constexpr std::uint32_t kUdp = kNetwork + static_cast<std::uint32_t>(kIsIpv6 ? Ipv6::kSize : Ipv4::kSize);
  static constexpr std::uint32_t kBth = kUdp + static_cast<std::uint32_t>(Udp::kSize);
  static constexpr std::uint32_t kExtended = kBth + static_cast<std::uint32_t>(Bth::kSize);

  /// Whether the IP header is usual. `frame` is not shorter than all headers of the shortest shape.
  [[nodiscard, gnu::always_inline]] static bool has_plain_ip(ExpressBytes frame) noexcept {
    const std::uint8_t* const ip = frame.data + kNetwork;
    if constexpr (kIsIpv6) {
      constexpr std::uint8_t kVersion = 0x60;
      if (frame.captured < kUdp || (ip[0] & 0xF0U) != kVersion || ip[6] != ip_protocol::kUdp) return false;
      const std::uint32_t length = load_number<std::uint16_t>(ip + 4);
      return length != 0 && frame.original == kUdp + length;
    } else {
      constexpr std::uint8_t kVersionAndWords = 0x45;
      constexpr ByteArray<2> kFragment{0x3F, 0xFF};  // more of them, or not the first
      return ip[0] == kVersionAndWords && ip[9] == ip_protocol::kUdp && !has_some_bits(ip + 6, kFragment) &&
             frame.original == kNetwork + load_number<std::uint16_t>(ip + 2);
    }
  }

  [[nodiscard, gnu::always_inline]] static std::uint8_t traffic_class(const std::uint8_t* ip) noexcept {
    return kIsIpv6 ? static_cast<std::uint8_t>((ip[0] << 4) | (ip[1] >> 4)) : ip[1];
  }

  /// What is behind an IP header that has_plain_ip(). kNone: all is as the lane wants it.
  [[nodiscard, gnu::always_inline]] static ExpressReason reason_behind_ip(ExpressBytes frame) noexcept {
    const auto [data, captured, original] = frame;
    if (captured < kExtended) return ExpressReason::kCut;
    const std::uint8_t* const udp = data + kUdp;
    if (load_number<std::uint16_t>(udp + 2) != udp_port::kRoce ||
        load_number<std::uint16_t>(udp + 4) != original - kUdp) {
      return ExpressReason::kShape;
    }
    const std::uint8_t* const bth = data + kBth;
    const ExpressForm& form = kExpressForms[bth[0]];
    if (!form.is_express) {
      return opcode_info(bth[0]).transport == Transport::kRc ? ExpressReason::kOperation : ExpressReason::kTransport;
    }
    const std::uint32_t payload_offset = kExtended + form.extension;
    if (captured < payload_offset) return ExpressReason::kCut;
    constexpr ByteArray<8> kUnusual{0x0F, 0, 0, 0xFF, 0, 0, 0, 0x7F};  // version, FECN, BECN and reserved bits
    if (has_some_bits(bth + 1, kUnusual)) return ExpressReason::kShape;
    constexpr std::uint8_t kEcn = 3;
    if ((traffic_class(data + kNetwork) & kEcn) == static_cast<std::uint8_t>(Ecn::kCe)) return ExpressReason::kCe;
    const std::uint32_t pad = (bth[1] >> 4) & 3U;
    const std::uint32_t tail = pad + static_cast<std::uint32_t>(Icrc::kSize);
    if (original < payload_offset + tail) return ExpressReason::kShape;
    if (captured < original) {
      if (captured >= original - tail) return ExpressReason::kCut;  // it ends within the pad or the ICRC
    } else if (pad != 0) {
      for (std::uint32_t i = original - tail; i < original - Icrc::kSize; ++i) {
        if (data[i] != 0) return ExpressReason::kShape;
      }
    }
    constexpr std::uint8_t kMostCredits = 0x1F;  // above it is no positive one
    const bool has_aeth = form.has_aeth;         // nobody could foresee it: one branch that is hardly ever taken
    const auto credits = static_cast<std::uint8_t>(data[kExtended * static_cast<std::uint32_t>(has_aeth)] - 1U);
    if (has_aeth & (credits >= kMostCredits)) return ExpressReason::kResponse;
    const std::uint32_t words = original - payload_offset - static_cast<std::uint32_t>(Icrc::kSize);  // and the pad
    return (words & static_cast<std::uint32_t>(form.no_bits)) == 0 ? ExpressReason::kNone : ExpressReason::kShape;
  }
};

/// IPv4 or IPv6, with a VLAN tag or without.
inline constexpr std::size_t kExpressShapes = 4;

/// Calls `use` with the ExpressShape of a frame of Ethernet and its number, below kExpressShapes: where its IP header is, not more. Gives
/// what that returns, or why the frame has none.
template <class Use>
[[nodiscard, gnu::always_inline]] inline ExpressReason with_express_shape(ExpressBytes frame, std::int64_t time,
                                                                          Use use) noexcept {
  constexpr std::size_t kShortest = Ethernet::kSize + Ipv4::kSize + Udp::kSize + Bth::kSize;
  const auto [data, captured, original] = frame;
  if (captured > original) return ExpressReason::kShape;
  if (captured < kShortest) return captured < original ? ExpressReason::kCut : ExpressReason::kShape;
  if (time < 0) return ExpressReason::kShape;
  constexpr auto kUntagged = static_cast<std::uint32_t>(Ethernet::kSize);
  constexpr auto kTagged = static_cast<std::uint32_t>(Ethernet::kSize + Vlan::kSize);
  const auto type = load_number<std::uint16_t>(data + kUntagged - 2);
  if (type == ether_type::kIpv4) return use(ExpressShape<kUntagged, false>(), std::uint8_t{0});
  if (type == ether_type::kIpv6) return use(ExpressShape<kUntagged, true>(), std::uint8_t{1});
  if (type != ether_type::kVlan) return ExpressReason::kShape;
  const auto tagged = load_number<std::uint16_t>(data + kTagged - 2);
  if (tagged == ether_type::kIpv4) return use(ExpressShape<kTagged, false>(), std::uint8_t{2});
  if (tagged == ether_type::kIpv6) return use(ExpressShape<kTagged, true>(), std::uint8_t{3});
  return ExpressReason::kShape;
}

}  // namespace rocescope
