#include "tracking/express/express_packet.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/nccl/nccl_clear_to_send.hpp"
#include "rocescope/detail/shard.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tail.hpp"
#include "rocescope/headers/transport.hpp"

namespace rocescope {
namespace {

static_assert(ImmDt::kSize == Ieth::kSize);

/// What lies between the BTH and the payload of an opcode.
struct Form {
  bool is_express : 1 = false;   ///< its packets may take the express lane
  bool begins_send : 1 = false;  ///< in one byte with it: a form has eight
  bool is_write : 1 = false;     ///< a WRITE of one packet
  ExpressKind kind = ExpressKind::kSendOrWrite;
  bool has_reth = false;
  bool has_aeth = false;
  bool has_word = false;  ///< immediate data, or the R_Key that a SEND invalidates
  bool has_payload = false;
  std::uint8_t flags = 0;      ///< of ExpressPacket
  std::uint8_t extension = 0;  ///< bytes
};

static_assert(sizeof(Form) == 8);

constexpr Form form_of(const OpcodeInfo& opcode) {
  Form form;
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
  form.has_payload = opcode.has_payload;
  form.flags = static_cast<std::uint8_t>((form.has_reth ? ExpressPacket::kHasReth : 0) +
                                         (form.has_aeth ? ExpressPacket::kHasMsn : 0));
  form.extension = static_cast<std::uint8_t>((form.has_reth ? Reth::kSize : 0) + (form.has_aeth ? Aeth::kSize : 0) +
                                             (form.has_word ? ImmDt::kSize : 0));
  return form;
}

constexpr auto kForms = [] {
  std::array<Form, 256> forms{};
  for (std::size_t code = 0; code < forms.size(); ++code) {
    forms[code] = form_of(opcode_info(static_cast<std::uint8_t>(code)));
  }
  return forms;
}();

template <class T>
[[gnu::always_inline]] inline T load(const std::uint8_t* bytes) noexcept {
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

/// The IP header at `kAt`. False: it is unusual.
template <std::uint32_t kAt>
[[gnu::always_inline]] inline bool read_ipv4(const Frame& frame, ExpressPacket& express, RocePacket& roce) noexcept {
  const std::uint8_t* const ip = frame.data.data() + kAt;
  constexpr std::uint8_t kVersionAndWords = 0x45;
  constexpr std::uint16_t kFragment = 0x3FFF;  // more of them, or not the first
  const bool plain =
      ip[0] == kVersionAndWords && ip[9] == ip_protocol::kUdp && (load<std::uint16_t>(ip + 6) & kFragment) == 0;
  if (!plain || frame.original_length != kAt + load<std::uint16_t>(ip + 2)) return false;
  express.source = IpAddress::v4(Ipv4(ip).source());
  express.destination = IpAddress::v4(Ipv4(ip).destination());
  express.identification = load<std::uint16_t>(ip + 4);
  express.likeness = ip[1];
  roce.encapsulation = Encapsulation::kRoceV2Ipv4;
  return true;
}

/// The same.
template <std::uint32_t kAt>
[[gnu::always_inline]] inline bool read_ipv6(const Frame& frame, ExpressPacket& express, RocePacket& roce) noexcept {
  if (frame.data.size() < kAt + Ipv6::kSize) return false;
  const Ipv6 header(frame.data.data() + kAt);
  const std::uint32_t length = header.payload_length();
  if (header.version() != 6 || header.next_header() != ip_protocol::kUdp || length == 0) return false;
  if (frame.original_length != kAt + Ipv6::kSize + length) return false;
  express.source = IpAddress::v6(header.source());
  express.destination = IpAddress::v6(header.destination());
  express.identification = 0;
  express.likeness = header.traffic_class();
  roce.encapsulation = Encapsulation::kRoceV2Ipv6;
  return true;
}

/// Apart, so that what needs no look at its payload is read without a call.
[[gnu::noinline]] ExpressReason look_at_message(const Frame& frame, ExpressPacket& express,
                                                const RocePacket& roce) noexcept {
  express.is_like_message =
      has_form_of_message(opcode_info(express.code), frame.data, roce.payload_offset, express.payload);
  return ExpressReason::kNone;
}

/// From the IP header on, which is at `kNetwork`: where things are is known before the packet is.
template <std::uint32_t kNetwork, bool kIsIpv6>
[[nodiscard]] inline ExpressReason read_from_ip(const Frame& frame, ExpressPacket& express, RocePacket& roce,
                                                std::uint64_t priority, const std::uint64_t* others_of) noexcept {
  constexpr std::uint32_t kUdp = kNetwork + static_cast<std::uint32_t>(kIsIpv6 ? Ipv6::kSize : Ipv4::kSize);
  constexpr std::uint32_t kBth = kUdp + static_cast<std::uint32_t>(Udp::kSize);
  constexpr std::uint32_t kExtended = kBth + static_cast<std::uint32_t>(Bth::kSize);
  const std::uint8_t* const data = frame.data.data();
  const std::size_t captured = frame.data.size();
  if constexpr (kIsIpv6) {
    if (!read_ipv6<kNetwork>(frame, express, roce)) return ExpressReason::kShape;
  } else {
    if (!read_ipv4<kNetwork>(frame, express, roce)) return ExpressReason::kShape;
  }
  if (others_of != nullptr && (*others_of >> host_part(express.source, express.destination) & 1U) != 0)
    return ExpressReason::kShape;
  if (captured < kExtended) return ExpressReason::kCut;
  const std::uint8_t* const udp = data + kUdp;
  if (load<std::uint16_t>(udp + 2) != udp_port::kRoce || load<std::uint16_t>(udp + 4) != frame.original_length - kUdp) {
    return ExpressReason::kShape;
  }
  const std::uint8_t* const bth = data + kBth;
  const Form& form = kForms[bth[0]];
  const std::uint32_t payload_offset = kExtended + form.extension;
  if (!form.is_express) {
    return opcode_info(bth[0]).transport == Transport::kRc ? ExpressReason::kOperation : ExpressReason::kTransport;
  }
  if (captured < payload_offset) return ExpressReason::kCut;
  // Version, FECN, BECN and reserved bits.
  constexpr std::uint8_t kVersion = 0x0F;
  constexpr std::uint8_t kReserved7 = 0x7F;
  if (((bth[1] & kVersion) | bth[4] | (bth[8] & kReserved7)) != 0) return ExpressReason::kShape;
  if (ExpressPacket::ecn_of(express.likeness) == Ecn::kCe) return ExpressReason::kCe;
  const std::uint8_t pad = (bth[1] >> 4) & 3U;
  const std::uint32_t tail = pad + static_cast<std::uint32_t>(Icrc::kSize);
  if (frame.original_length < payload_offset + tail) return ExpressReason::kShape;
  const std::uint32_t payload_end = frame.original_length - tail;
  const bool cut = captured < frame.original_length;
  if (cut && captured >= payload_end) return ExpressReason::kCut;  // it ends within the pad or the ICRC
  for (std::uint32_t i = 0; !cut && i < pad; ++i) {
    if (data[payload_end + i] != 0) return ExpressReason::kShape;
  }

  express.code = bth[0];
  express.kind = form.kind;
  express.dest_qp = Qpn(load<std::uint32_t>(bth + 4));
  express.frame = frame.number;
  express.time = frame.timestamp;
  express.message = 0;
  express.wire_length = frame.original_length;
  express.captured = static_cast<std::uint32_t>(captured);
  express.payload = payload_end - payload_offset;
  express.icrc = express.icrc_headers = 0;
  express.psn = Psn(load<std::uint32_t>(bth + 8));
  express.flags = static_cast<std::uint8_t>(pad | (cut ? ExpressPacket::kCut : 0) | form.flags);
  constexpr std::uint8_t kMigrationRequest = 0x40;
  constexpr std::uint64_t kIsCut = 0x100;
  express.likeness |= (cut ? kIsCut << ExpressPacket::kFlagsShift : 0) | ExpressPacket::kIsLikeness |
                      priority << ExpressPacket::kPcpShift |
                      static_cast<std::uint64_t>(load<std::uint16_t>(bth + 2)) << ExpressPacket::kPkeyShift |
                      static_cast<std::uint64_t>(bth[1] & kMigrationRequest) << ExpressPacket::kFlagsShift;
  roce.network_offset = kNetwork;
  roce.bth_offset = kBth;
  roce.payload_offset = payload_offset;
  roce.end_offset = frame.original_length;
  roce.udp_source_port = load<std::uint16_t>(udp);

  const std::uint8_t* const extended = data + kExtended;
  express.address = 0;
  express.key_or_msn = express.dma_length = express.immediate = 0;
  if (form.has_aeth) {
    constexpr std::uint8_t kMostCredits = 0x1F;  // above it is no positive one
    express.key_or_msn = Psn(load<std::uint32_t>(extended)).value();
    if (extended[0] == 0 || extended[0] > kMostCredits) return ExpressReason::kResponse;
  }
  if (form.has_reth) {
    express.address = load<std::uint64_t>(extended);
    express.key_or_msn = load<std::uint32_t>(extended + 8);
    express.dma_length = load<std::uint32_t>(extended + 12);
  }
  if (form.has_word) express.immediate = load<std::uint32_t>(data + payload_offset - ImmDt::kSize);
  express.is_like_message = false;
  const std::uint32_t words = express.payload + pad;
  const bool fits = form.has_payload ? words % 4 == 0 : words == 0;
  if (!fits) return ExpressReason::kShape;
  const bool may_be_message =
      form.begins_send || (form.is_write && (form.has_word || has_length_of_nccl(express.payload)));
  return may_be_message && others_of == nullptr ? look_at_message(frame, express, roce) : ExpressReason::kNone;
}

/// `others_of`: not kNone where a shard with these parts follows its hosts, and no look at the payload; null: all.
[[nodiscard]] inline ExpressReason read(const Frame& frame, ExpressPacket& express, RocePacket& roce,
                                        const std::uint64_t* others_of) noexcept {
  constexpr std::size_t kShortest = Ethernet::kSize + Ipv4::kSize + Udp::kSize + Bth::kSize;
  const std::uint8_t* const data = frame.data.data();
  const std::size_t captured = frame.data.size();
  if (frame.link_type != link_type::kEthernet || captured > frame.original_length) return ExpressReason::kShape;
  if (captured < kShortest) return captured < frame.original_length ? ExpressReason::kCut : ExpressReason::kShape;
  if (frame.timestamp < 0) return ExpressReason::kShape;
  constexpr auto kUntagged = static_cast<std::uint32_t>(Ethernet::kSize);
  constexpr auto kTagged = static_cast<std::uint32_t>(Ethernet::kSize + Vlan::kSize);
  const auto type = load<std::uint16_t>(data + kUntagged - 2);
  express.shape = 0;
  if (type == ether_type::kIpv4) return read_from_ip<kUntagged, false>(frame, express, roce, 0, others_of);
  express.shape = 1;
  if (type == ether_type::kIpv6) return read_from_ip<kUntagged, true>(frame, express, roce, 0, others_of);
  if (type != ether_type::kVlan) return ExpressReason::kShape;
  constexpr unsigned kPriorityShift = 13;
  const std::uint64_t priority = (load<std::uint16_t>(data + kUntagged) >> kPriorityShift) + 1U;
  const auto tagged = load<std::uint16_t>(data + kTagged - 2);
  express.shape = 2;
  if (tagged == ether_type::kIpv4) return read_from_ip<kTagged, false>(frame, express, roce, priority, others_of);
  express.shape = 3;
  if (tagged == ether_type::kIpv6) return read_from_ip<kTagged, true>(frame, express, roce, priority, others_of);
  return ExpressReason::kShape;
}

}  // namespace

ExpressReason read_express(const Frame& frame, ExpressPacket& express, RocePacket& roce) noexcept {
  return read(frame, express, roce, nullptr);
}

/// What read_express() does, of which the compiler leaves little.
[[gnu::flatten]] void glance_at_others(std::span<const Frame> frames, std::uint64_t parts,
                                       std::span<ExpressGlance> glances) noexcept {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ExpressPacket express;
    RocePacket roce;
    const bool is_of_others = read(frames[i], express, roce, &parts) == ExpressReason::kNone;
    glances[i] = is_of_others ? ExpressGlance{express.psn, express.shape, true} : ExpressGlance{};
  }
}

}  // namespace rocescope
