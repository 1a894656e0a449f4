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
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// 16 bytes of extension headers follow, one behind the other, each without padding; a type 0 ends them:
//   |     Type 1    |                    Version                    /
//   |     Type 2    |       R_Key of memory that was used           /
//   |     Type 3    |       R_Key of memory to use                  /  Offset
//   |     Type 5    |       Number of paths         |
//   |     Type 6    |                   Generation                  /
#pragma once

#include <cstddef>
#include <string_view>

#include "rocescope/header.hpp"
#include "rocescope/headers/rds/private.hpp"

namespace rocescope {

struct RdsHeader : HeaderView<RdsHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsHeader;
  static constexpr std::string_view kName = "rocescope.rds";
  static constexpr std::string_view kTitle = "RDS";
  static constexpr std::string_view kReference = "Linux, struct rds_header";
  static constexpr std::size_t kSize = 32;
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
  };
  using HeaderView::HeaderView;
};

/// Of its extension headers together.
inline constexpr std::size_t kRdsExtensionsSize = 16;

inline constexpr ValueName kRdsExtensionNames[] = {
    {0, 0, "End"},        {1, 1, "Version"}, {2, 2, "RDMA"}, {3, 3, "RDMA Destination"}, {5, 5, "Number of Paths"},
    {6, 6, "Generation"},
};

namespace detail {
[[nodiscard]] constexpr Field rds_extension_type() {
  return field::number("rocescope.rds.ext", "Type", 0, 8).named(kRdsExtensionNames);
}
}  // namespace detail

struct RdsVersion : HeaderView<RdsVersion> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsVersion;
  static constexpr std::string_view kName = "rocescope.rds.version_header";
  static constexpr std::string_view kTitle = "RDS Version";
  static constexpr std::string_view kReference = "Linux, struct rds_ext_header_version";
  static constexpr std::uint8_t kType = 1;
  static constexpr std::size_t kSize = 5;
  static constexpr Field kFields[] = {
      detail::rds_extension_type(),
      field::number("rocescope.rds.version", "Version", 8, 32),
  };
  using HeaderView::HeaderView;
};

/// The datagram comes with the end of an RDMA operation.
struct RdsRdma : HeaderView<RdsRdma> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsRdma;
  static constexpr std::string_view kName = "rocescope.rds.rdma";
  static constexpr std::string_view kTitle = "RDS RDMA";
  static constexpr std::string_view kReference = "Linux, struct rds_ext_header_rdma";
  static constexpr std::uint8_t kType = 2;
  static constexpr std::size_t kSize = 5;
  static constexpr Field kFields[] = {
      detail::rds_extension_type(),
      field::hex("rocescope.rds.rdma.r_key", "R_Key of memory that was used", 8, 32).also("rocescope.rds.r_key"),
  };
  using HeaderView::HeaderView;
};

/// The datagram names memory that its receiver may READ or WRITE.
struct RdsRdmaDestination : HeaderView<RdsRdmaDestination> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsRdmaDestination;
  static constexpr std::string_view kName = "rocescope.rds.rdma_dest";
  static constexpr std::string_view kTitle = "RDS RDMA Destination";
  static constexpr std::string_view kReference = "Linux, struct rds_ext_header_rdma_dest";
  static constexpr std::uint8_t kType = 3;
  static constexpr std::size_t kSize = 9;
  static constexpr Field kFields[] = {
      detail::rds_extension_type(),
      field::hex("rocescope.rds.rdma_dest.r_key", "R_Key of memory to use", 8, 32).also("rocescope.rds.r_key"),
      field::hex("rocescope.rds.rdma_dest.offset", "Offset", 40, 32),
  };
  using HeaderView::HeaderView;
};

struct RdsPaths : HeaderView<RdsPaths> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsPaths;
  static constexpr std::string_view kName = "rocescope.rds.paths_header";
  static constexpr std::string_view kTitle = "RDS Number of Paths";
  static constexpr std::string_view kReference = "Linux, RDS_EXTHDR_NPATHS";
  static constexpr std::uint8_t kType = 5;
  static constexpr std::size_t kSize = 3;
  static constexpr Field kFields[] = {
      detail::rds_extension_type(),
      field::number("rocescope.rds.paths", "Number of paths", 8, 16),
  };
  using HeaderView::HeaderView;
};

struct RdsGeneration : HeaderView<RdsGeneration> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsGeneration;
  static constexpr std::string_view kName = "rocescope.rds.generation_header";
  static constexpr std::string_view kTitle = "RDS Generation";
  static constexpr std::string_view kReference = "Linux, RDS_EXTHDR_GEN_NUM";
  static constexpr std::uint8_t kType = 6;
  static constexpr std::size_t kSize = 5;
  static constexpr Field kFields[] = {
      detail::rds_extension_type(),
      field::hex("rocescope.rds.generation", "Generation", 8, 32),
  };
  using HeaderView::HeaderView;
};

/// The end of the extension headers, or one that is not known, with all that is behind.
struct RdsExtensionEnd : HeaderView<RdsExtensionEnd> {
  static constexpr HeaderKind kKind = HeaderKind::kRdsExtensionEnd;
  static constexpr std::string_view kName = "rocescope.rds.ext_end";
  static constexpr std::string_view kTitle = "RDS Extension Header";
  static constexpr std::string_view kReference = "Linux, struct rds_header";
  static constexpr std::size_t kSize = 1;
  static constexpr Field kFields[] = {
      detail::rds_extension_type(),
      field::bytes("rocescope.rds.ext.rest", "Rest", 8),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
