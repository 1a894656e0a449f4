// RTRS, the transport of the RDMA Network Block Device (Linux, drivers/infiniband/ulp/rtrs/rtrs-pri.h). Immediate data
// are big-endian, all else is little-endian.
//
// Immediate data of a WRITE or a SEND:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |Type 0 |        Buffer, and where the message is in it         |     request
//   |Type 1,2|   Error number   |              Buffer               |     response (4 bits, 9 bits, 19 bits)
//   |Type 8,9|                   Not used                           |     heartbeat, and its ACK
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// A request is one WRITE: data, then the header of the user (RNBD), then the message, READ or WRITE.
//   |             Type              |  Length of the user's header  |     WRITE
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |             Type              |  Length of the user's header  |     READ
//   |             Flags             |     Number of descriptors     |
//   /         Descriptors: address (8), R_Key (4), length (4)       /
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/header.hpp"

namespace rocescope {

enum class RtrsImmediate : std::uint8_t {
  kRequest = 0,
  kResponse = 1,
  kResponseInvalidates = 2,
  kHeartbeat = 8,
  kHeartbeatAck = 9
};
inline constexpr ValueName kRtrsImmediateNames[] = {{0, 0, "IO Request"},
                                                    {1, 1, "IO Response"},
                                                    {2, 2, "IO Response, invalidates"},
                                                    {8, 8, "Heartbeat"},
                                                    {9, 9, "Heartbeat ACK"}};

enum class RtrsType : std::uint16_t { kInfoRequest = 0, kInfoResponse = 1, kWrite = 2, kRead = 3, kRKeyResponse = 4 };
inline constexpr ValueName kRtrsTypeNames[] = {
    {0, 0, "Info Request"}, {1, 1, "Info Response"}, {2, 2, "Write"}, {3, 3, "Read"}, {4, 4, "R_Key Response"}};

/// In the place of ImmDt, where a connection is known to be one of RTRS.
struct RtrsImmDt : HeaderView<RtrsImmDt> {
  static constexpr HeaderKind kKind = HeaderKind::kRtrsImmDt;
  static constexpr std::string_view kName = "rocescope.rtrs";
  static constexpr std::string_view kTitle = "Immediate Data of RTRS";
  static constexpr std::string_view kReference = "Linux, enum rtrs_imm_type";
  static constexpr std::size_t kSize = 4;

  static constexpr RtrsImmediate type_of(const std::uint8_t* header) { return RtrsImmediate(header[0] >> 4U); }
  static constexpr bool is_response(const std::uint8_t* header) {
    return type_of(header) == RtrsImmediate::kResponse || type_of(header) == RtrsImmediate::kResponseInvalidates;
  }
  static constexpr bool is_no_response(const std::uint8_t* header) { return !is_response(header); }

  static constexpr Field kFields[] = {
      field::bytes("infiniband.immdt", "Immediate data", 0, 32),
      field::number("rocescope.rtrs.imm_type", "Type", 0, 4).named(kRtrsImmediateNames).part(),
      field::number("rocescope.rtrs.errno", "Error number", 4, 9).part().when(is_response),
      field::number("rocescope.rtrs.buffer", "Buffer", 13, 19).part().when(is_response),
      field::hex("rocescope.rtrs.payload", "Payload", 4, 28).part().when(is_no_response),
  };
  using HeaderView::HeaderView;
};

namespace detail {
[[nodiscard]] constexpr Field rtrs_type() {
  return field::number("rocescope.rtrs.type", "Type", 0, 16).named(kRtrsTypeNames).little_endian();
}
[[nodiscard]] constexpr Field rtrs_number(std::string_view name, std::string_view label, std::uint32_t at,
                                          std::uint32_t width) {
  return field::number(name, label, at, width).little_endian();
}
}  // namespace detail

struct RtrsInfoRequest : HeaderView<RtrsInfoRequest> {
  static constexpr HeaderKind kKind = HeaderKind::kRtrsInfoRequest;
  static constexpr std::string_view kName = "rocescope.rtrs.info_req";
  static constexpr std::string_view kTitle = "RTRS Info Request";
  static constexpr std::string_view kReference = "Linux, struct rtrs_msg_info_req";
  static constexpr std::size_t kSize = 272;
  static constexpr Field kFields[] = {
      detail::rtrs_type(),
      field::text("rocescope.rtrs.path", "Path", 16, 2'040),
      field::bytes("rocescope.rtrs.reserved", "Reserved", 2'056, 120),
  };
  using HeaderView::HeaderView;
};

/// Descriptors of the buffers follow.
struct RtrsInfoResponse : HeaderView<RtrsInfoResponse> {
  static constexpr HeaderKind kKind = HeaderKind::kRtrsInfoResponse;
  static constexpr std::string_view kName = "rocescope.rtrs.info_rsp";
  static constexpr std::string_view kTitle = "RTRS Info Response";
  static constexpr std::string_view kReference = "Linux, struct rtrs_msg_info_rsp";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      detail::rtrs_type(),
      detail::rtrs_number("rocescope.rtrs.sg_cnt", "Number of descriptors", 16, 16),
      field::bytes("rocescope.rtrs.reserved", "Reserved", 32, 32),
  };
  using HeaderView::HeaderView;
};

struct RtrsDescriptor : HeaderView<RtrsDescriptor> {
  static constexpr HeaderKind kKind = HeaderKind::kRtrsDescriptor;
  static constexpr std::string_view kName = "rocescope.rtrs.desc";
  static constexpr std::string_view kTitle = "RTRS Descriptor";
  static constexpr std::string_view kReference = "Linux, struct rtrs_sg_desc";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kRepeats = true;
  static constexpr Field kFields[] = {
      field::hex("rocescope.rtrs.desc.va", "Address", 0, 64).little_endian(),
      field::hex("rocescope.rtrs.desc.r_key", "R_Key", 64, 32).little_endian().also("rocescope.rtrs.r_key"),
      detail::rtrs_number("rocescope.rtrs.desc.len", "Length", 96, 32),
  };
  using HeaderView::HeaderView;
};

/// The buffer has another R_Key from now on.
struct RtrsRKeyResponse : HeaderView<RtrsRKeyResponse> {
  static constexpr HeaderKind kKind = HeaderKind::kRtrsRKeyResponse;
  static constexpr std::string_view kName = "rocescope.rtrs.rkey_rsp";
  static constexpr std::string_view kTitle = "RTRS R_Key Response";
  static constexpr std::string_view kReference = "Linux, struct rtrs_msg_rkey_rsp";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      detail::rtrs_type(),
      detail::rtrs_number("rocescope.rtrs.rkey_rsp.buffer", "Buffer", 16, 16),
      field::hex("rocescope.rtrs.rkey_rsp.r_key", "R_Key", 32, 32).little_endian().also("rocescope.rtrs.r_key"),
  };
  using HeaderView::HeaderView;
};

/// Descriptors of the client's memory follow.
struct RtrsRead : HeaderView<RtrsRead> {
  static constexpr HeaderKind kKind = HeaderKind::kRtrsRead;
  static constexpr std::string_view kName = "rocescope.rtrs.read";
  static constexpr std::string_view kTitle = "RTRS Read";
  static constexpr std::string_view kReference = "Linux, struct rtrs_msg_rdma_read";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      detail::rtrs_type(),
      detail::rtrs_number("rocescope.rtrs.usr_len", "Length of the user's header", 16, 16),
      field::hex("rocescope.rtrs.flags", "Flags", 32, 16).little_endian(),
      detail::rtrs_number("rocescope.rtrs.sg_cnt", "Number of descriptors", 48, 16),
  };
  using HeaderView::HeaderView;
};

struct RtrsWrite : HeaderView<RtrsWrite> {
  static constexpr HeaderKind kKind = HeaderKind::kRtrsWrite;
  static constexpr std::string_view kName = "rocescope.rtrs.write";
  static constexpr std::string_view kTitle = "RTRS Write";
  static constexpr std::string_view kReference = "Linux, struct rtrs_msg_rdma_write";
  static constexpr std::size_t kSize = 4;
  static constexpr Field kFields[] = {
      detail::rtrs_type(),
      detail::rtrs_number("rocescope.rtrs.usr_len", "Length of the user's header", 16, 16),
  };
  using HeaderView::HeaderView;
};

/// Private data of REQ and REP.
struct RtrsPrivateData {
  static constexpr std::uint64_t kMagic = 0x1BBD;
  static constexpr std::uint64_t kMajor = 2;  // of the version
  static constexpr std::size_t kRequestSize = 56;
  static constexpr std::size_t kResponseSize = 56;

  /// `data` has 56 bytes at least.
  static constexpr bool is_request(const std::uint8_t* data) noexcept {
    return data[0] == 0 && data[1] == 0 && load_little_endian(data + 2, 2) == kMagic;
  }
  static constexpr bool is_response(const std::uint8_t* data) noexcept {
    return load_little_endian(data, 2) == kMagic && load_little_endian(data + 2, 2) >> 8U == kMajor;
  }
};

namespace detail {

/// Rows of the private data of a REQ, whose first bit is `at`.
[[nodiscard]] constexpr auto rtrs_request_rows(std::uint32_t at) {
  return std::array{
      field::bytes("rocescope.rtrs.conn.rsvd", "Reserved", at, 16),
      field::hex("rocescope.rtrs.conn.magic", "Magic number", at + 16, 16).little_endian(),
      field::hex("rocescope.rtrs.conn.version", "Version", at + 32, 16).little_endian(),
      rtrs_number("rocescope.rtrs.conn.cid", "Connection", at + 48, 16),
      rtrs_number("rocescope.rtrs.conn.cid_num", "Connections", at + 64, 16),
      rtrs_number("rocescope.rtrs.conn.recon_cnt", "Reconnects", at + 80, 16),
      field::bytes("rocescope.rtrs.conn.sess_uuid", "Session", at + 96, 128),
      field::bytes("rocescope.rtrs.conn.paths_uuid", "Paths", at + 224, 128),
      field::hex("rocescope.rtrs.conn.rsvd_bits", "Reserved", at + 352, 7).digits(2),
      field::flag("rocescope.rtrs.conn.first", "First connection", at + 359),
      field::bytes("rocescope.rtrs.conn.rsvd", "Reserved", at + 360, 88),
  };
}
/// Of a REP, whose field ends at `end`.
[[nodiscard]] constexpr auto rtrs_response_rows(std::uint32_t at, std::uint32_t end) {
  return std::array{
      field::hex("rocescope.rtrs.conn.magic", "Magic number", at, 16).little_endian(),
      field::hex("rocescope.rtrs.conn.version", "Version", at + 16, 16).little_endian(),
      rtrs_number("rocescope.rtrs.conn.errno", "Error number", at + 32, 16),
      rtrs_number("rocescope.rtrs.conn.queue_depth", "Queue depth", at + 48, 16),
      rtrs_number("rocescope.rtrs.conn.max_io_size", "Largest data", at + 64, 32),
      rtrs_number("rocescope.rtrs.conn.max_hdr_size", "Largest header", at + 96, 32),
      field::hex("rocescope.rtrs.conn.flags", "Flags", at + 128, 32).little_endian(),
      field::bytes("rocescope.rtrs.conn.rsvd", "Reserved", at + 160, end - at - 160),
  };
}

}  // namespace detail
}  // namespace rocescope
