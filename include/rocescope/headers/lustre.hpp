// o2iblnd, which carries the messages of LNet, of Lustre, over RDMA (lustre-release, o2iblnd-idl.h and lnet-idl.h).
// Each SEND begins with the same header, as the private data of the CM do, but for those of a REJ. Numbers are in the
// order of bytes of their sender: little-endian here, as of all machines that run it nowadays.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                    Magic number 0x0BE91B91                    |
//   |            Version            |      Type     |    Credits    |
//   |                       Length of the whole                     |
//   |                            Checksum                           |
//   /           Source NID (8 bytes), and its time stamp (8)        /
//   /         Destination NID (8 bytes), and its time stamp (8)     /
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/header.hpp"

namespace rocescope {

enum class LustreMessage : std::uint8_t {
  kConnectRequest = 0xC0,
  kConnectAck = 0xC1,
  kNoop = 0xD0,
  kImmediate = 0xD1,
  kPutRequest = 0xD2,
  kPutNak = 0xD3,
  kPutAck = 0xD4,
  kPutDone = 0xD5,
  kGetRequest = 0xD6,
  kGetDone = 0xD7,
};
inline constexpr ValueName kLustreMessageNames[] = {
    {0xC0, 0xC0, "Connect Request"}, {0xC1, 0xC1, "Connect Ack"}, {0xD0, 0xD0, "Noop"},    {0xD1, 0xD1, "Immediate"},
    {0xD2, 0xD2, "Put Request"},     {0xD3, 0xD3, "Put NAK"},     {0xD4, 0xD4, "Put Ack"}, {0xD5, 0xD5, "Put Done"},
    {0xD6, 0xD6, "Get Request"},     {0xD7, 0xD7, "Get Done"}};
inline constexpr ValueName kLustreRejectNames[] = {
    {1, 1, "Connection race"},           {2, 2, "No resources"},       {3, 3, "Anything else"},
    {4, 4, "Incompatible versions"},     {5, 5, "Stale peer"},         {6, 6, "Number of RDMA fragments"},
    {7, 7, "Size of the message queue"}, {8, 8, "Invalid service ID"}, {9, 9, "Too early"}};
inline constexpr ValueName kLnetMessageNames[] = {
    {0, 0, "Ack"}, {1, 1, "Put"}, {2, 2, "Get"}, {3, 3, "Reply"}, {4, 4, "Hello"}};

/// Private data of the CM.
struct LustrePrivateData {
  static constexpr std::uint64_t kMagic = 0x0BE9'1B91;
  /// `data` has 8 bytes at least.
  static constexpr bool is_some(const std::uint8_t* data) noexcept {
    const std::uint64_t version = load_little_endian(data + 4, 2);
    return load_little_endian(data, 4) == kMagic && (version == 0x11 || version == 0x12);
  }
  static constexpr bool is_connect(const std::uint8_t* data) noexcept {
    return is_some(data) && (data[6] == 0xC0 || data[6] == 0xC1);
  }
  static constexpr bool is_reject(const std::uint8_t* data) noexcept {
    return is_some(data) && data[6] >= 1 && data[6] <= 9;
  }
};

namespace detail {

[[nodiscard]] constexpr Field lustre_number(std::string_view name, std::string_view label, std::uint32_t at,
                                            std::uint32_t width) {
  return field::number(name, label, at, width).little_endian();
}
[[nodiscard]] constexpr Field lustre_hex(std::string_view name, std::string_view label, std::uint32_t at,
                                         std::uint32_t width) {
  return field::hex(name, label, at, width).little_endian();
}
/// Rows of the header whose first bit is `at`.
[[nodiscard]] constexpr auto lustre_rows(std::uint32_t at) {
  return std::array{
      lustre_hex("lnet.ib.magic", "Magic number", at, 32),
      lustre_hex("lnet.ib.version", "Version", at + 32, 16),
      field::hex("lnet.ib.type", "Type", at + 48, 8).named(kLustreMessageNames),
      field::number("lnet.ib.credits", "Credits", at + 56, 8),
      lustre_number("lnet.ib.nob", "Length", at + 64, 32),
      lustre_number("rocescope.lustre.checksum", "Checksum", at + 96, 32),
      lustre_hex("rocescope.lustre.src_nid", "Source NID", at + 128, 64),
      lustre_hex("rocescope.lustre.src_stamp", "Source time stamp", at + 192, 64),
      lustre_hex("rocescope.lustre.dst_nid", "Destination NID", at + 256, 64),
      lustre_hex("rocescope.lustre.dst_stamp", "Destination time stamp", at + 320, 64),
  };
}
/// Of the parameters of a connection.
[[nodiscard]] constexpr auto lustre_parameter_rows(std::uint32_t at) {
  return std::array{
      lustre_number("lnet.connparam.qdepth", "Queue depth", at, 16),
      lustre_number("lnet.connparam.max_frags", "Most fragments", at + 16, 16),
      lustre_number("lnet.connparam.max_size", "Largest message", at + 32, 32),
  };
}
/// Of the private data of REQ and REP, which end at `end`; those of a REQ fill them.
[[nodiscard]] constexpr auto lustre_request_rows(std::uint32_t at) {
  return join(lustre_rows(at), lustre_parameter_rows(at + 384));
}
[[nodiscard]] constexpr auto lustre_reply_rows(std::uint32_t at, std::uint32_t end) {
  return join(lustre_rows(at), lustre_parameter_rows(at + 384),
              std::array{field::bytes("rocescope.lustre.rest", "Not used", at + 448, end - at - 448)});
}
[[nodiscard]] constexpr auto lustre_reject_rows(std::uint32_t at, std::uint32_t end) {
  return join(std::array{lustre_hex("lnet.ib.magic", "Magic number", at, 32),
                         lustre_hex("lnet.ib.version", "Version", at + 32, 16),
                         field::number("rocescope.lustre.reject.why", "Reason", at + 48, 8).named(kLustreRejectNames),
                         field::bytes("rocescope.lustre.reject.padding", "Padding", at + 56, 8),
                         lustre_hex("rocescope.lustre.reject.incarnation", "Incarnation", at + 64, 64)},
              lustre_parameter_rows(at + 128),
              std::array{field::bytes("rocescope.lustre.rest", "Not used", at + 192, end - at - 192)});
}

}  // namespace detail

struct LustreHeader : HeaderView<LustreHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kLustreHeader;
  static constexpr std::string_view kName = "rocescope.lustre";
  static constexpr std::string_view kTitle = "Lustre o2iblnd";
  static constexpr std::string_view kReference = "Lustre, struct kib_msg";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::lustre_rows(0);
  using HeaderView::HeaderView;
};

/// Of a message with data of LNet.
struct LnetHeader : HeaderView<LnetHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kLnetHeader;
  static constexpr std::string_view kName = "rocescope.lnet";
  static constexpr std::string_view kTitle = "LNet";
  static constexpr std::string_view kReference = "Lustre, struct lnet_hdr_nid4";
  static constexpr std::size_t kSize = 72;

  template <std::uint8_t type>
  static constexpr bool is(const std::uint8_t* header) {
    return load_little_endian(header + 24, 4) == type;
  }
  static constexpr bool is_other(const std::uint8_t* header) { return load_little_endian(header + 24, 4) > 2; }

  static constexpr Field kFields[] = {
      detail::lustre_hex("rocescope.lnet.dst_nid", "Destination NID", 0, 64),
      detail::lustre_hex("rocescope.lnet.src_nid", "Source NID", 64, 64),
      detail::lustre_number("rocescope.lnet.dst_pid", "Destination process", 128, 32),
      detail::lustre_number("rocescope.lnet.src_pid", "Source process", 160, 32),
      detail::lustre_number("lnet.msg_type", "Type", 192, 32).named(kLnetMessageNames),
      detail::lustre_number("lnet.payload_length", "Payload length", 224, 32),
      field::bytes("rocescope.lnet.ack.handle", "Memory descriptor", 256, 128).when(is<0>),
      detail::lustre_hex("lnet.msg_dst_match_bits", "Match bits", 384, 64).when(is<0>),
      detail::lustre_number("lnet.msg_length", "Length", 448, 32).when(is<0>),
      field::bytes("rocescope.lnet.rest", "Not used", 480, 96).when(is<0>),
      field::bytes("rocescope.lnet.put.handle", "Memory descriptor", 256, 128).when(is<1>),
      detail::lustre_hex("lnet.msg_dst_match_bits", "Match bits", 384, 64).when(is<1>),
      detail::lustre_hex("lnet.msg_hdr_data", "Header data", 448, 64).when(is<1>),
      detail::lustre_number("lnet.ptl_index", "Portal", 512, 32).when(is<1>),
      detail::lustre_number("lnet.offset", "Offset", 544, 32).when(is<1>),
      field::bytes("rocescope.lnet.get.handle", "Memory descriptor", 256, 128).when(is<2>),
      detail::lustre_hex("lnet.msg_dst_match_bits", "Match bits", 384, 64).when(is<2>),
      detail::lustre_number("lnet.ptl_index", "Portal", 448, 32).when(is<2>),
      detail::lustre_number("lnet.src_offset", "Source offset", 480, 32).when(is<2>),
      detail::lustre_number("lnet.sink_length", "Length of the sink", 512, 32).when(is<2>),
      field::bytes("rocescope.lnet.rest", "Not used", 544, 32).when(is<2>),
      field::bytes("rocescope.lnet.other", "Rest", 256, 320).when(is_other),
  };
  using HeaderView::HeaderView;
};

/// Of PUT_REQ and GET_REQ.
struct LustreCookie : HeaderView<LustreCookie> {
  static constexpr HeaderKind kKind = HeaderKind::kLustreCookie;
  static constexpr std::string_view kName = "rocescope.lustre.cookie";
  static constexpr std::string_view kTitle = "Lustre Cookie";
  static constexpr std::string_view kReference = "Lustre, struct kib_putreq_msg";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {detail::lustre_hex("lnet.o2ib.cookie", "Cookie", 0, 64)};
  using HeaderView::HeaderView;
};

/// Of PUT_ACK.
struct LustreCookies : HeaderView<LustreCookies> {
  static constexpr HeaderKind kKind = HeaderKind::kLustreCookies;
  static constexpr std::string_view kName = "rocescope.lustre.cookies";
  static constexpr std::string_view kTitle = "Lustre Cookies";
  static constexpr std::string_view kReference = "Lustre, struct kib_putack_msg";
  static constexpr std::size_t kSize = 16;
  static constexpr Field kFields[] = {
      detail::lustre_hex("lnet.o2ib.src_cookie", "Source cookie", 0, 64),
      detail::lustre_hex("lnet.o2ib.dest_cookie", "Destination cookie", 64, 64),
  };
  using HeaderView::HeaderView;
};

/// Memory that the peer WRITEs to; fragments follow.
struct LustreRdma : HeaderView<LustreRdma> {
  static constexpr HeaderKind kKind = HeaderKind::kLustreRdma;
  static constexpr std::string_view kName = "rocescope.lustre.rdma";
  static constexpr std::string_view kTitle = "Lustre RDMA Descriptor";
  static constexpr std::string_view kReference = "Lustre, struct kib_rdma_desc";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      detail::lustre_hex("lnet.rdma.key", "R_Key", 0, 32),
      detail::lustre_number("lnet.rdma.nfrags", "Fragments", 32, 32),
  };
  using HeaderView::HeaderView;
};

struct LustreFragment : HeaderView<LustreFragment> {
  static constexpr HeaderKind kKind = HeaderKind::kLustreFragment;
  static constexpr std::string_view kName = "rocescope.lustre.fragment";
  static constexpr std::string_view kTitle = "Lustre RDMA Fragment";
  static constexpr std::string_view kReference = "Lustre, struct kib_rdma_frag";
  static constexpr std::size_t kSize = 12;
  static constexpr bool kRepeats = true;
  static constexpr Field kFields[] = {
      detail::lustre_number("lnet.rdma_frag.size", "Length", 0, 32),
      detail::lustre_hex("lnet.rdma_frag.addr", "Address", 32, 64),
  };
  using HeaderView::HeaderView;
};

/// Of PUT_NAK, PUT_DONE and GET_DONE.
struct LustreCompletion : HeaderView<LustreCompletion> {
  static constexpr HeaderKind kKind = HeaderKind::kLustreCompletion;
  static constexpr std::string_view kName = "rocescope.lustre.completion";
  static constexpr std::string_view kTitle = "Lustre Completion";
  static constexpr std::string_view kReference = "Lustre, struct kib_completion_msg";
  static constexpr std::size_t kSize = 12;
  static constexpr Field kFields[] = {
      detail::lustre_hex("lnet.o2ib.cookie", "Cookie", 0, 64),
      detail::lustre_hex("rocescope.lustre.completion.status", "Length, or an error number below 0", 64, 32),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
