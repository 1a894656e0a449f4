#include "tracking/express/express_packet.hpp"

#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/nccl/nccl_clear_to_send.hpp"
#include "model/express_shape.hpp"
#include "rocescope/headers/ethernet.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/ipv4.hpp"
#include "rocescope/headers/ipv6.hpp"
#include "rocescope/headers/tail.hpp"

namespace rocescope {
namespace {

[[gnu::always_inline]] inline ExpressBytes bytes_of(const Frame& frame) noexcept {
  return {frame.data.data(), frame.data.size(), frame.original_length};
}

alignas(16) constexpr std::array<std::uint8_t, Reth::kSize> kZeros{};

/// `header`, or zeros, without a branch.
[[gnu::always_inline]] inline const std::uint8_t* chosen(bool is_there, const std::uint8_t* header) noexcept {
  const auto zeros = reinterpret_cast<std::uintptr_t>(kZeros.data());
  const auto mask = std::uintptr_t{0} - static_cast<std::uintptr_t>(is_there);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): one of the two
  return reinterpret_cast<const std::uint8_t*>(zeros ^ ((zeros ^ reinterpret_cast<std::uintptr_t>(header)) & mask));
}

/// Reads from the IP header on. The compiler knows the offsets, by the shape.
template <class Shape>
[[nodiscard, gnu::flatten]] inline ExpressReason read_from_ip(const Frame& frame, std::uint8_t shape,
                                                              ExpressPacket& express, RocePacket& roce) noexcept {
  const ExpressBytes bytes = bytes_of(frame);
  if (!Shape::has_plain_ip(bytes)) return ExpressReason::kShape;
  const ExpressReason reason = Shape::reason_behind_ip(bytes);
  if (reason != ExpressReason::kNone) return reason;
  const auto [data, captured, original] = bytes;
  const std::uint8_t* const ip = data + Shape::kNetwork;
  const std::uint8_t* const bth = data + Shape::kBth;
  const std::uint8_t* const extended = data + Shape::kExtended;
  const ExpressForm& form = kExpressForms[bth[0]];
  const std::uint32_t payload_offset = Shape::kExtended + form.extension;
  const std::uint8_t pad = (bth[1] >> 4) & 3U;
  const bool cut = captured < original;
  if constexpr (Shape::kIsIpv6) {
    express.source = IpAddress::v6(Ipv6(ip).source());
    express.destination = IpAddress::v6(Ipv6(ip).destination());
    express.identification = 0;
    roce.encapsulation = Encapsulation::kRoceV2Ipv6;
  } else {
    express.source = IpAddress::v4(Ipv4(ip).source());
    express.destination = IpAddress::v4(Ipv4(ip).destination());
    express.identification = load_number<std::uint16_t>(ip + 4);
    roce.encapsulation = Encapsulation::kRoceV2Ipv4;
  }
  std::uint64_t priority = 0;
  if constexpr (Shape::kNetwork > Ethernet::kSize) {
    constexpr unsigned kPriorityShift = 13;
    priority = (load_number<std::uint16_t>(data + Ethernet::kSize) >> kPriorityShift) + 1U;
  }
  express.shape = shape;
  express.code = bth[0];
  express.kind = form.kind;
  express.dest_qp = Qpn(load_number<std::uint32_t>(bth + 4));
  express.frame = frame.number;
  express.time = frame.timestamp;
  express.message = 0;
  express.wire_length = original;
  express.captured = static_cast<std::uint32_t>(captured);
  express.payload = original - static_cast<std::uint32_t>(Icrc::kSize) - pad - payload_offset;
  express.icrc = express.icrc_headers = 0;
  express.psn = Psn(load_number<std::uint32_t>(bth + 8));
  express.flags = static_cast<std::uint8_t>(pad | (cut ? ExpressPacket::kCut : 0) | form.flags);
  constexpr std::uint8_t kMigrationRequest = 0x40;
  constexpr std::uint64_t kIsCut = 0x100;
  express.likeness = Shape::traffic_class(ip) | (cut ? kIsCut << ExpressPacket::kFlagsShift : 0) |
                     ExpressPacket::kIsLikeness | priority << ExpressPacket::kPcpShift |
                     static_cast<std::uint64_t>(load_number<std::uint16_t>(bth + 2)) << ExpressPacket::kPkeyShift |
                     static_cast<std::uint64_t>(bth[1] & kMigrationRequest) << ExpressPacket::kFlagsShift |
                     static_cast<std::uint64_t>(frame.capture_id) << ExpressPacket::kCaptureShift;
  roce.network_offset = Shape::kNetwork;
  roce.bth_offset = Shape::kBth;
  roce.payload_offset = payload_offset;
  roce.end_offset = original;
  roce.udp_source_port = load_number<std::uint16_t>(data + Shape::kUdp);

  // Where a header is not, zeros are read: nobody could foresee which ones the next packet has.
  const std::uint8_t* const reth = chosen(form.has_reth, extended);
  const std::uint8_t* const aeth = chosen(form.has_aeth, extended);
  const std::uint8_t* const word = chosen(form.has_word, data + payload_offset - ImmDt::kSize);
  express.address = load_number<std::uint64_t>(reth);
  express.key_or_msn = load_number<std::uint32_t>(reth + 8) | Psn(load_number<std::uint32_t>(aeth)).value();
  express.dma_length = load_number<std::uint32_t>(reth + 12);
  express.immediate = load_number<std::uint32_t>(word);
  express.is_like_message = false;
  return ExpressReason::kNone;
}

}  // namespace

ExpressReason read_express(const Frame& frame, ExpressPacket& express, RocePacket& roce) noexcept {
  if (frame.link_type != link_type::kEthernet) return ExpressReason::kShape;
  return with_express_shape(bytes_of(frame), frame.timestamp, [&](auto shape, std::uint8_t number) {
    return read_from_ip<decltype(shape)>(frame, number, express, roce);
  });
}

void note_form(const Frame& frame, const RocePacket& roce, ExpressPacket& express) noexcept {
  const ExpressForm& form = kExpressForms[express.code];
  if (!form.begins_send && !(form.is_write && (form.has_word || has_length_of_nccl(express.payload)))) return;
  express.is_like_message =
      has_form_of_message(opcode_info(express.code), frame.data, roce.payload_offset, express.payload);
}

}  // namespace rocescope
