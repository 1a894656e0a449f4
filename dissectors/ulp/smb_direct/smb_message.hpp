// What a message of SMB Direct is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocescope/bytes.hpp"
#include "rocescope/headers/smb2/names.hpp"

namespace rocescope {

/// A message of SMB Direct.
struct SmbDirectMessage {
  enum class Kind : std::uint8_t { kRequest, kResponse, kData };
  Kind kind = Kind::kData;
  std::uint32_t remaining = 0;    ///< bytes of the same message of SMB that follow in others
  std::uint32_t data_length = 0;  ///< 0: it is about credits alone
  std::uint16_t granted = 0;      ///< messages that the peer may send
  Bytes data;                     ///< as far as they were captured
};
/// Nothing: it has the form of none, or its header was not captured. `length`: of the whole message, 0: it has several
/// packets.
[[nodiscard]] std::optional<SmbDirectMessage> smb_direct_message_of(Bytes start, std::uint64_t length) noexcept;

/// What a message of SMB begins with.
enum class SmbForm : std::uint8_t { kNone, kPlain, kEncrypted, kCompressed };
[[nodiscard]] SmbForm smb_form_of(Bytes message) noexcept;

/// Memory of the client that the server READs or WRITEs.
struct SmbMemory {
  std::uint64_t address = 0;
  std::uint32_t key = 0;
  std::uint32_t length = 0;
};

/// A command, or the response to one.
struct SmbMessage {
  std::uint16_t number = 0;    ///< SmbCommand
  std::string_view operation;  ///< in words
  std::string detail;          ///< the share, the file; often empty
  bool is_response = false;
  bool is_pending = false;       ///< the response comes later
  bool follows_failure = false;  ///< it answers a command that rests on the one before, and that one failed
  std::uint64_t id = 0;
  std::uint8_t id_size = 8;  ///< bytes of it that were captured, of a response 4 at least; of others all
  std::optional<std::uint32_t> tree;
  std::optional<std::uint64_t> offset;
  std::optional<std::uint32_t> file;  ///< the CRC-32 of the File ID
  std::uint64_t bytes = 0;            ///< that a READ or a WRITE names
  bool size_is_cut = false;           ///< how many was not captured
  bool is_inline = false;             ///< the data of a WRITE stand behind it
  bool place_is_cut = false;          ///< where the data of a READ or a WRITE are was not captured
  std::uint32_t status = 0;           ///< of a response
  bool next_is_cut = false;           ///< another command follows, which was not captured
  std::vector<SmbMemory> memory;

  [[nodiscard]] SmbCommand command() const noexcept { return SmbCommand{number}; }
  /// What the server says without being asked.
  [[nodiscard]] bool is_notice() const noexcept { return is_response && id == ~std::uint64_t{0}; }
};
inline constexpr std::size_t kMostSmbChained = 64;
/// All commands of a plain message: `message` begins with the first. Those that were cut before the end of the Message ID
/// are not among them, but for responses with half of it.
[[nodiscard]] std::vector<SmbMessage> smb_messages_of(Bytes message);

/// In words; empty: it has no name.
[[nodiscard]] std::string_view smb_status_name(std::uint32_t status) noexcept;
/// Whether a response with this status does what was asked, or says how to go on.
[[nodiscard]] bool is_smb_success(std::uint32_t status) noexcept;
/// Whether a status says nothing about the server's health, such as that a file is not there.
[[nodiscard]] bool is_smb_answer(std::uint32_t status, bool is_io) noexcept;

}  // namespace rocescope
