// What a SCSI command is about, and how it ended, for iSCSI and SRP.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rocescope/bytes.hpp"

namespace rocescope {

struct ScsiCommandFacts {
  std::uint16_t opcode = 0;             ///< the operation code; with a service action: that x 256 added
  bool opcode_is_cut = false;           ///< its service action was not captured
  std::string_view operation;           ///< in words; empty: it has no name
  bool is_io = false;                   ///< it is about data on the medium
  std::optional<std::uint64_t> offset;  ///< the first block
  std::optional<std::uint64_t> blocks;
};
/// Of a command descriptor block, as far as it was captured; nothing: its first byte was not.
[[nodiscard]] std::optional<ScsiCommandFacts> scsi_command_of(Bytes cdb);

/// The number of a logical unit in its 8 bytes (SAM-6, 4.7); of other forms than the simple ones all of them.
[[nodiscard]] std::uint64_t scsi_lun_of(const std::uint8_t* lun) noexcept;

/// How a command ended: SCSI status + additional sense code and qualifier x 256 + sense key x 2^24.
[[nodiscard]] std::uint32_t scsi_status_of(std::uint8_t status, Bytes sense) noexcept;
/// The name of the additional sense code, else of the sense key, else of the SCSI status; empty: it has no name.
[[nodiscard]] std::string_view scsi_status_name(std::uint32_t status) noexcept;
/// The sense key in words; empty: it has none.
[[nodiscard]] std::string_view scsi_sense_key_name(std::uint32_t status) noexcept;
/// Whether too few bytes of the sense data were captured to know the sense key. `length`: all bytes of the sense data.
[[nodiscard]] bool is_scsi_sense_cut(Bytes sense, std::uint64_t length) noexcept;
/// Whether the sense key was captured, and the additional sense code that follows it was not.
[[nodiscard]] bool is_scsi_code_cut(Bytes sense, std::uint64_t length) noexcept;
/// Whether the status says nothing about the health of the target: the unit reports something else.
[[nodiscard]] bool is_scsi_answer(std::uint32_t status) noexcept;
/// Above all statuses of SCSI: those of the protocols that carry it.
inline constexpr std::uint32_t kAboveScsiStatus = 0x1000'0000;

}  // namespace rocescope
