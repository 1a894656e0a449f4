// Transmission Control Protocol, RFC 9293 3.1: enough to tell TCP from RDMA and to read ports and sequence numbers.
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
#pragma once

#include "rocescope/header.hpp"

namespace rocescope {

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

}  // namespace rocescope
