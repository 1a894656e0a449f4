// SMC-R, Shared Memory Communications over RDMA: messages between two queue pairs, each a SEND of 44 bytes (RFC 7609,
// A.2 and A.3). All numbers are big-endian. Data are WRITEs, before the message that moves the cursor.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      Type     |  Length (44)  |    Reserved   |     Flags     |     of the link layer
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Type 0xFE   |  Length (44)  |        Sequence number        |     Connection Data Control
//   |                          Alert token                          |
//   |            Reserved           |   Producer wrap sequence      |
//   |                        Producer cursor                        |
//   |            Reserved           |   Consumer wrap sequence      |
//   |                        Consumer cursor                        |
//   |B|P|U|R|F| Rsv |D|C|A|   Rsv   |       Reserved (18 bytes)     |
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/header.hpp"

namespace rocescope {

inline constexpr std::size_t kSmcMessageSize = 44;

enum class SmcMessage : std::uint8_t {
  kConfirmLink = 0x01,
  kAddLink = 0x02,
  kAddLinkContinued = 0x03,
  kDeleteLink = 0x04,
  kRequestAddLink = 0x05,
  kConfirmRKey = 0x06,
  kTestLink = 0x07,
  kConfirmRKeyContinued = 0x08,
  kDeleteRKey = 0x09,
  kDataControl = 0xFE,
};
inline constexpr ValueName kSmcMessageNames[] = {{0x01, 0x01, "Confirm Link"},
                                                 {0x02, 0x02, "Add Link"},
                                                 {0x03, 0x03, "Add Link Continuation"},
                                                 {0x04, 0x04, "Delete Link"},
                                                 {0x05, 0x05, "Request Add Link"},
                                                 {0x06, 0x06, "Confirm Rkey"},
                                                 {0x07, 0x07, "Test Link"},
                                                 {0x08, 0x08, "Confirm Rkey Continuation"},
                                                 {0x09, 0x09, "Delete Rkey"},
                                                 {0x21, 0x29, "Message of version 2"},
                                                 {0xFE, 0xFE, "CDC"}};

namespace detail {
[[nodiscard]] constexpr std::array<Field, 3> smc_start() {
  return {field::hex("smc.llc_msg", "Type", 0, 8).named(kSmcMessageNames),
          field::number("rocescope.smc.len", "Length", 8, 8), field::bytes("rocescope.smc.rsvd", "Reserved", 16, 8)};
}
[[nodiscard]] constexpr Field smc_flag(std::string_view name, std::string_view label, std::uint32_t at) {
  return field::flag(name, label, at).part();
}
[[nodiscard]] constexpr Field smc_rest(std::uint32_t at) {
  return field::bytes("rocescope.smc.rest", "Reserved", at, kSmcMessageSize * 8 - at);
}
}  // namespace detail

struct SmcConfirmLink : HeaderView<SmcConfirmLink> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcConfirmLink;
  static constexpr std::string_view kName = "rocescope.smc.confirm_link";
  static constexpr std::string_view kTitle = "SMC-R Confirm Link";
  static constexpr std::string_view kReference = "RFC 7609, A.2.1";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr auto kFields =
      detail::join(detail::smc_start(),
                   std::array{field::hex("smc.confirm.link.flags", "Flags", 24, 8),
                              detail::smc_flag("smc.confirm.link.response", "Response", 24),
                              field::hex("rocescope.smc.flags.rsvd", "Reserved", 25, 7).digits(2).part(),
                              field::mac("smc.confirm.link.sender.mac", "Sender MAC address", 32),
                              field::ipv6("smc.sender.gid", "Sender GID", 80),
                              field::hex("smc.confirm.link.sender.qp.number", "Sender QP number", 208, 24),
                              field::hex("smc.confirm.link.number", "Link number", 232, 8),
                              field::hex("smc.confirm.link.sender.link.userid", "Sender link user ID", 240, 32),
                              field::hex("smc.confirm.link.max.links", "Max links", 272, 8), detail::smc_rest(280)});
  using HeaderView::HeaderView;
};

struct SmcAddLink : HeaderView<SmcAddLink> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcAddLink;
  static constexpr std::string_view kName = "rocescope.smc.add_link";
  static constexpr std::string_view kTitle = "SMC-R Add Link";
  static constexpr std::string_view kReference = "RFC 7609, A.2.2";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr Field kFields[] = {
      field::hex("smc.llc_msg", "Type", 0, 8).named(kSmcMessageNames),
      field::number("rocescope.smc.len", "Length", 8, 8),
      field::hex("rocescope.smc.reason.rsvd", "Reserved", 16, 4).digits(2),
      field::hex("rocescope.smc.add_link.reason", "Reject reason", 20, 4).digits(2),
      field::hex("smc.add.link.flags", "Flags", 24, 8),
      detail::smc_flag("smc.add.link.response", "Response", 24),
      detail::smc_flag("smc.add.link.response.rejected", "Rejected", 25),
      field::hex("rocescope.smc.flags.rsvd", "Reserved", 26, 6).digits(2).part(),
      field::mac("smc.add.link.sender.mac", "Sender MAC address", 32),
      field::bytes("rocescope.smc.rsvd", "Reserved", 80, 16),
      field::ipv6("smc.add.link.sender.gid", "Sender GID", 96),
      field::hex("smc.add.link.sender.qp.number", "Sender QP number", 224, 24),
      field::hex("smc.add.link.link.number", "Link number", 248, 8),
      field::hex("rocescope.smc.mtu.rsvd", "Reserved", 256, 4).digits(2),
      field::number("smc.add.link.qp.mtu.value", "Path MTU code", 260, 4),
      field::hex("smc.add.link.initial.psn", "Initial PSN", 264, 24),
      detail::smc_rest(288),
  };
  using HeaderView::HeaderView;
};

struct SmcDeleteLink : HeaderView<SmcDeleteLink> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcDeleteLink;
  static constexpr std::string_view kName = "rocescope.smc.delete_link";
  static constexpr std::string_view kTitle = "SMC-R Delete Link";
  static constexpr std::string_view kReference = "RFC 7609, A.2.4";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr auto kFields =
      detail::join(detail::smc_start(),
                   std::array{field::hex("smc.delete.link.flags", "Flags", 24, 8),
                              detail::smc_flag("smc.delete.link.response", "Response", 24),
                              detail::smc_flag("smc.delete.link.all", "All links", 25),
                              detail::smc_flag("smc.delete.link.orderly", "Orderly", 26),
                              field::hex("rocescope.smc.flags.rsvd", "Reserved", 27, 5).digits(2).part(),
                              field::hex("smc.delete.link.number", "Link number", 32, 8),
                              field::hex("smc.delete.link.reason.code", "Reason", 40, 32), detail::smc_rest(72)});
  using HeaderView::HeaderView;
};

struct SmcConfirmRKey : HeaderView<SmcConfirmRKey> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcConfirmRKey;
  static constexpr std::string_view kName = "rocescope.smc.confirm_rkey";
  static constexpr std::string_view kTitle = "SMC-R Confirm Rkey";
  static constexpr std::string_view kReference = "RFC 7609, A.2.6";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr auto kFields = detail::join(
      detail::smc_start(), std::array{field::hex("smc.confirm.rkey.flags", "Flags", 24, 8),
                                      detail::smc_flag("smc.confirm.rkey.response", "Response", 24),
                                      detail::smc_flag("rocescope.smc.flags.bit", "Reserved", 25),
                                      detail::smc_flag("smc.confirm.rkey.negative.response", "Negative response", 26),
                                      detail::smc_flag("smc.confirm.rkey.retry.rkey.set", "Retry Rkey set", 27),
                                      field::hex("rocescope.smc.flags.rsvd", "Reserved", 28, 4).digits(2).part(),
                                      field::number("smc.confirm.rkey.number.qp", "Other queue pairs", 32, 8),
                                      field::hex("smc.confirm.rkey.new.rkey", "New R_Key", 40, 32),
                                      field::hex("smc.confirm.rkey.new.virt", "New address", 72, 64),
                                      field::bytes("rocescope.smc.confirm_rkey.others", "Of other links", 136, 216)});
  using HeaderView::HeaderView;
};

struct SmcTestLink : HeaderView<SmcTestLink> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcTestLink;
  static constexpr std::string_view kName = "rocescope.smc.test_link";
  static constexpr std::string_view kTitle = "SMC-R Test Link";
  static constexpr std::string_view kReference = "RFC 7609, A.2.7";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr auto kFields = detail::join(
      detail::smc_start(),
      std::array{field::hex("smc.test.link.flags", "Flags", 24, 8),
                 detail::smc_flag("smc.test.link.response", "Response", 24),
                 field::hex("rocescope.smc.flags.rsvd", "Reserved", 25, 7).digits(2).part(),
                 field::bytes("rocescope.smc.test_link.data", "User data", 32, 128), detail::smc_rest(160)});
  using HeaderView::HeaderView;
};

struct SmcDeleteRKey : HeaderView<SmcDeleteRKey> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcDeleteRKey;
  static constexpr std::string_view kName = "rocescope.smc.delete_rkey";
  static constexpr std::string_view kTitle = "SMC-R Delete Rkey";
  static constexpr std::string_view kReference = "RFC 7609, A.2.9";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr auto kFields = detail::join(
      detail::smc_start(), std::array{field::hex("smc.delete.rkey.flags", "Flags", 24, 8),
                                      detail::smc_flag("smc.delete.rkey.response", "Response", 24),
                                      detail::smc_flag("rocescope.smc.flags.bit", "Reserved", 25),
                                      detail::smc_flag("smc.delete.rkey.negative.response", "Negative response", 26),
                                      field::hex("rocescope.smc.flags.rsvd", "Reserved", 27, 5).digits(2).part(),
                                      field::number("smc.delete.rkey.count", "R_Keys", 32, 8),
                                      field::hex("smc.delete.rkey.error.mask", "Error mask", 40, 8),
                                      field::bytes("rocescope.smc.rsvd", "Reserved", 48, 16),
                                      field::bytes("rocescope.smc.delete_rkey.keys", "R_Keys, 4 bytes each", 64, 256),
                                      detail::smc_rest(320)});
  using HeaderView::HeaderView;
};

/// All others of the link layer.
struct SmcLinkMessage : HeaderView<SmcLinkMessage> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcLinkMessage;
  static constexpr std::string_view kName = "rocescope.smc.llc";
  static constexpr std::string_view kTitle = "SMC-R Link Layer";
  static constexpr std::string_view kReference = "RFC 7609, A.2";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr auto kFields =
      detail::join(detail::smc_start(), std::array{field::hex("rocescope.smc.flags", "Flags", 24, 8),
                                                   field::bytes("rocescope.smc.llc.rest", "Rest", 32, 320)});
  using HeaderView::HeaderView;
};

struct SmcDataControl : HeaderView<SmcDataControl> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcDataControl;
  static constexpr std::string_view kName = "rocescope.smc.cdc";
  static constexpr std::string_view kTitle = "SMC-R Connection Data Control";
  static constexpr std::string_view kReference = "RFC 7609, A.3";
  static constexpr std::size_t kSize = kSmcMessageSize;
  static constexpr Field kFields[] = {
      field::hex("smc.llc_msg", "Type", 0, 8).named(kSmcMessageNames),
      field::number("rocescope.smc.len", "Length", 8, 8),
      field::hex("smc.rmbe.ctrl.seqno", "Sequence number", 16, 16),
      field::hex("smc.rmbe.ctrl.alert.token", "Alert token", 32, 32),
      field::bytes("rocescope.smc.rsvd", "Reserved", 64, 16),
      field::hex("smc.rmbe.ctrl.prod.wrap.seq", "Producer wrap sequence number", 80, 16),
      field::hex("smc.rmbe.ctrl.peer.prod.curs", "Producer cursor", 96, 32),
      field::bytes("rocescope.smc.rsvd", "Reserved", 128, 16),
      field::hex("rocescope.smc.cdc.cons_wrap", "Consumer wrap sequence number", 144, 16),
      field::hex("rocescope.smc.cdc.cons_cursor", "Consumer cursor", 160, 32),
      field::hex("smc.rmbe.ctrl.conn.rw.status.flags", "Producer flags", 192, 8),
      detail::smc_flag("smc.rmbe.ctrl.write.blocked", "Write blocked", 192),
      detail::smc_flag("smc.rmbe.ctrl.urgent.pending", "Urgent data pending", 193),
      detail::smc_flag("smc.rmbe.ctrl.urgent.present", "Urgent data present", 194),
      detail::smc_flag("smc.rmbe.ctrl.cons.update.requested", "Consumer cursor update requested", 195),
      detail::smc_flag("smc.rmbe.ctrl.failover.validation", "Failover validation", 196),
      field::hex("rocescope.smc.cdc.flags.rsvd", "Reserved", 197, 3).digits(2).part(),
      field::hex("smc.rmbe.ctrl.peer.conn.state.flags", "State of the connection", 200, 8),
      detail::smc_flag("smc.rmbe.ctrl.peer.sending.done", "Sending done", 200),
      detail::smc_flag("smc.rmbe.ctrl.peer.closed.conn", "Closed", 201),
      detail::smc_flag("smc.rmbe.ctrl.peer.abnormal.close", "Abnormal close", 202),
      field::hex("rocescope.smc.cdc.state.rsvd", "Reserved", 203, 5).digits(2).part(),
      detail::smc_rest(208),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
