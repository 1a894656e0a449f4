// What carries a BTH without UDP: RoCEv1 and native InfiniBand.
#include "dissectors.hpp"
#include "rocescope/headers/grh.hpp"
#include "rocescope/headers/lrh.hpp"
#include "rocescope/headers/numbers.hpp"
#include "rocescope/headers/tail.hpp"

namespace rocescope::dissectors {
namespace {

/// Takes a GRH and says whether a BTH follows.
bool take_grh(Dissection& d) noexcept {
  const std::uint32_t start = d.offset;
  const auto grh = d.take<Grh>();
  if (!grh) return false;
  d.packet.source = IpAddress::v6(grh->source());
  d.packet.destination = IpAddress::v6(grh->destination());
  d.packet.traffic_class = grh->traffic_class();
  d.packet.ip_protocol = grh->next_header();
  d.narrow(start + Grh::kSize + grh->payload_length(), HeaderKind::kGrh);
  return grh->next_header() == ip_protocol::kBth;
}

}  // namespace

void dissect_roce_v1(Dissection& d) noexcept {
  const std::uint32_t start = d.offset;
  if (take_grh(d)) dissect_bth(d, Encapsulation::kRoceV1, start);
}

void dissect_infiniband(Dissection& d) noexcept {
  constexpr unsigned kBthFollows = 2;
  constexpr unsigned kGrhFollows = 3;
  const std::uint32_t start = d.offset;
  const auto lrh = d.take<Lrh>();
  if (!lrh) return;
  d.packet.source = IpAddress::lid(lrh->source_lid());
  d.packet.destination = IpAddress::lid(lrh->destination_lid());
  d.narrow(start + lrh->packet_words() * 4U, HeaderKind::kLrh);
  if (lrh->next_header() == kGrhFollows && !take_grh(d)) return;
  if (lrh->next_header() >= kBthFollows) dissect_bth(d, Encapsulation::kInfiniBand, start);
}

}  // namespace rocescope::dissectors
