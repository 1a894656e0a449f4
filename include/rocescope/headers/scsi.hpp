// SCSI in iSCSI and SRP: the command descriptor block, and sense data. All numbers are big-endian.
//
// Command descriptor block (SPC-6, 4.2): the operation code, and of reads, writes and those like them
//   of 6 bytes: 3 bits, the first block (21 bits), how many (8 bits; 0: 256), control
//   of 10: flags, the first block (32 bits), a group, how many (16 bits), control
//   of 12: flags, the first block (32 bits), how many (32 bits), a group, control
//   of 16: flags, the first block (64 bits), how many (32 bits), a group, control
// Sense data of fixed form (SPC-6, 4.4.3), and with descriptors (4.4.2):
//   |V|   0x70/71   |    Obsolete   |F|E|I|S|  Key  |  Information  |
//   |             Information (24)                  |  More length  |
//   /        Information by command (32)            /
//   |      ASC      |     ASCQ      | ...
//   | |   0x72/73   | Reserved| Key |      ASC      |     ASCQ      |
//   |                   Reserved                    |  More length  | descriptors
#pragma once

#include "rocescope/header.hpp"
#include "rocescope/headers/scsi/names.hpp"

namespace rocescope {
namespace detail {

/// Which blocks the command is about, by the group of its operation code.
enum class ScsiBlocks : std::uint8_t { kNone, k6, k10, k12, k16 };
constexpr ScsiBlocks scsi_blocks(std::uint8_t operation) noexcept {
  switch (operation) {
    case 0x08:  // Read, Write
    case 0x0A:
      return ScsiBlocks::k6;
    case 0x28:  // Read, Write, Write and Verify, Verify, Pre-Fetch, Synchronize Cache, Write Same
    case 0x2A:
    case 0x2E:
    case 0x2F:
    case 0x34:
    case 0x35:
    case 0x41:
      return ScsiBlocks::k10;
    case 0xA8:  // Read, Write, Write and Verify, Verify
    case 0xAA:
    case 0xAE:
    case 0xAF:
      return ScsiBlocks::k12;
    case 0x88:  // Read, Write, ORWrite, Write and Verify, Verify, Pre-Fetch, Synchronize Cache, Write Same
    case 0x8A:
    case 0x8B:
    case 0x8E:
    case 0x8F:
    case 0x90:
    case 0x91:
    case 0x93:
      return ScsiBlocks::k16;
    default:
      return ScsiBlocks::kNone;
  }
}
template <ScsiBlocks blocks>
constexpr bool has_scsi_blocks(const std::uint8_t* cdb) {
  return scsi_blocks(cdb[0]) == blocks;
}

}  // namespace detail

/// Its first 16 bytes.
struct ScsiCdb : HeaderView<ScsiCdb> {
  static constexpr HeaderKind kKind = HeaderKind::kScsiCdb;
  static constexpr std::string_view kName = "scsi";
  static constexpr std::string_view kTitle = "SCSI command";
  static constexpr std::string_view kReference = "SPC-6 4.2";
  static constexpr std::size_t kSize = 16;
  static constexpr auto k6 = detail::has_scsi_blocks<detail::ScsiBlocks::k6>;
  static constexpr auto k10 = detail::has_scsi_blocks<detail::ScsiBlocks::k10>;
  static constexpr auto k12 = detail::has_scsi_blocks<detail::ScsiBlocks::k12>;
  static constexpr auto k16 = detail::has_scsi_blocks<detail::ScsiBlocks::k16>;
  static constexpr Field kFields[] = {
      field::hex("scsi_sbc.opcode", "Operation code", 0, 8).named(kScsiOperationNames),
      field::hex("rocescope.scsi.flags", "Reserved", 8, 3).digits(2).when(k6),
      field::number("rocescope.scsi.lba", "First block", 11, 21).when(k6),
      field::number("rocescope.scsi.blocks", "Blocks, 0: 256", 32, 8).when(k6),
      field::bytes("rocescope.scsi.rest", "Control and padding", 40, 88).when(k6),
      field::hex("rocescope.scsi.flags", "Flags", 8, 8).when(k10),
      field::number("rocescope.scsi.lba", "First block", 16, 32).when(k10),
      field::hex("rocescope.scsi.group", "Group", 48, 8).when(k10),
      field::number("rocescope.scsi.blocks", "Blocks", 56, 16).when(k10),
      field::bytes("rocescope.scsi.rest", "Control and padding", 72, 56).when(k10),
      field::hex("rocescope.scsi.flags", "Flags", 8, 8).when(k12),
      field::number("rocescope.scsi.lba", "First block", 16, 32).when(k12),
      field::number("rocescope.scsi.blocks", "Blocks", 48, 32).when(k12),
      field::bytes("rocescope.scsi.rest", "Group, control and padding", 80, 48).when(k12),
      field::hex("rocescope.scsi.flags", "Flags", 8, 8).when(k16),
      field::number("rocescope.scsi.lba", "First block", 16, 64).when(k16),
      field::number("rocescope.scsi.blocks", "Blocks", 80, 32).when(k16),
      field::bytes("rocescope.scsi.rest", "Group and control", 112, 16).when(k16),
      field::bytes("rocescope.scsi.parameters", "Parameters", 8, 120)
          .when(detail::has_scsi_blocks<detail::ScsiBlocks::kNone>),
  };
  using HeaderView::HeaderView;
};

struct ScsiFixedSense : HeaderView<ScsiFixedSense> {
  static constexpr HeaderKind kKind = HeaderKind::kScsiFixedSense;
  static constexpr std::string_view kName = "scsi.sns";
  static constexpr std::string_view kTitle = "SCSI sense";
  static constexpr std::string_view kReference = "SPC-6 4.4.3";
  static constexpr std::size_t kSize = 14;
  static constexpr Field kFields[] = {
      field::number("scsi.sns.valid", "Information is valid", 0, 1),
      field::hex("scsi.sns.errtype", "Response code", 1, 7).digits(2),
      field::hex("rocescope.scsi.sns.obsolete", "Obsolete", 8, 8),
      field::flag("scsi.sns.filemark", "Filemark", 16),
      field::flag("scsi.sns.eom", "End of medium", 17),
      field::flag("scsi.sns.ili", "Incorrect length", 18),
      field::flag("rocescope.scsi.sns.sdat", "Sense data overflow", 19),
      field::hex("scsi.sns.key", "Sense key", 20, 4).named(kScsiSenseKeyNames).digits(2),
      field::hex("scsi.sns.info", "Information", 24, 32),
      field::number("scsi.sns.addlen", "Bytes that follow", 56, 8),
      field::bytes("scsi.sns.command_specific_information", "Information by command", 64, 32),
      field::hex("scsi.sns.ascascq", "Additional sense code and qualifier", 96, 16).named(kScsiSenseNames),
  };
  using HeaderView::HeaderView;
};

struct ScsiDescriptorSense : HeaderView<ScsiDescriptorSense> {
  static constexpr HeaderKind kKind = HeaderKind::kScsiDescriptorSense;
  static constexpr std::string_view kName = "scsi.sns";
  static constexpr std::string_view kTitle = "SCSI sense with descriptors";
  static constexpr std::string_view kReference = "SPC-6 4.4.2";
  static constexpr std::size_t kSize = 8;
  static constexpr Field kFields[] = {
      field::number("rocescope.scsi.sns.reserved", "Reserved", 0, 1),
      field::hex("scsi.sns.errtype", "Response code", 1, 7).digits(2),
      field::hex("rocescope.scsi.sns.reserved", "Reserved", 8, 4).digits(2),
      field::hex("scsi.sns.key", "Sense key", 12, 4).named(kScsiSenseKeyNames).digits(2),
      field::hex("scsi.sns.ascascq", "Additional sense code and qualifier", 16, 16).named(kScsiSenseNames),
      field::bytes("rocescope.scsi.sns.reserved", "Reserved", 32, 24),
      field::number("scsi.sns.addlen", "Bytes that follow", 56, 8),
  };
  using HeaderView::HeaderView;
};

}  // namespace rocescope
