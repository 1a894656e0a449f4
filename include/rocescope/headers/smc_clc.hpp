// SMC-R sets connections up over TCP (RFC 7609, A.1): CLC messages, one a segment. All numbers are big-endian. The eye catcher,
// "SMCR" in EBCDIC, is at both ends of each:
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                   Eye catcher: 0xE2D4C3D9                     |
//   |      Type     |             Length            |Version|F|Flags|
//   /                     what the type has                         /
//   |                          Eye catcher                          |
//
// A client proposes, the server accepts with its queue pair and its memory, the client confirms with its own. Either may
// decline: then the connection stays one of TCP.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/header.hpp"

namespace rocescope {

inline constexpr std::uint32_t kSmcEyeCatcher = 0xE2D4C3D9;
inline constexpr std::size_t kSmcEyeCatcherSize = 4;

enum class SmcClcMessage : std::uint8_t { kProposal = 1, kAccept = 2, kConfirm = 3, kDecline = 4 };
inline constexpr ValueName kSmcClcNames[] = {
    {1, 1, "Proposal"}, {2, 2, "Accept"}, {3, 3, "Confirm"}, {4, 4, "Decline"}};

/// Why a side declines: the peer diagnosis, as Linux has it (RFC 7609, A.1.4, leaves it to the implementation).
inline constexpr ValueName kSmcDeclineNames[] = {
    {0x01010000, 0x01010000, "not enough memory"},
    {0x02010000, 0x02010000, "no Confirm Link came in time"},
    {0x02020000, 0x02020000, "no Add Link came in time"},
    {0x03000000, 0x03000000, "configuration error"},
    {0x03010000, 0x03010000, "the peer does not offer SMC"},
    {0x03020000, 0x03020000, "IPsec is in use"},
    {0x03030000, 0x03030000, "no device for SMC"},
    {0x03030001, 0x03030001, "no device for SMC-D"},
    {0x03030002, 0x03030002, "no device for SMC-R"},
    {0x03030003, 0x03030003, "no support of ISM version 2"},
    {0x03030004, 0x03030004, "the peer sent no extension of version 2"},
    {0x03030005, 0x03030005, "the peer sent no extension of SMC-D version 2"},
    {0x03030006, 0x03030006, "the peer sent no system EID"},
    {0x03030007, 0x03030007, "no device for SMC-D version 2"},
    {0x03030008, 0x03030008, "the peer sent no user EID"},
    {0x03030009, 0x03030009, "no common release"},
    {0x0303000A, 0x0303000A, "no common number of connections"},
    {0x0303000B, 0x0303000B, "no common number of links"},
    {0x03040000, 0x03040000, "the modes of SMC do not match"},
    {0x03050000, 0x03050000, "an eye catcher in the memory of the peer"},
    {0x03060000, 0x03060000, "TCP Fast Open is in use"},
    {0x03070000, 0x03070000, "another IP subnet or prefix"},
    {0x03080000, 0x03080000, "the VLAN of the IP device is not known"},
    {0x03090000, 0x03090000, "the VLAN could not be registered"},
    {0x030A0000, 0x030A0000, "no active link in the group"},
    {0x030B0000, 0x030B0000, "the link of the server was not found"},
    {0x030C0000, 0x030C0000, "another version of SMC"},
    {0x030D0000, 0x030D0000, "too many buffers of SMC-D"},
    {0x030E0000, 0x030E0000, "no route to the peer"},
    {0x030F0000, 0x030F0000, "one side connects through routers, the other does not"},
    {0x04000000, 0x04000000, "out of step with the peer"},
    {0x05000000, 0x05000000, "the peer declined"},
    {0x09990000, 0x09990000, "internal error"},
    {0x09990001, 0x09990001, "an R_Key could not be taken over"},
    {0x09990002, 0x09990002, "the link could not be made ready"},
    {0x09990003, 0x09990003, "memory could not be registered"},
};

namespace detail {
/// What all messages begin with, up to the flags.
[[nodiscard]] constexpr std::array<Field, 3> smc_clc_start() {
  return {field::bytes("rocescope.smc.clc.eyecatcher", "Eye catcher", 0, 32),
          field::number("smc.clc_msg", "CLC message", 32, 8).named(kSmcClcNames),
          field::number("smc.length", "Length", 40, 16)};
}
[[nodiscard]] constexpr Field smc_clc_version() {
  return field::number("rocescope.smc.clc.version", "Version", 56, 4).part();
}
[[nodiscard]] constexpr Field smc_clc_end(std::uint32_t at) {
  return field::bytes("rocescope.smc.clc.eyecatcher", "Eye catcher", at, 32);
}
}  // namespace detail

struct SmcProposal : HeaderView<SmcProposal> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcProposal;
  static constexpr std::string_view kName = "rocescope.smc.proposal";
  static constexpr std::string_view kTitle = "SMC CLC Proposal";
  static constexpr std::string_view kReference = "RFC 7609, A.1.1";
  static constexpr std::size_t kSize = 40;
  static constexpr auto kFields =
      detail::join(detail::smc_clc_start(),
                   std::array{field::hex("smc.proposal.flags", "Flags", 56, 8), detail::smc_clc_version(),
                              field::hex("rocescope.smc.clc.types", "Types", 60, 4).digits(2).part(),
                              field::hex("smc.proposal.sender.client.peer.id", "Client's peer ID", 64, 64),
                              field::ipv6("smc.proposal.client.preferred.gid", "Client's GID", 128),
                              field::mac("smc.proposal.client.preferred.mac", "Client's MAC address", 256),
                              field::hex("smc.proposal.smcv1_subnet_ext_offset", "Offset of the IP area", 304, 16)});
  using HeaderView::HeaderView;
};

/// Behind a Proposal of version 1: which addresses the client has.
struct SmcSubnet : HeaderView<SmcSubnet> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcSubnet;
  static constexpr std::string_view kName = "rocescope.smc.subnet";
  static constexpr std::string_view kTitle = "SMC IP Area";
  static constexpr std::string_view kReference = "RFC 7609, A.1.1";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::ipv4("rocescope.smc.subnet.mask", "Subnet", 0),
      field::number("rocescope.smc.subnet.bits", "Bits of the mask", 32, 8),
      field::bytes("rocescope.smc.rsvd", "Reserved", 40, 16),
      field::number("rocescope.smc.subnet.prefixes", "IPv6 prefixes", 56, 8),
  };
  using HeaderView::HeaderView;
};

struct SmcPrefix : HeaderView<SmcPrefix> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcPrefix;
  static constexpr std::string_view kName = "rocescope.smc.prefix";
  static constexpr std::string_view kTitle = "SMC IPv6 Prefix";
  static constexpr std::string_view kReference = "RFC 7609, A.1.1";
  static constexpr std::size_t kSize = 17;
  static constexpr Field kFields[] = {
      field::ipv6("rocescope.smc.prefix.value", "Prefix", 0),
      field::number("rocescope.smc.prefix.bits", "Bits", 128, 8),
  };
  using HeaderView::HeaderView;
};

struct SmcAccept : HeaderView<SmcAccept> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcAccept;
  static constexpr std::string_view kName = "rocescope.smc.accept";
  static constexpr std::string_view kTitle = "SMC-R CLC Accept";
  static constexpr std::string_view kReference = "RFC 7609, A.1.2";
  static constexpr std::size_t kSize = 68;
  static constexpr auto kFields =
      detail::join(detail::smc_clc_start(),
                   std::array{field::hex("smc.accept.flags", "Flags", 56, 8), detail::smc_clc_version(),
                              field::flag("rocescope.smc.clc.first", "First contact", 60).part(),
                              field::hex("rocescope.smc.clc.rsvd", "Reserved", 61, 3).digits(2).part(),
                              field::hex("smc.accept.sender.server.peer.id", "Server's peer ID", 64, 64),
                              field::ipv6("smc.accept.server.preferred.gid", "Server's GID", 128),
                              field::mac("smc.accept.server.preferred.mac", "Server's MAC address", 256),
                              field::hex("smc.accept.server.qp.number", "Server's QP number", 304, 24),
                              field::hex("smc.accept.server.rmb.rkey", "Server's R_Key", 328, 32),
                              field::number("smc.accept.server.tcp.conn.index", "Connection index", 360, 8),
                              field::hex("smc.accept.server.rmb.element.alert.token", "Alert token", 368, 32),
                              field::hex("smc.accept.flags.2", "Sizes", 400, 8),
                              field::number("smc.accept.rmb.buffer.size", "Buffer size code", 400, 4).part(),
                              field::number("smc.accept.qp.mtu.value", "Path MTU code", 404, 4).part(),
                              field::bytes("rocescope.smc.rsvd", "Reserved", 408, 8),
                              field::hex("smc.accept.server.rmb.virtual.address", "Server's address", 416, 64),
                              field::bytes("rocescope.smc.rsvd", "Reserved", 480, 8),
                              field::hex("smc.accept.initial.psn", "Initial PSN", 488, 24), detail::smc_clc_end(512)});
  using HeaderView::HeaderView;
};

struct SmcConfirm : HeaderView<SmcConfirm> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcConfirm;
  static constexpr std::string_view kName = "rocescope.smc.confirm";
  static constexpr std::string_view kTitle = "SMC-R CLC Confirm";
  static constexpr std::string_view kReference = "RFC 7609, A.1.3";
  static constexpr std::size_t kSize = 68;
  static constexpr auto kFields =
      detail::join(detail::smc_clc_start(),
                   std::array{field::hex("smc.confirm.flags", "Flags", 56, 8), detail::smc_clc_version(),
                              field::flag("rocescope.smc.clc.first", "First contact", 60).part(),
                              field::hex("rocescope.smc.clc.rsvd", "Reserved", 61, 3).digits(2).part(),
                              field::hex("smc.confirm.sender.client.peer.id", "Client's peer ID", 64, 64),
                              field::ipv6("smc.client.gid", "Client's GID", 128),
                              field::mac("smc.confirm.client.mac", "Client's MAC address", 256),
                              field::hex("smc.confirm.client.qp.number", "Client's QP number", 304, 24),
                              field::hex("smc.confirm.client.rmb.rkey", "Client's R_Key", 328, 32),
                              field::number("smc.confirm.client.tcp.conn.index", "Connection index", 360, 8),
                              field::hex("smc.client.rmb.element.alert.token", "Alert token", 368, 32),
                              field::hex("smc.confirm.flags.2", "Sizes", 400, 8),
                              field::number("smc.confirm.rmb.buffer.size", "Buffer size code", 400, 4).part(),
                              field::number("smc.confirm.qp.mtu.value", "Path MTU code", 404, 4).part(),
                              field::bytes("rocescope.smc.rsvd", "Reserved", 408, 8),
                              field::hex("smc.client.rmb.virtual.address", "Client's address", 416, 64),
                              field::bytes("rocescope.smc.rsvd", "Reserved", 480, 8),
                              field::hex("smc.initial.psn", "Initial PSN", 488, 24), detail::smc_clc_end(512)});
  using HeaderView::HeaderView;
};

struct SmcDecline : HeaderView<SmcDecline> {
  static constexpr HeaderKind kKind = HeaderKind::kSmcDecline;
  static constexpr std::string_view kName = "rocescope.smc.decline";
  static constexpr std::string_view kTitle = "SMC CLC Decline";
  static constexpr std::string_view kReference = "RFC 7609, A.1.4";
  static constexpr std::size_t kSize = 28;
  static constexpr auto kFields =
      detail::join(detail::smc_clc_start(),
                   std::array{field::hex("smc.decline.flags", "Flags", 56, 8), detail::smc_clc_version(),
                              field::flag("smc.decline.osync", "Out of sync", 60).part(),
                              field::hex("rocescope.smc.clc.rsvd", "Reserved", 61, 3).digits(2).part(),
                              field::hex("smc.sender.peer.id", "Sender's peer ID", 64, 64),
                              field::hex("smc.peer.diag.info", "Peer diagnosis", 128, 32).named(kSmcDeclineNames),
                              field::bytes("rocescope.smc.rsvd", "Reserved", 160, 32), detail::smc_clc_end(192)});
  using HeaderView::HeaderView;
};

}  // namespace rocescope
