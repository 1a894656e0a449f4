#include "dissectors/ulp/smb_direct/smb_message.hpp"

#include <algorithm>

#include "dissectors/crc32.hpp"
#include "rocescope/headers/smb2.hpp"

namespace rocescope {
namespace {

/// A command, as far as it was captured: half of its Message ID is.
class SmbBytes {
 public:
  static constexpr std::size_t kNeeded = 28;

  explicit SmbBytes(Bytes bytes) : bytes_(bytes) {}

  /// Little-endian; nothing: it was not captured.
  [[nodiscard]] std::optional<std::uint64_t> number(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) return std::nullopt;
    return load_little_endian(bytes_.data() + at, size);
  }
  [[nodiscard]] std::uint64_t number_or_zero(std::size_t at, std::size_t size) const {
    return number(at, size).value_or(0);
  }
  /// Empty: it was not captured.
  [[nodiscard]] Bytes part(std::size_t at, std::size_t size) const {
    return at + size <= bytes_.size() ? bytes_.subspan(at, size) : Bytes();
  }

 private:
  Bytes bytes_;
};

constexpr std::size_t kSmbBody = SmbHeader::kSize;

void append_utf8(std::uint32_t character, std::string& text) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0U | character >> 6U);
  } else {
    if (character < 0x10000) {
      add(0xE0U | character >> 12U);
    } else {
      add(0xF0U | character >> 18U);
      add(0x80U | (character >> 12U & 0x3FU));
    }
    add(0x80U | (character >> 6U & 0x3FU));
  }
  add(0x80U | (character & 0x3FU));
}

/// UTF-16, little-endian. What is no character, or is none that prints, becomes U+FFFD.
std::string smb_text(Bytes units) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  std::string text;
  for (std::size_t at = 0; at + 2 <= units.size(); at += 2) {
    auto character = static_cast<std::uint32_t>(load_little_endian(units.data() + at, 2));
    if (character >= 0xD800 && character < 0xE000) {
      const bool has_pair = character < 0xDC00 && at + 4 <= units.size();
      const auto low = has_pair ? static_cast<std::uint32_t>(load_little_endian(units.data() + at + 2, 2)) : 0;
      const bool is_pair = low >= 0xDC00 && low < 0xE000;
      character = is_pair ? 0x10000 + ((character - 0xD800) << 10U) + (low - 0xDC00) : kReplacement;
      at += is_pair ? 2 : 0;
    }
    append_utf8(character < 0x20 || character == 0x7F ? kReplacement : character, text);
  }
  return text;
}

/// `at`: where the body has the offset of the text, and its length behind.
std::string smb_name(const SmbBytes& bytes, std::size_t at) {
  constexpr std::uint64_t kLongest = 1'024;
  const std::uint64_t offset = bytes.number_or_zero(at, 2);
  const std::uint64_t length = bytes.number_or_zero(at + 2, 2);
  return length > kLongest ? std::string() : smb_text(bytes.part(offset, length));
}

std::optional<std::uint32_t> smb_file_of(const SmbBytes& bytes, std::size_t at) {
  constexpr std::size_t kFileId = 16;
  const Bytes id = bytes.part(at, kFileId);
  if (id.empty()) return std::nullopt;
  return crc32(0, id.data(), id.size());
}

void note_smb_memory(const SmbBytes& bytes, std::size_t channel, std::size_t at, SmbMessage& message) {
  message.place_is_cut = !bytes.number(at + 2, 2);  // behind the channel
  const std::uint64_t kind = bytes.number_or_zero(channel, 4);
  if (kind != 1 && kind != 2) return;  // RDMA V1, with and without invalidation
  constexpr std::size_t kMost = 64;    // clients offer one or two
  const std::uint64_t offset = bytes.number_or_zero(at, 2);
  const std::size_t count = std::min<std::size_t>(bytes.number_or_zero(at + 2, 2) / SmbDescriptor::kSize, kMost);
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes each = bytes.part(offset + i * SmbDescriptor::kSize, SmbDescriptor::kSize);
    message.place_is_cut = message.place_is_cut || each.empty();
    if (each.empty()) return;
    const SmbDescriptor descriptor(each.data());
    message.memory.push_back({descriptor.get<"smb2.buffer_descriptor.offset">(),
                              descriptor.get<"smb2.buffer_descriptor.token">(),
                              descriptor.get<"smb2.buffer_descriptor.length">()});
  }
}

void note_smb_size(const std::optional<std::uint64_t>& bytes, SmbMessage& message) {
  message.bytes = bytes.value_or(0);
  message.size_is_cut = !bytes;
}

void note_smb_request(const SmbBytes& bytes, SmbMessage& message) {
  switch (message.command()) {
    case SmbCommand::kTreeConnect:
      message.detail = smb_name(bytes, kSmbBody + 4);
      return;
    case SmbCommand::kCreate:
      message.detail = smb_name(bytes, kSmbBody + 44);
      return;
    case SmbCommand::kRead:
      note_smb_size(bytes.number(kSmbBody + 4, 4), message);
      message.offset = bytes.number(kSmbBody + 8, 8);
      message.file = smb_file_of(bytes, kSmbBody + 16);
      return note_smb_memory(bytes, kSmbBody + 36, kSmbBody + 44, message);
    case SmbCommand::kWrite: {
      const auto length = bytes.number(kSmbBody + 4, 4);
      message.is_inline = length.value_or(0) > 0;
      note_smb_size(length == 0U ? bytes.number(kSmbBody + 36, 4) : length, message);  // by RDMA: what remains
      message.offset = bytes.number(kSmbBody + 8, 8);
      message.file = smb_file_of(bytes, kSmbBody + 16);
      if (message.is_inline) return;
      return note_smb_memory(bytes, kSmbBody + 32, kSmbBody + 40, message);
    }
    case SmbCommand::kClose:
    case SmbCommand::kFlush:
    case SmbCommand::kLock:
    case SmbCommand::kQueryDirectory:
    case SmbCommand::kChangeNotify:
    case SmbCommand::kIoctl:
      message.file = smb_file_of(bytes, kSmbBody + 8);
      return;
    case SmbCommand::kSetInfo:
      message.file = smb_file_of(bytes, kSmbBody + 16);
      return;
    case SmbCommand::kQueryInfo:
      message.file = smb_file_of(bytes, kSmbBody + 24);
      return;
    default:
      return;
  }
}

std::optional<SmbMessage> smb_message_of(Bytes command) {
  if (smb_form_of(command) != SmbForm::kPlain || command.size() < SmbBytes::kNeeded) return std::nullopt;
  const SmbBytes bytes(command);
  constexpr std::uint64_t kResponse = 1;
  constexpr std::uint64_t kAsync = 2;
  const std::uint64_t flags = bytes.number_or_zero(16, 4);
  SmbMessage message;
  message.number = static_cast<std::uint16_t>(bytes.number_or_zero(12, 2));
  if (bytes.number_or_zero(4, 2) != SmbHeader::kSize || message.number > kMostSmbCommand) return std::nullopt;
  message.operation = name_of(kSmbCommandNames, message.number);
  message.is_response = (flags & kResponse) != 0;
  constexpr std::size_t kId = 24;
  const std::size_t id_size = std::min<std::size_t>(command.size() - kId, 8);
  if (!message.is_response && id_size < 8) return std::nullopt;
  message.id = bytes.number_or_zero(kId, id_size);
  message.id_size = static_cast<std::uint8_t>(id_size);
  if (const auto tree = bytes.number(36, 4); tree && (flags & kAsync) == 0)
    message.tree = static_cast<std::uint32_t>(*tree);
  if (message.is_response) {
    constexpr std::uint32_t kPending = 0x103;
    message.status = static_cast<std::uint32_t>(bytes.number_or_zero(8, 4));
    message.is_pending = message.status == kPending && (flags & kAsync) != 0;
  } else {
    note_smb_request(bytes, message);
  }
  return message;
}

/// Whether the command rests on the one before it, such as on the file that it opens.
bool is_smb_related(Bytes command) {
  constexpr std::uint32_t kRelated = 4;
  return (load_little_endian(command.data() + 16, 4) & kRelated) != 0;
}

}  // namespace

std::vector<SmbMessage> smb_messages_of(Bytes message) {
  std::vector<SmbMessage> all;
  while (all.size() < kMostSmbChained) {
    constexpr std::size_t kNext = 20;
    const std::uint64_t next = message.size() >= SmbBytes::kNeeded ? load_little_endian(message.data() + kNext, 4) : 0;
    // What is behind belongs to the next command.
    const bool has_next = next >= SmbHeader::kSize && next % 8 == 0 && next < message.size();
    auto each = smb_message_of(has_next ? message.first(next) : message);
    if (!each && !all.empty()) all.back().next_is_cut = true;
    if (!each) break;
    if (!all.empty() && is_smb_related(message)) each->follows_failure = !is_smb_success(all.back().status);
    each->next_is_cut = next >= message.size();
    all.push_back(*std::move(each));
    if (!has_next) break;
    message = message.subspan(next);
  }
  return all;
}

std::string_view smb_status_name(std::uint32_t status) noexcept { return name_of(kNtStatusNames, status); }

bool is_smb_success(std::uint32_t status) noexcept {
  constexpr std::uint32_t kWarnings = 0x80000000;
  constexpr std::uint32_t kBufferOverflow = 0x80000005;  // there is more to read
  constexpr std::uint32_t kMoreProcessing = 0xC0000016;  // the login goes on
  return status < kWarnings || status == kBufferOverflow || status == kMoreProcessing;
}

bool is_smb_answer(std::uint32_t status, bool is_io) noexcept {
  switch (status) {
    case 0xC0000011:  // END_OF_FILE, FILE_LOCK_CONFLICT, CANCELLED, NETWORK_SESSION_EXPIRED, PATH_NOT_COVERED
    case 0xC0000054:
    case 0xC0000120:
    case 0xC000035C:
    case 0xC0000257:
      return true;
    case 0xC0000001:  // UNSUCCESSFUL, INVALID_HANDLE, NO_MEMORY
    case 0xC0000008:
    case 0xC0000017:
    case 0xC0000032:  // DISK_CORRUPT_ERROR, DATA_ERROR, CRC_ERROR, QUOTA_EXCEEDED, DISK_FULL
    case 0xC000003E:
    case 0xC000003F:
    case 0xC0000044:
    case 0xC000007F:
    case 0xC0000098:  // FILE_INVALID, INSUFFICIENT_RESOURCES, DEVICE_DATA_ERROR, MEDIA_WRITE_PROTECTED
    case 0xC000009A:
    case 0xC000009C:
    case 0xC00000A2:
    case 0xC00000A3:  // DEVICE_NOT_READY, IO_TIMEOUT, NETWORK_BUSY, UNEXPECTED_NETWORK_ERROR, NETWORK_NAME_DELETED
    case 0xC00000B5:
    case 0xC00000BF:
    case 0xC00000C4:
    case 0xC00000C9:
    case 0xC00000D0:  // REQUEST_NOT_ACCEPTED, INTERNAL_ERROR, FILE_CORRUPT_ERROR, TOO_MANY_OPENED_FILES, FILE_CLOSED
    case 0xC00000E5:
    case 0xC0000102:
    case 0xC000011F:
    case 0xC0000128:
    case 0xC0000185:  // IO_DEVICE_ERROR, USER_SESSION_DELETED, INSUFF_SERVER_RESOURCES, VOLUME_DISMOUNTED
    case 0xC0000203:
    case 0xC0000205:
    case 0xC000026E:
    case 0xC0000464:  // DEVICE_UNREACHABLE, SERVER_UNAVAILABLE, FILE_NOT_AVAILABLE
    case 0xC0000466:
    case 0xC0000467:
      return false;
    default:
      return !is_io;
  }
}

}  // namespace rocescope
