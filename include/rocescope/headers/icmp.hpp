// Internet Control Message Protocol for IPv4, RFC 792, and IPv6, RFC 4443: what all messages share.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |      Code     |            Checksum           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

inline constexpr ValueName kIcmpTypeNames[] = {{0, 0, "echo reply"},
                                               {3, 3, "destination unreachable"},
                                               {4, 4, "source quench"},
                                               {5, 5, "redirect"},
                                               {8, 8, "echo request"},
                                               {9, 9, "router advertisement"},
                                               {10, 10, "router solicitation"},
                                               {11, 11, "time exceeded"},
                                               {12, 12, "parameter problem"},
                                               {13, 13, "timestamp request"},
                                               {14, 14, "timestamp reply"}};
inline constexpr ValueName kIcmpv6TypeNames[] = {{1, 1, "destination unreachable"},
                                                 {2, 2, "packet too big"},
                                                 {3, 3, "time exceeded"},
                                                 {4, 4, "parameter problem"},
                                                 {128, 128, "echo request"},
                                                 {129, 129, "echo reply"},
                                                 {130, 130, "multicast listener query"},
                                                 {131, 131, "multicast listener report"},
                                                 {132, 132, "multicast listener done"},
                                                 {133, 133, "router solicitation"},
                                                 {134, 134, "router advertisement"},
                                                 {135, 135, "neighbor solicitation"},
                                                 {136, 136, "neighbor advertisement"},
                                                 {137, 137, "redirect"},
                                                 {143, 143, "multicast listener report v2"}};

struct Icmp : HeaderView<Icmp> {
  static constexpr HeaderKind kKind = HeaderKind::kIcmp;
  static constexpr std::string_view kName = "icmp";
  static constexpr std::string_view kTitle = "Internet Control Message Protocol";
  static constexpr std::string_view kReference = "RFC 792";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("icmp.type", "Type", 0, 8).named(kIcmpTypeNames),
      field::number("icmp.code", "Code", 8, 8),
      field::hex("icmp.checksum", "Checksum", 16, 16),
  };
  using HeaderView::HeaderView;
};

struct Icmpv6 : HeaderView<Icmpv6> {
  static constexpr HeaderKind kKind = HeaderKind::kIcmpv6;
  static constexpr std::string_view kName = "icmpv6";
  static constexpr std::string_view kTitle = "Internet Control Message Protocol version 6";
  static constexpr std::string_view kReference = "RFC 4443";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      field::number("icmpv6.type", "Type", 0, 8).named(kIcmpv6TypeNames),
      field::number("icmpv6.code", "Code", 8, 8),
      field::hex("icmpv6.checksum", "Checksum", 16, 16),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
