// Packets with a BTH but without UDP: RoCEv1 and native InfiniBand.
#include "rocescope/headers/infiniband.hpp"

#include "dissectors/dissectors.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tail.hpp"

namespace rocescope::dissectors {
namespace {

/// The LRH's link next header.
enum : std::uint8_t { kRaw = 0, kRawIpv6 = 1, kBthFollows = 2, kGrhFollows = 3 };

/// Takes a GRH, which a BTH must follow (IBTA 8.3). Behind an LRH its length must be what the LRH leaves.
bool take_grh(Dissection& d, bool after_lrh) noexcept {
  const std::uint32_t start = d.offset;
  const auto grh = d.take<Grh>();
  if (!grh) return false;
  d.packet.source = IpAddress::v6(grh->source());
  d.packet.destination = IpAddress::v6(grh->destination());
  d.packet.traffic_class = grh->traffic_class();
  d.packet.ip_protocol = grh->next_header();
  const std::uint64_t end = start + std::uint64_t{Grh::kSize} + grh->payload_length();
  if (after_lrh && end != d.end) {
    d.stop(StopReason::kMalformed, HeaderKind::kGrh, grh->payload_length());
    return false;
  }
  d.narrow(end, HeaderKind::kGrh);
  if (grh->next_header() == ip_protocol::kBth) return true;
  d.stop(StopReason::kMalformed, HeaderKind::kGrh);
  return false;
}

/// The VCRC is not a part of the length that the LRH gives; some captures leave it out.
void take_vcrc(Dissection& d, std::uint64_t packet_end, std::uint64_t frame_end) noexcept {
  if (frame_end < packet_end + Vcrc::kSize) return;
  d.end = packet_end;
  if (packet_end > d.data.size()) return;
  d.offset = static_cast<std::uint32_t>(packet_end);
  d.end = packet_end + Vcrc::kSize;
  static_cast<void>(d.take(HeaderKind::kVcrc, Vcrc::kSize));
}

void dissect_after_lrh(Dissection& d, std::uint8_t next_header, std::uint32_t start) noexcept {
  switch (next_header) {
    case kRaw:
      if (const auto raw = d.take<Rwh>()) dissect_ether_type(d, raw->ether_type());
      return;
    case kRawIpv6:
      return dissect_ipv6(d);
    case kGrhFollows:
      if (take_grh(d, true)) dissect_bth(d, Encapsulation::kInfiniBand, start);
      return;
    default:
      return dissect_bth(d, Encapsulation::kInfiniBand, start);
  }
}

}  // namespace

void dissect_roce_v1(Dissection& d) noexcept {
  const std::uint32_t start = d.offset;
  if (take_grh(d, false)) dissect_bth(d, Encapsulation::kRoceV1, start);
}

void dissect_infiniband(Dissection& d) noexcept {
  const std::uint32_t start = d.offset;
  const std::uint64_t frame_end = d.end;
  const auto lrh = d.take<Lrh>();
  if (!lrh) return;
  d.packet.source = IpAddress::lid(lrh->source_lid());
  d.packet.destination = IpAddress::lid(lrh->destination_lid());
  const std::uint64_t length = lrh->packet_words() * std::uint64_t{4};
  if (length < Lrh::kSize) return d.stop(StopReason::kMalformed, HeaderKind::kLrh, Lrh::kSize);
  d.narrow(start + length, HeaderKind::kLrh);
  dissect_after_lrh(d, lrh->next_header(), start);
  take_vcrc(d, start + length, frame_end);
}

}  // namespace rocescope::dissectors
