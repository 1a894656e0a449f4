// SRP, the SCSI RDMA Protocol: information units (T10 SRP revision 16a; immediate data: SRP-2). All numbers are
// big-endian. Wireshark decodes none of them: its srp.* fields are those of another protocol, H.324.
//
// Command:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |   Type 0x02   | Reserved|U|S|R|            Reserved           |
//   |   Reserved    |Out fmt|In fmt | Data-out count| Data-in count |
//   /                            Tag (8 bytes)                      /
//   |                            Reserved                           |
//   /                            LUN (8 bytes)                      /
//   |   Reserved    |  Reserved | A |   Reserved    |  CDB more | R |   CDB more: words behind the first 16 bytes
//   /                 CDB (16 bytes, and more of it)                /
//   /       Buffer descriptors: data-out, then data-in              /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
// U, S: a solicited notification if it fails, if it succeeds.
// Memory descriptor, the whole of a direct buffer descriptor:
//   /                          Address (8 bytes)                    /
//   |                              Key                              |   an R_Key
//   |                             Length                            |
// Indirect buffer descriptor: the memory descriptor of the table, the length of all data, and the first descriptors of
// the table.
// Immediate: the length of the data, which stand behind the command where the login says.
//
// Response; response data stand behind it, then sense data:
//   |   Type 0xC1   |  Reserved   |S|            Reserved           |
//   |                      Request limit delta                      |
//   /                            Tag (8 bytes)                      /
//   |            Reserved           |   |      Flags|    Status     |
//   |                    Data-out residual count                    |
//   |                     Data-in residual count                    |
//   |                       Sense data length                       |
//   |                      Response data length                     |
#pragma once

#include <array>

#include "rocescope/header.hpp"
#include "rocescope/headers/scsi/names.hpp"
#include "rocescope/headers/srp/login.hpp"
#include "rocescope/headers/srp/names.hpp"

namespace rocescope {
namespace detail {

inline constexpr std::array kSrpOpcodeFields{field::hex("rocescope.srp.opcode", "Type", 0, 8).named(kSrpOpcodeNames)};
[[nodiscard]] constexpr std::array<Field, 1> srp_reserved(std::uint32_t offset, std::uint32_t width) {
  return {field::bytes("rocescope.srp.reserved", "Reserved", offset, width)};
}
/// Of requests to the target: byte 1.
inline constexpr std::array kSrpSolicitFields{
    field::hex("rocescope.srp.reserved.bits", "Reserved", 8, 5).digits(2),
    field::flag("rocescope.srp.ucsolnt", "Solicited notification if it fails", 13),
    field::flag("rocescope.srp.scsolnt", "Solicited notification if it succeeds", 14),
    field::flag("rocescope.srp.reserved.bit", "Reserved", 15),
};
/// Of what the target sends: byte 1.
inline constexpr std::array kSrpSolicitedFields{
    field::hex("rocescope.srp.reserved.bits", "Reserved", 8, 7).digits(2),
    field::flag("rocescope.srp.solnt", "Solicited notification", 15),
};
inline constexpr std::array kSrpDelta{field::number("rocescope.srp.req_lim_delta", "Request limit delta", 32, 32)};
inline constexpr std::array kSrpTag{field::hex("rocescope.srp.tag", "Tag", 64, 64)};
inline constexpr std::array kSrpLun{field::hex("rocescope.scsi.lun", "LUN", 160, 64)};

template <SrpOpcode... opcodes>
constexpr bool is_srp(const std::uint8_t* unit) {
  return ((unit[0] == static_cast<std::uint8_t>(opcodes)) || ...);
}
constexpr bool is_srp_target_logout(const std::uint8_t* unit) { return is_srp<SrpOpcode::kTargetLogout>(unit); }
constexpr bool is_srp_credit_request(const std::uint8_t* unit) { return is_srp<SrpOpcode::kCreditRequest>(unit); }
constexpr bool is_srp_solicited(const std::uint8_t* unit) {
  return is_srp<SrpOpcode::kTargetLogout, SrpOpcode::kCreditRequest>(unit);
}
constexpr bool is_srp_unsolicited(const std::uint8_t* unit) { return !is_srp_solicited(unit); }

}  // namespace detail

/// Its CDB stands behind it, then its buffer descriptors.
struct SrpCommand : HeaderView<SrpCommand> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpCommand;
  static constexpr std::string_view kName = "rocescope.srp.cmd";
  static constexpr std::string_view kTitle = "SRP Command";
  static constexpr std::string_view kReference = "SRP r16a, SRP_CMD";
  static constexpr std::size_t kSize = 32;
  static constexpr auto kFields = detail::join(
      detail::kSrpOpcodeFields, detail::kSrpSolicitFields, detail::srp_reserved(16, 24),
      std::array{field::hex("rocescope.srp.cmd.out_format", "Data-out format", 40, 4).named(kSrpFormatNames).digits(2),
                 field::hex("rocescope.srp.cmd.in_format", "Data-in format", 44, 4).named(kSrpFormatNames).digits(2),
                 field::number("rocescope.srp.cmd.out_count", "Data-out descriptors", 48, 8),
                 field::number("rocescope.srp.cmd.in_count", "Data-in descriptors", 56, 8)},
      detail::kSrpTag, detail::srp_reserved(128, 32), detail::kSrpLun, detail::srp_reserved(224, 8),
      std::array{field::hex("rocescope.srp.reserved.bits", "Reserved", 232, 5).digits(2),
                 field::hex("rocescope.srp.cmd.attr", "Attribute", 237, 3).named(kSrpAttributeNames).digits(2)},
      detail::srp_reserved(240, 8),
      std::array{field::number("rocescope.srp.cmd.more_cdb", "Length of the additional CDB", 248, 6).times(4),
                 field::number("rocescope.srp.reserved.bits", "Reserved", 254, 2)});
  using HeaderView::HeaderView;
};

/// Of memory that the target READs or WRITEs.
struct SrpDescriptor : HeaderView<SrpDescriptor> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpDescriptor;
  static constexpr std::string_view kName = "rocescope.srp.desc";
  static constexpr std::string_view kTitle = "SRP memory descriptor";
  static constexpr std::string_view kReference = "SRP r16a, memory descriptor";
  static constexpr std::size_t kSize = 16;
  static constexpr bool kRepeats = true;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("rocescope.srp.desc.va", "Address", 0, 64),
      field::hex("rocescope.srp.desc.key", "Key", 64, 32),
      field::number("rocescope.srp.desc.len", "Length", 96, 32),
  };
  using HeaderView::HeaderView;
};

/// The descriptor of a table of memory descriptors. The first of these stand behind it.
struct SrpTable : HeaderView<SrpTable> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpTable;
  static constexpr std::string_view kName = "rocescope.srp.table";
  static constexpr std::string_view kTitle = "SRP indirect buffer descriptor";
  static constexpr std::string_view kReference = "SRP r16a, indirect data buffer descriptor";
  static constexpr std::size_t kSize = 20;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::hex("rocescope.srp.table.va", "Address of the table", 0, 64),
      field::hex("rocescope.srp.table.key", "Key of the table", 64, 32),
      field::number("rocescope.srp.table.len", "Length of the table", 96, 32),
      field::number("rocescope.srp.table.total", "Length of all data", 128, 32),
  };
  using HeaderView::HeaderView;
};

struct SrpImmediate : HeaderView<SrpImmediate> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpImmediate;
  static constexpr std::string_view kName = "rocescope.srp.imm";
  static constexpr std::string_view kTitle = "SRP immediate data buffer descriptor";
  static constexpr std::string_view kReference = "SRP-2, immediate data";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {field::number("rocescope.srp.imm.len", "Length of the data behind it", 0, 32)};
  using HeaderView::HeaderView;
};

struct SrpResponse : HeaderView<SrpResponse> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpResponse;
  static constexpr std::string_view kName = "rocescope.srp.rsp";
  static constexpr std::string_view kTitle = "SRP Response";
  static constexpr std::string_view kReference = "SRP r16a, SRP_RSP";
  static constexpr std::size_t kSize = 36;
  static constexpr auto kFields =
      detail::join(detail::kSrpOpcodeFields, detail::kSrpSolicitedFields, detail::srp_reserved(16, 16),
                   detail::kSrpDelta, detail::kSrpTag, detail::srp_reserved(128, 16),
                   std::array{field::hex("rocescope.srp.reserved.bits", "Reserved", 144, 2).digits(2),
                              field::flag("rocescope.srp.rsp.diunder", "Data-in underflow", 146),
                              field::flag("rocescope.srp.rsp.diover", "Data-in overflow", 147),
                              field::flag("rocescope.srp.rsp.dounder", "Data-out underflow", 148),
                              field::flag("rocescope.srp.rsp.doover", "Data-out overflow", 149),
                              field::flag("rocescope.srp.rsp.snsvalid", "It has sense data", 150),
                              field::flag("rocescope.srp.rsp.rspvalid", "It has response data", 151),
                              field::hex("rocescope.srp.rsp.status", "SCSI status", 152, 8).named(kScsiStatusNames),
                              field::number("rocescope.srp.rsp.out_residual", "Data-out residual count", 160, 32),
                              field::number("rocescope.srp.rsp.in_residual", "Data-in residual count", 192, 32),
                              field::number("rocescope.srp.rsp.sense_len", "Length of the sense data", 224, 32),
                              field::number("rocescope.srp.rsp.rsp_len", "Length of the response data", 256, 32)});
  using HeaderView::HeaderView;
};

/// Before the sense data of a response.
struct SrpResponseData : HeaderView<SrpResponseData> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpResponseData;
  static constexpr std::string_view kName = "rocescope.srp.rsp_data";
  static constexpr std::string_view kTitle = "SRP response data";
  static constexpr std::string_view kReference = "SRP r16a, SRP_RSP";
  static constexpr std::size_t kSize = 4;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::bytes("rocescope.srp.reserved", "Reserved", 0, 24),
      field::hex("rocescope.srp.rsp_data.code", "Response code", 24, 8).named(kSrpResponseNames)};
  using HeaderView::HeaderView;
};

struct SrpTask : HeaderView<SrpTask> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpTask;
  static constexpr std::string_view kName = "rocescope.srp.task";
  static constexpr std::string_view kTitle = "SRP Task Management";
  static constexpr std::string_view kReference = "SRP r16a, SRP_TSK_MGMT";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields =
      detail::join(detail::kSrpOpcodeFields, detail::kSrpSolicitFields, detail::srp_reserved(16, 48), detail::kSrpTag,
                   detail::srp_reserved(128, 32), detail::kSrpLun, detail::srp_reserved(224, 16),
                   std::array{field::hex("rocescope.srp.task.function", "Function", 240, 8).named(kSrpTaskNames)},
                   detail::srp_reserved(248, 8),
                   std::array{field::hex("rocescope.srp.task.task_tag", "Tag of the task to be managed", 256, 64)},
                   detail::srp_reserved(320, 64));
  using HeaderView::HeaderView;
};

/// Logouts, Credit Request and Response, Asynchronous Event Response.
struct SrpUnit : HeaderView<SrpUnit> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpUnit;
  static constexpr std::string_view kName = "rocescope.srp";
  static constexpr std::string_view kTitle = "SRP";
  static constexpr std::string_view kReference = "SRP r16a, SRP_CRED_REQ";
  static constexpr std::size_t kSize = 16;
  static constexpr auto kFields = detail::join(
      detail::kSrpOpcodeFields,
      std::array{field::hex("rocescope.srp.reserved.bits", "Reserved", 8, 7).digits(2).when(detail::is_srp_solicited),
                 field::flag("rocescope.srp.solnt", "Solicited notification", 15).when(detail::is_srp_solicited),
                 field::bytes("rocescope.srp.reserved", "Reserved", 16, 16).when(detail::is_srp_solicited),
                 field::number("rocescope.srp.req_lim_delta", "Request limit delta", 32, 32)
                     .when(detail::is_srp_credit_request),
                 field::hex("rocescope.srp.logout.reason", "Reason", 32, 32)
                     .named(kSrpTargetLogoutNames)
                     .when(detail::is_srp_target_logout),
                 field::bytes("rocescope.srp.reserved", "Reserved", 8, 56).when(detail::is_srp_unsolicited)},
      detail::kSrpTag);
  using HeaderView::HeaderView;
};

/// An Asynchronous Event Request; sense data stand behind it.
struct SrpEvent : HeaderView<SrpEvent> {
  static constexpr HeaderKind kKind = HeaderKind::kSrpEvent;
  static constexpr std::string_view kName = "rocescope.srp.aer";
  static constexpr std::string_view kTitle = "SRP Asynchronous Event Request";
  static constexpr std::string_view kReference = "SRP r16a, SRP_AER_REQ";
  static constexpr std::size_t kSize = 36;
  static constexpr auto kFields =
      detail::join(detail::kSrpOpcodeFields, detail::kSrpSolicitedFields, detail::srp_reserved(16, 16),
                   detail::kSrpDelta, detail::kSrpTag, detail::srp_reserved(128, 32), detail::kSrpLun,
                   std::array{field::number("rocescope.srp.aer.sense_len", "Length of the sense data", 224, 32)},
                   detail::srp_reserved(256, 32));
  using HeaderView::HeaderView;
};

}  // namespace rocescope
