// What an information unit of SRP is about, and what the login in the private data of the CM says.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dissectors/ulp/scsi/scsi_command.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/headers/srp/names.hpp"

namespace rocescope {

/// Memory that a command offers.
struct SrpMemory {
  std::uint64_t address = 0;
  std::uint32_t key = 0;
  std::uint32_t length = 0;
};

/// Where the buffer descriptors of a command are, bytes from its start, and what they say.
struct SrpBuffers {
  SrpFormat format = SrpFormat::kNone;
  std::size_t at = 0;       ///< the descriptor of the format
  std::uint8_t count = 0;   ///< memory descriptors behind that of an indirect one
  std::size_t size = 0;     ///< of all
  std::size_t memory = 0;   ///< the first memory descriptor of the data
  std::size_t entries = 0;  ///< how many of them there are
};
/// Data-out, data-in. Nothing: fewer than the first 32 bytes were captured, or a format is not known.
[[nodiscard]] std::optional<std::array<SrpBuffers, 2>> srp_buffers_of(Bytes command) noexcept;

struct SrpMessage {
  SrpOpcode opcode = SrpOpcode::kCommand;
  std::uint64_t tag = 0;
  std::uint16_t number = 0;    ///< as Command::opcode has it
  bool opcode_is_cut = false;  ///< of SCSI, it was not captured: `number` says nothing
  std::string_view operation;  ///< in words; empty: it has no name
  std::string_view detail;     ///< what else says what it is about; often empty
  bool is_io = false;
  bool is_immediate = false;  ///< the data stand behind the command
  bool sense_is_cut = false;  ///< the capture has none of the sense data
  bool code_is_cut = false;   ///< it has the sense key of them, and not the additional sense code
  std::optional<std::uint64_t> lun;
  std::optional<std::uint64_t> offset;  ///< the first block
  std::optional<std::uint64_t> blocks;
  std::uint64_t bytes = 0;                ///< that the command names
  bool size_is_cut = false;               ///< how many was not captured
  std::optional<std::uint64_t> task_tag;  ///< of the task that is to be aborted
  std::optional<std::uint32_t> status;    ///< of a response, as Command::status has it

  [[nodiscard]] bool is_of_target() const noexcept { return (static_cast<unsigned>(opcode) & 0x80U) != 0; }
};

/// Command::opcode of what is no SCSI command: the type of the information unit, and this.
inline constexpr std::uint16_t kSrpOpcodeBit = 0x8000;
/// Command::status above those of SCSI: response codes of response data.
inline constexpr std::uint32_t kSrpResponseStatus = 0x6000'0000;

/// Of an information unit of a queue pair. Nothing: it is none, or its tag was not captured.
[[nodiscard]] std::optional<SrpMessage> srp_message_of(Bytes message);
/// Memory that a command offers, as far as it is in the information unit and was captured.
struct SrpOffer {
  std::vector<SrpMemory> data;    ///< which the target READs and WRITEs
  std::vector<SrpMemory> tables;  ///< of further descriptors, which it READs first
  bool is_cut = false;            ///< there are more, which were not captured
};
[[nodiscard]] SrpOffer srp_offer_of(Bytes command);
/// The memory descriptor that `bytes` begins with; it has 16 bytes at least.
[[nodiscard]] SrpMemory srp_descriptor_of(Bytes bytes) noexcept;

/// In words; empty: it has no name.
[[nodiscard]] std::string_view srp_status_name(std::uint32_t status) noexcept;

/// What the initiator says in the REQ of the CM.
struct SrpLogin {
  std::array<std::uint8_t, 16> initiator_port{};
  std::array<std::uint8_t, 16> target_port{};
};
/// `private_data` of a REQ, without those of the IP CM service; zeros at the end may be left out.
[[nodiscard]] std::optional<SrpLogin> srp_login_of(Bytes private_data) noexcept;
/// Requests that the target allows at once, by its REP.
[[nodiscard]] std::optional<std::uint32_t> srp_credits_of(Bytes private_data) noexcept;
/// The reason in its REJ.
[[nodiscard]] std::optional<std::uint32_t> srp_reject_reason_of(Bytes private_data) noexcept;
/// `0x505400fffe1234250000000000000000`
[[nodiscard]] std::string srp_port_text(const std::array<std::uint8_t, 16>& port);

}  // namespace rocescope
