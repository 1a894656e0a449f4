// iSER and iSCSI: the header of iSER in front of each PDU, and the basic header segments of PDUs. All numbers are big-endian.
//
// iSER header over InfiniBand and RoCE (RFC 7145, 9.2; the base offsets are of its annex for InfiniBand):
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Type |W|R|   |                    Reserved                   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                           Write STag                          |   which the target READs
//   /                   Write Base Offset (8 bytes)                 /
//   |                           Read STag                           |   to which it WRITEs
//   /                    Read Base Offset (8 bytes)                 /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
// Basic header segment (RFC 7143, 11.2.1), 48 bytes; additional header segments and data stand behind it:
//   | |I|   Opcode  |F|              by opcode                      |
//   |  AHS length   |                 Data length                   |
//   /                 LUN, or by opcode (8 bytes)                   /
//   |                      Initiator Task Tag                       |
//   /                    by opcode (28 bytes)                       /
#pragma once

#include <array>

#include "rocescope/header.hpp"
#include "rocescope/headers/iscsi/names.hpp"
#include "rocescope/headers/scsi/names.hpp"

namespace rocescope {
namespace detail {

constexpr bool is_iscsi_request(const std::uint8_t* pdu) { return (pdu[0] & 0x20U) == 0; }
constexpr bool is_iscsi_response(const std::uint8_t* pdu) { return (pdu[0] & 0x20U) != 0; }
constexpr bool is_iser_hello_reply(const std::uint8_t* header) { return header[0] >> 4U == 3; }
constexpr bool is_iser_hello(const std::uint8_t* header) { return header[0] >> 4U != 3; }

inline constexpr std::array kIscsiOpcodeFields{
    field::flag("iscsi.X", "Reserved", 0),
    field::flag("iscsi.I", "Immediate", 1),
    field::hex("iscsi.opcode", "Opcode", 2, 6).named(kIscsiOpcodeNames).digits(2),
};
/// Bytes 4 to 7.
inline constexpr std::array kIscsiLengthFields{
    field::number("iscsi.totalahslength", "Length of additional headers, words", 32, 8),
    field::number("iscsi.datasegmentlength", "Data length", 40, 24),
};
inline constexpr std::array kIscsiLun{field::hex("rocescope.scsi.lun", "LUN", 64, 64)};
inline constexpr std::array kIscsiTag{field::hex("iscsi.initiatortasktag", "Initiator Task Tag", 128, 32)};
inline constexpr std::array kIscsiTransferTag{field::hex("iscsi.targettransfertag", "Target Transfer Tag", 160, 32)};
inline constexpr std::array kIscsiRequestNumbers{
    field::number("iscsi.cmdsn", "CmdSN", 192, 32),
    field::number("iscsi.expstatsn", "ExpStatSN", 224, 32),
};
inline constexpr std::array kIscsiResponseNumbers{
    field::number("iscsi.statsn", "StatSN", 192, 32),
    field::number("iscsi.expcmdsn", "ExpCmdSN", 224, 32),
    field::number("iscsi.maxcmdsn", "MaxCmdSN", 256, 32),
};
/// The numbers of a PDU that goes either way, and its last bytes.
inline constexpr std::array kIscsiNumbers{
    field::number("iscsi.cmdsn", "CmdSN", 192, 32).when(is_iscsi_request),
    field::number("iscsi.expstatsn", "ExpStatSN", 224, 32).when(is_iscsi_request),
    field::bytes("rocescope.iscsi.reserved", "Reserved", 256, 128).when(is_iscsi_request),
    field::number("iscsi.statsn", "StatSN", 192, 32).when(is_iscsi_response),
    field::number("iscsi.expcmdsn", "ExpCmdSN", 224, 32).when(is_iscsi_response),
    field::number("iscsi.maxcmdsn", "MaxCmdSN", 256, 32).when(is_iscsi_response),
    field::bytes("rocescope.iscsi.reserved", "Reserved", 288, 96).when(is_iscsi_response),
};
[[nodiscard]] constexpr std::array<Field, 1> iscsi_reserved(std::uint32_t offset, std::uint32_t width) {
  return {field::bytes("rocescope.iscsi.reserved", "Reserved", offset, width)};
}

}  // namespace detail

struct IserHeader : HeaderView<IserHeader> {
  static constexpr HeaderKind kKind = HeaderKind::kIserHeader;
  static constexpr std::string_view kName = "iser";
  static constexpr std::string_view kTitle = "iSER";
  static constexpr std::string_view kReference = "RFC 7145 9.2";
  static constexpr std::size_t kSize = 28;
  static constexpr Field kFields[] = {
      field::hex("iser.flags.opcode", "Type", 0, 4).named(kIserTypeNames).digits(2),
      field::flag("iser.flags.wsv", "Write STag is valid", 4),
      field::flag("iser.flags.rsv", "Read STag is valid", 5),
      field::hex("rocescope.iser.reserved", "Reserved", 6, 2).digits(2),
      field::bytes("rocescope.iser.reserved", "Reserved", 8, 24),
      field::hex("iser.write_stag", "Write STag", 32, 32),
      field::hex("iser.write_base_offset", "Write Base Offset", 64, 64),
      field::hex("iser.read_stag", "Read STag", 128, 32),
      field::hex("iser.read_base_offset", "Read Base Offset", 160, 64),
  };
  using HeaderView::HeaderView;
};

/// Hello and HelloReply, without a PDU behind them.
struct IserHello : HeaderView<IserHello> {
  static constexpr HeaderKind kKind = HeaderKind::kIserHello;
  static constexpr std::string_view kName = "iser.hello";
  static constexpr std::string_view kTitle = "iSER Hello";
  static constexpr std::string_view kReference = "RFC 7145 9.3 and 9.4";
  static constexpr std::size_t kSize = 28;
  static constexpr Field kFields[] = {
      field::hex("iser.flags.opcode", "Type", 0, 4).named(kIserTypeNames).digits(2),
      field::hex("rocescope.iser.reserved", "Reserved", 4, 3).digits(2),
      field::flag("iser.flags.rej", "Rejected", 7),
      field::number("rocescope.iser.max_version", "Highest version", 8, 4),
      field::number("rocescope.iser.min_version", "Lowest version", 12, 4),
      field::number("iser.ird", "READs at once that it answers", 16, 16).when(detail::is_iser_hello),
      field::number("iser.ord", "READs at once that it issues", 16, 16).when(detail::is_iser_hello_reply),
      field::bytes("rocescope.iser.reserved", "Reserved", 32, 192),
  };
  using HeaderView::HeaderView;
};

/// Its CDB stands behind it, as a part of the basic header segment.
struct IscsiScsiCommand : HeaderView<IscsiScsiCommand> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiScsiCommand;
  static constexpr std::string_view kName = "iscsi.scsicommand";
  static constexpr std::string_view kTitle = "iSCSI SCSI Command";
  static constexpr std::string_view kReference = "RFC 7143 11.3";
  static constexpr std::size_t kSize = 32;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields,
      std::array{field::flag("iscsi.scsicommand.F", "Final", 8), field::flag("iscsi.scsicommand.R", "Read", 9),
                 field::flag("iscsi.scsicommand.W", "Write", 10),
                 field::hex("rocescope.iscsi.reserved.flags", "Reserved", 11, 2).digits(2),
                 field::hex("iscsi.scsicommand.attr", "Attribute", 13, 3).named(kIscsiAttributeNames).digits(2)},
      detail::iscsi_reserved(16, 16), detail::kIscsiLengthFields, detail::kIscsiLun, detail::kIscsiTag,
      std::array{field::number("iscsi.scsicommand.expecteddatatransferlength", "Expected data length", 160, 32)},
      detail::kIscsiRequestNumbers);
  using HeaderView::HeaderView;
};

struct IscsiScsiResponse : HeaderView<IscsiScsiResponse> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiScsiResponse;
  static constexpr std::string_view kName = "iscsi.scsiresponse";
  static constexpr std::string_view kTitle = "iSCSI SCSI Response";
  static constexpr std::string_view kReference = "RFC 7143 11.4";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields,
      std::array{field::hex("rocescope.iscsi.reserved.flags", "Final, reserved", 8, 3).digits(2),
                 field::flag("iscsi.scsiresponse.o", "Read overflow", 11),
                 field::flag("iscsi.scsiresponse.u", "Read underflow", 12),
                 field::flag("iscsi.scsiresponse.O", "Overflow", 13),
                 field::flag("iscsi.scsiresponse.U", "Underflow", 14),
                 field::number("rocescope.iscsi.reserved.bit", "Reserved", 15, 1),
                 field::hex("iscsi.scsiresponse.response", "Response", 16, 8).named(kIscsiResponseNames),
                 field::hex("iscsi.scsiresponse.status", "SCSI status", 24, 8).named(kScsiStatusNames)},
      detail::kIscsiLengthFields, detail::iscsi_reserved(64, 64), detail::kIscsiTag,
      std::array{field::hex("rocescope.iscsi.snacktag", "SNACK Tag", 160, 32)}, detail::kIscsiResponseNumbers,
      std::array{field::hex("iscsi.expdatasn", "ExpDataSN", 288, 32),
                 field::number("iscsi.scsiresponse.bidireadresidualcount", "Residual count of the read part", 320, 32),
                 field::number("iscsi.scsiresponse.residualcount", "Residual count", 352, 32)});
  using HeaderView::HeaderView;
};

/// Before the sense data of a response.
struct IscsiSenseLength : HeaderView<IscsiSenseLength> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiSenseLength;
  static constexpr std::string_view kName = "iscsi.scsiresponse";
  static constexpr std::string_view kTitle = "iSCSI sense length";
  static constexpr std::string_view kReference = "RFC 7143 11.4.7.2";
  static constexpr std::size_t kSize = 2;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {
      field::number("iscsi.scsiresponse.senselength", "Length of the sense data", 0, 16)};
  using HeaderView::HeaderView;
};

/// A task management function, and the response.
struct IscsiTask : HeaderView<IscsiTask> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiTask;
  static constexpr std::string_view kName = "iscsi.taskmanfun";
  static constexpr std::string_view kTitle = "iSCSI Task Management";
  static constexpr std::string_view kReference = "RFC 7143 11.5 and 11.6";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields, std::array{field::number("rocescope.iscsi.final", "Final", 8, 1)},
      std::array{
          field::hex("iscsi.taskmanfun.function", "Function", 9, 7)
              .named(kIscsiTaskNames)
              .digits(2)
              .when(detail::is_iscsi_request),
          field::hex("rocescope.iscsi.reserved.flags", "Reserved", 16, 8).when(detail::is_iscsi_request),
          field::hex("rocescope.iscsi.reserved.flags", "Reserved", 9, 7).digits(2).when(detail::is_iscsi_response),
          field::hex("iscsi.taskmanfun.response", "Response", 16, 8)
              .named(kIscsiTaskResponseNames)
              .when(detail::is_iscsi_response)},
      detail::iscsi_reserved(24, 8), detail::kIscsiLengthFields, detail::kIscsiLun, detail::kIscsiTag,
      std::array{field::hex("iscsi.taskmanfun.referencedtasktag", "Referenced Task Tag", 160, 32)
                     .when(detail::is_iscsi_request),
                 field::number("iscsi.cmdsn", "CmdSN", 192, 32).when(detail::is_iscsi_request),
                 field::number("iscsi.expstatsn", "ExpStatSN", 224, 32).when(detail::is_iscsi_request),
                 field::number("iscsi.refcmdsn", "RefCmdSN", 256, 32).when(detail::is_iscsi_request),
                 field::hex("rocescope.iscsi.expdatasn", "ExpDataSN", 288, 32).when(detail::is_iscsi_request),
                 field::hex("rocescope.iscsi.reserved.word", "Reserved", 160, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.statsn", "StatSN", 192, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.expcmdsn", "ExpCmdSN", 224, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.maxcmdsn", "MaxCmdSN", 256, 32).when(detail::is_iscsi_response),
                 field::hex("rocescope.iscsi.reserved.word", "Reserved", 288, 32).when(detail::is_iscsi_response)},
      detail::iscsi_reserved(320, 64));
  using HeaderView::HeaderView;
};

/// A Login request, or the response. The keys stand behind it.
struct IscsiLogin : HeaderView<IscsiLogin> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiLogin;
  static constexpr std::string_view kName = "iscsi.login";
  static constexpr std::string_view kTitle = "iSCSI Login";
  static constexpr std::string_view kReference = "RFC 7143 11.12 and 11.13";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields,
      std::array{field::flag("iscsi.login.T", "Transit to the next stage", 8),
                 field::flag("iscsi.login.C", "More text follows", 9),
                 field::hex("rocescope.iscsi.reserved.flags", "Reserved", 10, 2).digits(2),
                 field::hex("iscsi.login.csg", "Stage", 12, 2).named(kIscsiStageNames).digits(2),
                 field::hex("iscsi.login.nsg", "Next stage", 14, 2).named(kIscsiStageNames).digits(2),
                 field::hex("iscsi.versionmax", "Highest version", 16, 8),
                 field::hex("iscsi.versionmin", "Lowest version", 24, 8).when(detail::is_iscsi_request),
                 field::hex("iscsi.versionactive", "Version", 24, 8).when(detail::is_iscsi_response)},
      detail::kIscsiLengthFields,
      std::array{field::bytes("iscsi.isid", "ISID", 64, 48), field::hex("iscsi.tsih", "TSIH", 112, 16)},
      detail::kIscsiTag,
      std::array{field::hex("iscsi.cid", "CID", 160, 16).when(detail::is_iscsi_request),
                 field::hex("rocescope.iscsi.reserved.half", "Reserved", 176, 16).when(detail::is_iscsi_request),
                 field::number("iscsi.cmdsn", "CmdSN", 192, 32).when(detail::is_iscsi_request),
                 field::number("iscsi.expstatsn", "ExpStatSN", 224, 32).when(detail::is_iscsi_request),
                 field::bytes("rocescope.iscsi.reserved", "Reserved", 256, 128).when(detail::is_iscsi_request),
                 field::hex("rocescope.iscsi.reserved.word", "Reserved", 160, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.statsn", "StatSN", 192, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.expcmdsn", "ExpCmdSN", 224, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.maxcmdsn", "MaxCmdSN", 256, 32).when(detail::is_iscsi_response),
                 field::hex("iscsi.login.status", "Status class and detail", 288, 16)
                     .named(kIscsiLoginNames)
                     .when(detail::is_iscsi_response),
                 field::bytes("rocescope.iscsi.reserved", "Reserved", 304, 80).when(detail::is_iscsi_response)});
  using HeaderView::HeaderView;
};

/// `InitiatorName=iqn...` behind a Login or a Text. Those of CHAP are never shown.
struct IscsiKeyValue : HeaderView<IscsiKeyValue> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiKeyValue;
  static constexpr std::string_view kName = "iscsi";
  static constexpr std::string_view kTitle = "iSCSI key";
  static constexpr std::string_view kReference = "RFC 7143 6.1";
  static constexpr std::size_t kSize = 1;
  static constexpr bool kContinues = true;
  static constexpr Field kFields[] = {field::text("iscsi.keyvalue", "Key", 0)};
  using HeaderView::HeaderView;
};

/// A Text request, or the response.
struct IscsiText : HeaderView<IscsiText> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiText;
  static constexpr std::string_view kName = "iscsi.text";
  static constexpr std::string_view kTitle = "iSCSI Text";
  static constexpr std::string_view kReference = "RFC 7143 11.10 and 11.11";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields,
      std::array{field::flag("iscsi.text.F", "Final", 8), field::flag("iscsi.text.C", "More text follows", 9),
                 field::hex("rocescope.iscsi.reserved.flags", "Reserved", 10, 6).digits(2)},
      detail::iscsi_reserved(16, 16), detail::kIscsiLengthFields, detail::kIscsiLun, detail::kIscsiTag,
      detail::kIscsiTransferTag, detail::kIscsiNumbers);
  using HeaderView::HeaderView;
};

/// Data that are not asked for, behind it. Where they are asked for, the target READs them.
struct IscsiDataOut : HeaderView<IscsiDataOut> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiDataOut;
  static constexpr std::string_view kName = "iscsi.scsidata";
  static constexpr std::string_view kTitle = "iSCSI Data-Out";
  static constexpr std::string_view kReference = "RFC 7143 11.7";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields =
      detail::join(detail::kIscsiOpcodeFields,
                   std::array{field::flag("iscsi.scsidata.F", "Final", 8),
                              field::hex("rocescope.iscsi.reserved.flags", "Reserved", 9, 7).digits(2)},
                   detail::iscsi_reserved(16, 16), detail::kIscsiLengthFields, detail::kIscsiLun, detail::kIscsiTag,
                   detail::kIscsiTransferTag, detail::iscsi_reserved(192, 32),
                   std::array{field::number("iscsi.expstatsn", "ExpStatSN", 224, 32)}, detail::iscsi_reserved(256, 32),
                   std::array{field::number("iscsi.datasn", "DataSN", 288, 32),
                              field::number("iscsi.bufferOffset", "Offset", 320, 32)},
                   detail::iscsi_reserved(352, 32));
  using HeaderView::HeaderView;
};

/// A Logout request, or the response.
struct IscsiLogout : HeaderView<IscsiLogout> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiLogout;
  static constexpr std::string_view kName = "iscsi.logout";
  static constexpr std::string_view kTitle = "iSCSI Logout";
  static constexpr std::string_view kReference = "RFC 7143 11.14 and 11.15";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields,
      std::array{
          field::number("rocescope.iscsi.final", "Final", 8, 1),
          field::hex("iscsi.logout.reason", "Reason", 9, 7)
              .named(kIscsiLogoutReasonNames)
              .digits(2)
              .when(detail::is_iscsi_request),
          field::hex("rocescope.iscsi.reserved.flags", "Reserved", 16, 8).when(detail::is_iscsi_request),
          field::hex("rocescope.iscsi.reserved.flags", "Reserved", 9, 7).digits(2).when(detail::is_iscsi_response),
          field::hex("iscsi.logout.response", "Response", 16, 8)
              .named(kIscsiLogoutResponseNames)
              .when(detail::is_iscsi_response)},
      detail::iscsi_reserved(24, 8), detail::kIscsiLengthFields, detail::iscsi_reserved(64, 64), detail::kIscsiTag,
      std::array{field::hex("iscsi.cid", "CID", 160, 16).when(detail::is_iscsi_request),
                 field::hex("rocescope.iscsi.reserved.half", "Reserved", 176, 16).when(detail::is_iscsi_request),
                 field::number("iscsi.cmdsn", "CmdSN", 192, 32).when(detail::is_iscsi_request),
                 field::number("iscsi.expstatsn", "ExpStatSN", 224, 32).when(detail::is_iscsi_request),
                 field::bytes("rocescope.iscsi.reserved", "Reserved", 256, 128).when(detail::is_iscsi_request),
                 field::hex("rocescope.iscsi.reserved.word", "Reserved", 160, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.statsn", "StatSN", 192, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.expcmdsn", "ExpCmdSN", 224, 32).when(detail::is_iscsi_response),
                 field::number("iscsi.maxcmdsn", "MaxCmdSN", 256, 32).when(detail::is_iscsi_response),
                 field::hex("rocescope.iscsi.reserved.word", "Reserved", 288, 32).when(detail::is_iscsi_response),
                 field::hex("iscsi.time2wait", "Time to wait, s", 320, 16).when(detail::is_iscsi_response),
                 field::hex("iscsi.time2retain", "Time to retain, s", 336, 16).when(detail::is_iscsi_response),
                 field::hex("rocescope.iscsi.reserved.word", "Reserved", 352, 32).when(detail::is_iscsi_response)});
  using HeaderView::HeaderView;
};

/// NOP-Out, or NOP-In.
struct IscsiNop : HeaderView<IscsiNop> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiNop;
  static constexpr std::string_view kName = "iscsi.nop";
  static constexpr std::string_view kTitle = "iSCSI NOP";
  static constexpr std::string_view kReference = "RFC 7143 11.18 and 11.19";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields =
      detail::join(detail::kIscsiOpcodeFields, detail::iscsi_reserved(8, 24), detail::kIscsiLengthFields,
                   detail::kIscsiLun, detail::kIscsiTag, detail::kIscsiTransferTag, detail::kIscsiNumbers);
  using HeaderView::HeaderView;
};

struct IscsiAsync : HeaderView<IscsiAsync> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiAsync;
  static constexpr std::string_view kName = "iscsi.async";
  static constexpr std::string_view kTitle = "iSCSI Asynchronous Message";
  static constexpr std::string_view kReference = "RFC 7143 11.9";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields =
      detail::join(detail::kIscsiOpcodeFields, detail::iscsi_reserved(8, 24), detail::kIscsiLengthFields,
                   detail::kIscsiLun, detail::kIscsiTag, detail::iscsi_reserved(160, 32), detail::kIscsiResponseNumbers,
                   std::array{field::hex("iscsi.asyncevent", "Event", 288, 8).named(kIscsiAsyncNames),
                              field::hex("iscsi.eventvendorcode", "Vendor code", 296, 8),
                              field::hex("iscsi.parameter1", "Parameter 1", 304, 16),
                              field::hex("iscsi.parameter2", "Parameter 2", 320, 16),
                              field::hex("iscsi.parameter3", "Parameter 3", 336, 16)},
                   detail::iscsi_reserved(352, 32));
  using HeaderView::HeaderView;
};

/// The header of the PDU that it is about stands behind it.
struct IscsiReject : HeaderView<IscsiReject> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiReject;
  static constexpr std::string_view kName = "iscsi.reject";
  static constexpr std::string_view kTitle = "iSCSI Reject";
  static constexpr std::string_view kReference = "RFC 7143 11.17";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields, detail::iscsi_reserved(8, 8),
      std::array{field::hex("iscsi.reject.reason", "Reason", 16, 8).named(kIscsiRejectNames)},
      detail::iscsi_reserved(24, 8), detail::kIscsiLengthFields, detail::iscsi_reserved(64, 64),
      std::array{field::hex("rocescope.iscsi.no_tag", "No Task Tag", 128, 32)}, detail::iscsi_reserved(160, 32),
      detail::kIscsiResponseNumbers, std::array{field::hex("rocescope.iscsi.datasn", "DataSN or R2TSN", 288, 32)},
      detail::iscsi_reserved(320, 64));
  using HeaderView::HeaderView;
};

/// Another PDU.
struct IscsiPdu : HeaderView<IscsiPdu> {
  static constexpr HeaderKind kKind = HeaderKind::kIscsiPdu;
  static constexpr std::string_view kName = "iscsi";
  static constexpr std::string_view kTitle = "iSCSI PDU";
  static constexpr std::string_view kReference = "RFC 7143 11.2";
  static constexpr std::size_t kSize = 48;
  static constexpr auto kFields = detail::join(
      detail::kIscsiOpcodeFields, std::array{field::bytes("rocescope.iscsi.flags", "By opcode", 8, 24)},
      detail::kIscsiLengthFields, std::array{field::bytes("rocescope.iscsi.lun", "LUN, or by opcode", 64, 64)},
      detail::kIscsiTag, std::array{field::bytes("rocescope.iscsi.rest", "By opcode", 160, 224)});
  using HeaderView::HeaderView;
};

}  // namespace rocescope
