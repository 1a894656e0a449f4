// The header of RDS, Reliable Datagram Sockets, before each fragment of a datagram (Linux, net/rds/rds.h). All numbers
// are big-endian.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                  Sequence number (8 bytes)                    /
//   /              Acknowledged sequence number (8 bytes)           /
//   |                    Length of the datagram                     |
//   |          Source port          |        Destination port       |
//   |     Flags     |    Credits    |         Padding (4 bytes)     |
//   |                               |            Checksum           |
//   /               Extension headers (16 bytes)                    /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
#pragma once

#include <cstddef>
#include <string_view>

#include "rocescope/header.hpp"

namespace rocescope {

struct RdsHeader : HeaderView<RdsHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsHeader;
  static constexpr std::string_view kName = "rocescope.rds";
  static constexpr std::string_view kTitle = "RDS";
  static constexpr std::string_view kReference = "Linux, struct rds_header";
  static constexpr std::size_t kSize = 48;
  static constexpr Field kFields[] = {
      field::number("rocescope.rds.sequence", "Sequence number", 0, 64),
      field::number("rocescope.rds.ack", "Acknowledged sequence number", 64, 64),
      field::number("rocescope.rds.len", "Length of the datagram", 128, 32),
      field::number("rocescope.rds.sport", "Source port", 160, 16).also("rocescope.rds.port"),
      field::number("rocescope.rds.dport", "Destination port", 176, 16).also("rocescope.rds.port"),
      field::hex("rocescope.rds.flags", "Flags", 192, 8),
      field::hex("rocescope.rds.flags.reserved", "Reserved", 192, 5).digits(2).part(),
      field::flag("rocescope.rds.flags.retransmitted", "Sent again", 197).part(),
      field::flag("rocescope.rds.flags.ack_required", "ACK required", 198).part(),
      field::flag("rocescope.rds.flags.congestion", "Congestion map", 199).part(),
      field::number("rocescope.rds.credit", "Credits", 200, 8),
      field::bytes("rocescope.rds.padding", "Padding", 208, 32),
      field::hex("rocescope.rds.checksum", "Checksum", 240, 16),
      field::bytes("rocescope.rds.extensions", "Extension headers", 256, 128),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
