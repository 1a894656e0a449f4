// What a PDU of iSCSI in iSER is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dissectors/ulp/scsi/scsi_command.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/headers/iscsi/names.hpp"

namespace rocescope {

/// Memory that the header of iSER offers.
struct IserMemory {
  std::uint32_t key = 0;
  std::uint64_t address = 0;
};

struct IscsiMessage {
  IscsiOpcode opcode = IscsiOpcode::kNopOut;
  std::uint32_t tag = 0;                 ///< Initiator Task Tag
  bool tag_is_cut = false;               ///< it was not captured
  std::uint32_t transfer_tag = 0;        ///< Target Transfer Tag, of PDUs that have one
  std::optional<IserMemory> write_from;  ///< which the target READs
  std::optional<IserMemory> read_to;     ///< to which it WRITEs
  std::uint32_t data_length = 0;         ///< of data behind the headers
  Bytes data;                            ///< of these, what was captured
  std::uint16_t number = 0;              ///< as Command::opcode has it
  bool opcode_is_cut = false;            ///< of SCSI, it was not captured: `number` says nothing
  std::string_view operation;            ///< in words; empty: it has no name
  std::string_view detail;               ///< what else says what it is about; often empty
  bool is_io = false;
  bool sense_is_cut = false;  ///< the capture has none of the sense data
  bool code_is_cut = false;   ///< it has the sense key of them, and not the additional sense code
  std::optional<std::uint64_t> lun;
  std::optional<std::uint64_t> offset;  ///< the first block
  std::optional<std::uint64_t> blocks;
  std::uint32_t bytes = 0;                ///< that the command names
  bool size_is_cut = false;               ///< how many was not captured
  std::optional<std::uint32_t> task_tag;  ///< of the task that is to be aborted
  std::optional<std::uint32_t> status;    ///< of a response, as Command::status has it

  [[nodiscard]] bool is_of_target() const noexcept { return (static_cast<unsigned>(opcode) & 0x20U) != 0; }
};

inline constexpr std::uint32_t kNoIscsiTag = 0xFFFF'FFFF;
/// Command::opcode of what is no SCSI command: the PDU's opcode, and this.
inline constexpr std::uint16_t kIscsiOpcodeBit = 0x8000;

/// Statuses, above those of SCSI: a response without a SCSI status; of logins class x 256 + detail; of task management, of logouts,
/// and reasons of rejects.
inline constexpr std::uint32_t kIscsiResponseStatus = 0x1000'0000;
inline constexpr std::uint32_t kIscsiLoginStatus = 0x2000'0000;
inline constexpr std::uint32_t kIscsiTaskStatus = 0x3000'0000;
inline constexpr std::uint32_t kIscsiLogoutStatus = 0x4000'0000;
inline constexpr std::uint32_t kIscsiRejectStatus = 0x5000'0000;

/// Of a message that begins with a control header of iSER. Nothing: it is none, or too little of it was captured.
[[nodiscard]] std::optional<IscsiMessage> iscsi_message_of(Bytes message);

/// In words; empty: it has no name.
[[nodiscard]] std::string_view iscsi_status_name(std::uint32_t status) noexcept;
/// Whether the status says nothing about the target's health.
[[nodiscard]] bool is_iscsi_answer(std::uint32_t status) noexcept;

/// The value of a key among `data` of a Login or a Text; control characters become dots. Empty: it is not there.
[[nodiscard]] std::string iscsi_text(Bytes data, std::string_view key);

}  // namespace rocescope
