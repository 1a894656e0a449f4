// REJ, reject, and MRA, message receipt acknowledgement, of the communication manager, IBTA 12.6.7 and 12.6.6 (what
// follows the MAD header).
//
// REJ:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | M |  Reserved | Info length |R|             Reason            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /            Additional reject information (72 bytes)           /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (148 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// MRA:
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                     Local communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Remote communication ID                    |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   | M |  Reserved | Timeout | Resv|            Private            |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                                                               |
//   /                    Private data (220 bytes)                   /
//   |                                                               |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// M: message rejected or MRAed. Timeout: service timeout. Private: the first two of 222 bytes of private data.
#pragma once

#include "rocescope/headers/cm_names.hpp"

namespace rocescope {

struct CmRej : HeaderView<CmRej> {
  static constexpr HeaderKind kKind = HeaderKind::kCmRej;
  static constexpr std::string_view kName = "infiniband.cm.rej";
  static constexpr std::string_view kTitle = "CM REJ: Reject";
  static constexpr std::string_view kReference = "IBTA 12.6.7";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.rej.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.rej.remotecommid", "Remote communication ID", 32, 32).part(),
      cm_code("infiniband.cm.rej.msgrej", "Message rejected", 64, 2).named(kRejMessageNames),
      cm_code("infiniband.cm.rej.reserved0", "Reserved", 66, 6),
      cm_code("infiniband.cm.rej.rejinfolen", "Reject info length", 72, 7),
      cm_code("infiniband.cm.rej.reserved1", "Reserved", 79, 1),
      field::hex("infiniband.cm.rej.reason", "Reason", 80, 16).part().named(kRejReasonNames),
      field::bytes("infiniband.cm.rej.ari", "Additional reject information", 96, 576).part(),
      field::bytes("infiniband.cm.rej.private", "Private data", 672, 1184).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.rej.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.rej.remotecommid">();
  }
  /// 0 REQ, 1 REP, 2 none.
  [[nodiscard]] constexpr std::uint8_t message_rejected() const noexcept { return get<"infiniband.cm.rej.msgrej">(); }
  [[nodiscard]] constexpr std::uint16_t reason() const noexcept { return get<"infiniband.cm.rej.reason">(); }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.rej.private">(); }
};

struct CmMra : HeaderView<CmMra> {
  static constexpr HeaderKind kKind = HeaderKind::kCmMra;
  static constexpr std::string_view kName = "infiniband.cm.mra";
  static constexpr std::string_view kTitle = "CM MRA: Message Receipt Acknowledgement";
  static constexpr std::string_view kReference = "IBTA 12.6.6";
  static constexpr std::size_t kSize = kMadDataSize;
  static constexpr Field kFields[] = {
      mad_data_field(),
      field::hex("infiniband.cm.mra.localcommid", "Local communication ID", 0, 32).part(),
      field::hex("infiniband.cm.mra.remotecommid", "Remote communication ID", 32, 32).part(),
      cm_code("infiniband.cm.mra.msgmraed", "Message MRAed", 64, 2).named(kMraMessageNames),
      cm_code("infiniband.cm.mra.reserved0", "Reserved", 66, 6),
      cm_code("infiniband.cm.mra.servicetout", "Service timeout", 72, 5).named(kCmTimeoutNames),
      cm_code("infiniband.cm.mra.reserved1", "Reserved", 77, 3),
      field::bytes("infiniband.cm.mra.private", "Private data", 80, 1776).part(),
  };
  using HeaderView::HeaderView;

  [[nodiscard]] constexpr std::uint32_t local_comm_id() const noexcept {
    return get<"infiniband.cm.mra.localcommid">();
  }
  [[nodiscard]] constexpr std::uint32_t remote_comm_id() const noexcept {
    return get<"infiniband.cm.mra.remotecommid">();
  }
  /// 0 REQ, 1 REP, 2 LAP.
  [[nodiscard]] constexpr std::uint8_t message() const noexcept { return get<"infiniband.cm.mra.msgmraed">(); }
  [[nodiscard]] constexpr std::int64_t service_timeout_ns() const noexcept {
    return cm_timeout_ns(get<"infiniband.cm.mra.servicetout">());
  }
  [[nodiscard]] constexpr Bytes private_data() const noexcept { return get<"infiniband.cm.mra.private">(); }
};

}  // namespace rocescope
