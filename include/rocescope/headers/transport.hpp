// Transport headers over IP: UDP and TCP; and ICMP.
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/numbers.hpp"

namespace rocescope {

// User Datagram Protocol, RFC 768.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Source port          |        Destination port       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Length            |            Checksum           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

struct Udp : HeaderView<Udp> {
  static constexpr HeaderKind kKind = HeaderKind::kUdp;
  static constexpr std::string_view kName = "udp";
  static constexpr std::string_view kTitle = "User Datagram Protocol";
  static constexpr std::string_view kReference = "RFC 768";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("udp.srcport", "Source port", 0, 16).also("udp.port"),
      field::number("udp.dstport", "Destination port", 16, 16).also("udp.port"),
      field::number("udp.length", "Length", 32, 16),
      field::hex("udp.checksum", "Checksum", 48, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t source_port() const noexcept { return get<"udp.srcport">(); }
  [[nodiscard]] constexpr std::uint16_t destination_port() const noexcept { return get<"udp.dstport">(); }
  [[nodiscard]] constexpr std::uint16_t length() const noexcept { return get<"udp.length">(); }
};

// Transmission Control Protocol, RFC 9293 3.1: enough to distinguish TCP from RDMA and to read ports and sequence numbers.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |          Source port          |        Destination port       |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Sequence number                        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Acknowledgment number                     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | Offset| Resv|A|C|E|U|A|P|R|S|F|             Window            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |            Checksum           |         Urgent pointer        |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Flags: AE, CWR, ECE, URG, ACK, PSH, RST, SYN, FIN. Options follow up to four times Offset bytes.

struct Tcp : HeaderView<Tcp> {
  static constexpr HeaderKind kKind = HeaderKind::kTcp;
  static constexpr std::string_view kName = "tcp";
  static constexpr std::string_view kTitle = "Transmission Control Protocol";
  static constexpr std::string_view kReference = "RFC 9293";
  static constexpr std::size_t kSize = 20;
  static constexpr Field kFields[] = {
      field::number("tcp.srcport", "Source port", 0, 16).also("tcp.port"),
      field::number("tcp.dstport", "Destination port", 16, 16).also("tcp.port"),
      field::number("tcp.seq_raw", "Sequence number", 32, 32),
      field::number("tcp.ack_raw", "Acknowledgment number", 64, 32),
      field::number("tcp.hdr_len", "Header length", 96, 4).times(4),
      field::hex("tcp.flags", "Flags", 100, 12).digits(4),
      field::number("tcp.flags.res", "Reserved", 100, 3).part(),
      field::flag("tcp.flags.ae", "Accurate ECN", 103).part(),
      field::flag("tcp.flags.cwr", "Congestion window reduced", 104).part(),
      field::flag("tcp.flags.ece", "ECN echo", 105).part(),
      field::flag("tcp.flags.urg", "Urgent", 106).part(),
      field::flag("tcp.flags.ack", "Acknowledgment", 107).part(),
      field::flag("tcp.flags.push", "Push", 108).part(),
      field::flag("tcp.flags.reset", "Reset", 109).part(),
      field::flag("tcp.flags.syn", "Syn", 110).part(),
      field::flag("tcp.flags.fin", "Fin", 111).part(),
      field::number("tcp.window_size_value", "Window", 112, 16),
      field::hex("tcp.checksum", "Checksum", 128, 16),
      field::number("tcp.urgent_pointer", "Urgent pointer", 144, 16),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint16_t source_port() const noexcept { return get<"tcp.srcport">(); }
  [[nodiscard]] constexpr std::uint16_t destination_port() const noexcept { return get<"tcp.dstport">(); }
  [[nodiscard]] constexpr std::uint8_t header_words() const noexcept { return get<"tcp.hdr_len">(); }
};

// Internet Control Message Protocol for IPv4, RFC 792, and IPv6, RFC 4443: what all messages share.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |      Code     |            Checksum           |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

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
