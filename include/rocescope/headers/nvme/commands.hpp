// NVMe over RDMA: command capsules of the admin queue and of I/O queues, and response capsules. All numbers are little-endian.
//
// Command capsule (NVMe Base 2.0, 3.3.1.1 and figure 86); data in the capsule stand behind it:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |     Opcode    |PSD| Reserved|F|           Command ID          |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                          Namespace ID                         |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                       Reserved (8 bytes)                      /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                   Metadata pointer (8 bytes)                  /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /             SGL descriptor 1 (16 bytes, see below)            /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /        Dwords 10 to 15, by command: LBA, blocks, ...          /
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// SGL descriptor: either a keyed data block (type 4), which RDMA READs and WRITEs of the controller name, or another
// type. A data block (type 0) with subtype 1 is an offset in the capsule:
//   /                      Address (8 bytes)                        /
//   |                   Length                      |      Key      |     keyed
//   |                      Key                      | Type  |Subtype|
//   |                            Length                             |     others
//   |                    Reserved                   | Type  |Subtype|
//
// Response capsule (figure 89):
//   /            Result (8 bytes), by command                       /
//   |        SQ head pointer        |         SQ identifier         |
//   |           Command ID          |             Status            |
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rocescope/header.hpp"
#include "rocescope/headers/nvme/names.hpp"

namespace rocescope {
namespace detail {

inline constexpr std::array<ValueName, 5> kNvmeSglTypes{{{0x0, 0x0, "Data Block"},
                                                         {0x1, 0x1, "Bit Bucket"},
                                                         {0x2, 0x2, "Segment"},
                                                         {0x3, 0x3, "Last Segment"},
                                                         {0x4, 0x4, "Keyed Data Block"}}};

constexpr bool is_nvme_sgl_keyed(const std::uint8_t* header) { return header[39] >> 4U == 4; }
constexpr bool is_nvme_sgl_unkeyed(const std::uint8_t* header) { return !is_nvme_sgl_keyed(header); }

/// Of a capsule: bytes 24 to 39.
inline constexpr std::array kNvmeSglFields{
    field::hex("nvme.cmd.sgl1.addr", "SGL address", 192, 64).little_endian(),
    field::number("nvme.cmd.sgl1.len", "SGL length", 256, 24).little_endian().when(is_nvme_sgl_keyed),
    field::hex("nvme.cmd.sgl1.key", "SGL key", 280, 32).little_endian().when(is_nvme_sgl_keyed),
    field::number("nvme.cmd.sgl1.len", "SGL length", 256, 32).little_endian().when(is_nvme_sgl_unkeyed),
    field::bytes("nvme.cmd.sgl1.rsvd", "Reserved", 288, 24).when(is_nvme_sgl_unkeyed),
    field::hex("nvme.cmd.sgl.type", "SGL type", 312, 4).named(kNvmeSglTypes).digits(2),
    field::hex("nvme.cmd.sgl.subtype", "SGL subtype", 316, 4).digits(2),
};

/// Bytes 0 to 23 of the commands that are not of the fabrics.
[[nodiscard]] constexpr std::array<Field, 8> nvme_command_fields(std::span<const ValueName> opcodes) {
  return {field::hex("nvme.cmd.opc", "Opcode", 0, 8).named(opcodes),
          field::hex("nvme.cmd.psdt", "PRP or SGL", 8, 2).digits(2),
          field::hex("nvme.cmd.rsvd", "Reserved", 10, 4).digits(2),
          field::hex("nvme.cmd.fuse_op", "Fused operation", 14, 2).digits(2),
          field::hex("nvme.cmd.cid", "Command ID", 16, 16).little_endian(),
          field::hex("nvme.cmd.nsid", "Namespace ID", 32, 32).little_endian(),
          field::bytes("nvme.cmd.rsvd1", "Reserved", 64, 64),
          field::hex("nvme.cmd.mptr", "Metadata pointer", 128, 64).little_endian()};
}

[[nodiscard]] constexpr Field nvme_dword(field::Text name, field::Text label, std::uint32_t number) {
  return field::hex(name, label, number * 32, 32).little_endian();
}
inline constexpr std::array kNvmeDword10{nvme_dword("nvme.cmd.dword10", "Dword 10", 10)};
inline constexpr std::array kNvmeDword11{nvme_dword("nvme.cmd.dword11", "Dword 11", 11)};
inline constexpr std::array kNvmeDwords12To15{
    nvme_dword("nvme.cmd.dword12", "Dword 12", 12), nvme_dword("nvme.cmd.dword13", "Dword 13", 13),
    nvme_dword("nvme.cmd.dword14", "Dword 14", 14), nvme_dword("nvme.cmd.dword15", "Dword 15", 15)};

/// Of a response capsule: bytes 8 to 15. Its lowest bit, the phase, means nothing over fabrics.
[[nodiscard]] constexpr std::array<Field, 11> nvme_completion_fields(
    field::Text phase, std::span<const ValueName> statuses = kNvmeStatusNames) {
  return {
      field::hex("nvme.cqe.sqhd", "SQ head pointer", 64, 16).little_endian(),
      field::hex("nvme.cqe.sqid", "SQ identifier", 80, 16).little_endian(),
      field::hex("nvme.cqe.cid", "Command ID", 96, 16).little_endian(),
      field::hex("nvme.cqe.status", "Status", 112, 16).little_endian(),
      field::hex("rocescope.nvme.status", "Status type and code", 112, 16)
          .little_endian()
          .masked(0x0FFE)
          .named(statuses)
          .digits(3)
          .part(),
      field::hex(phase, "Phase", 112, 16).little_endian().masked(0x0001).part(),
      field::hex("nvme.cqe.status.sc", "Status code", 112, 16).little_endian().masked(0x01FE).part(),
      field::hex("nvme.cqe.status.sct", "Status code type", 112, 16).little_endian().masked(0x0E00).part(),
      field::hex("nvme.cqe.status.crd", "Command retry delay", 112, 16).little_endian().masked(0x3000).part(),
      field::number("nvme.cqe.status.m", "More in a log page", 112, 16).little_endian().masked(0x4000).part(),
      field::number("nvme.cqe.status.dnr", "Do not retry", 112, 16).little_endian().masked(0x8000).part(),
  };
}

}  // namespace detail

/// A command of an admin queue about which nothing more is known.
struct NvmeAdminCommand : HeaderView<NvmeAdminCommand> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeAdminCommand;
  static constexpr std::string_view kName = "nvme.cmd";
  static constexpr std::string_view kTitle = "NVMe admin command";
  static constexpr std::string_view kReference = "NVMe Base 2.0, 5";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields =
      detail::join(detail::nvme_command_fields(kNvmeAdminOpcodeNames), detail::kNvmeSglFields, detail::kNvmeDword10,
                   detail::kNvmeDword11, detail::kNvmeDwords12To15);
  using HeaderView::HeaderView;
};

struct NvmeIdentify : HeaderView<NvmeIdentify> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeIdentify;
  static constexpr std::string_view kName = "nvme.cmd.identify";
  static constexpr std::string_view kTitle = "NVMe Identify";
  static constexpr std::string_view kReference = "NVMe Base 2.0, 5.17";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields = detail::join(
      detail::nvme_command_fields(kNvmeAdminOpcodeNames), detail::kNvmeSglFields,
      std::array{
          detail::nvme_dword("nvme.cmd.identify.dword10", "Dword 10", 10),
          field::hex("nvme.cmd.identify.dword10.cns", "CNS", 320, 8).named(kNvmeIdentifyNames).digits(8).part(),
          field::hex("nvme.cmd.identify.dword10.rsvd", "Reserved", 328, 8).digits(8).part(),
          field::hex("nvme.cmd.identify.dword10.cntid", "Controller ID", 336, 16).little_endian().digits(8).part(),
          detail::nvme_dword("nvme.cmd.identify.dword11", "Dword 11", 11),
          detail::nvme_dword("nvme.cmd.dword12", "Dword 12", 12),
          detail::nvme_dword("nvme.cmd.dword13", "Dword 13", 13),
          detail::nvme_dword("nvme.cmd.identify.dword14", "Dword 14", 14),
          detail::nvme_dword("nvme.cmd.dword15", "Dword 15", 15)});
  using HeaderView::HeaderView;
};

struct NvmeGetLogPage : HeaderView<NvmeGetLogPage> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeGetLogPage;
  static constexpr std::string_view kName = "nvme.cmd.get_logpage";
  static constexpr std::string_view kTitle = "NVMe Get Log Page";
  static constexpr std::string_view kReference = "NVMe Base 2.0, 5.16";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields = detail::join(
      detail::nvme_command_fields(kNvmeAdminOpcodeNames), detail::kNvmeSglFields,
      std::array{
          detail::nvme_dword("nvme.cmd.get_logpage.dword10", "Dword 10", 10),
          field::number("nvme.cmd.get_logpage.dword10.id", "Log page", 320, 8).named(kNvmeLogPageNames).part(),
          field::hex("rocescope.nvme.cmd.get_logpage.dword10.flags", "Retain, specific", 328, 8).part(),
          field::hex("nvme.cmd.get_logpage.dword10.numdl", "Dwords, low", 336, 16).little_endian().digits(8).part(),
          detail::nvme_dword("nvme.cmd.get_logpage.dword11", "Dword 11", 11),
          field::hex("nvme.cmd.get_logpage.dword11.numdu", "Dwords, high", 352, 16).little_endian().digits(8).part(),
          field::hex("nvme.cmd.get_logpage.dword11.lsi", "Log specific ID", 368, 16).little_endian().digits(8).part(),
          field::number("nvme.cmd.get_logpage.lpo", "Offset", 384, 64).little_endian(),
          detail::nvme_dword("nvme.cmd.get_logpage.dword14", "Dword 14", 14),
          detail::nvme_dword("nvme.cmd.dword15", "Dword 15", 15)});
  using HeaderView::HeaderView;
};

/// Get Features and Set Features.
struct NvmeFeatures : HeaderView<NvmeFeatures> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeFeatures;
  static constexpr std::string_view kName = "nvme.cmd.features";
  static constexpr std::string_view kTitle = "NVMe Features";
  static constexpr std::string_view kReference = "NVMe Base 2.0, 5.15 and 5.27";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields =
      detail::join(detail::nvme_command_fields(kNvmeAdminOpcodeNames), detail::kNvmeSglFields,
                   std::array{field::hex("rocescope.nvme.cmd.features.fid", "Feature", 320, 8).named(kNvmeFeatureNames),
                              field::bytes("rocescope.nvme.cmd.features.rsvd", "Reserved, save or select", 328, 24),
                              detail::nvme_dword("rocescope.nvme.cmd.features.dword11", "Dword 11", 11),
                              detail::nvme_dword("nvme.cmd.dword12", "Dword 12", 12),
                              detail::nvme_dword("nvme.cmd.dword13", "Dword 13", 13),
                              detail::nvme_dword("rocescope.nvme.cmd.features.dword14", "Dword 14", 14),
                              detail::nvme_dword("nvme.cmd.dword15", "Dword 15", 15)});
  using HeaderView::HeaderView;
};

/// A command of an I/O queue about which nothing more is known.
struct NvmeIoCommand : HeaderView<NvmeIoCommand> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeIoCommand;
  static constexpr std::string_view kName = "nvme.io";
  static constexpr std::string_view kTitle = "NVMe I/O command";
  static constexpr std::string_view kReference = "NVM Command Set 1.0, 3.2";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields = detail::join(detail::nvme_command_fields(kNvmeIoOpcodeNames), detail::kNvmeSglFields,
                                               detail::kNvmeDword10, detail::kNvmeDword11, detail::kNvmeDwords12To15);
  using HeaderView::HeaderView;
};

/// Read, Write, and those that have the same fields.
struct NvmeReadWrite : HeaderView<NvmeReadWrite> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeReadWrite;
  static constexpr std::string_view kName = "nvme.rw";
  static constexpr std::string_view kTitle = "NVMe I/O command on blocks";
  static constexpr std::string_view kReference = "NVM Command Set 1.0, 3.2.4 and 3.2.6";
  static constexpr std::size_t kSize = 64;
  static constexpr auto kFields = detail::join(
      detail::nvme_command_fields(kNvmeIoOpcodeNames), detail::kNvmeSglFields,
      std::array{field::hex("nvme.cmd.slba", "Start LBA", 320, 64).little_endian(),
                 field::number("nvme.cmd.nlb", "Logical blocks", 384, 16).little_endian().plus(1),
                 field::hex("nvme.cmd.rsvd2", "Reserved", 400, 16).little_endian().masked(0x03FF),
                 field::hex("nvme.cmd.prinfo.lbrtag", "Check reference tag", 400, 16).little_endian().masked(0x0400),
                 field::hex("nvme.cmd.prinfo.apptag", "Check application tag", 400, 16).little_endian().masked(0x0800),
                 field::hex("nvme.cmd.prinfo.guard", "Check guard", 400, 16).little_endian().masked(0x1000),
                 field::hex("nvme.cmd.prinfo.action", "Protection action", 400, 16).little_endian().masked(0x2000),
                 field::hex("nvme.cmd.fua", "Force unit access", 400, 16).little_endian().masked(0x4000),
                 field::hex("nvme.cmd.lr", "Limited retry", 400, 16).little_endian().masked(0x8000),
                 field::hex("rocescope.nvme.cmd.dsm", "Dataset management", 416, 32).little_endian(),
                 field::hex("nvme.cmd.eilbrt", "Reference tag", 448, 32).little_endian(),
                 field::hex("nvme.cmd.elbat", "Application tag", 480, 16).little_endian(),
                 field::hex("nvme.cmd.elbatm", "Application tag mask", 496, 16).little_endian()});
  using HeaderView::HeaderView;
};

/// A response capsule.
struct NvmeCompletion : HeaderView<NvmeCompletion> {
  static constexpr HeaderKind kKind = HeaderKind::kNvmeCompletion;
  static constexpr std::string_view kName = "nvme.cqe";
  static constexpr std::string_view kTitle = "NVMe completion";
  static constexpr std::string_view kReference = "NVMe Base 2.0, 3.3.3.2";
  static constexpr std::size_t kSize = 16;
  static constexpr auto kFields = detail::join(std::array{detail::nvme_dword("nvme.cqe.dword0", "Dword 0", 0),
                                                          detail::nvme_dword("nvme.cqe.dword1", "Dword 1", 1)},
                                               detail::nvme_completion_fields("nvme.cqe.status.p"));
  using HeaderView::HeaderView;
};

}  // namespace rocescope
