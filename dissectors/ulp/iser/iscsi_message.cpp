#include "dissectors/ulp/iser/iscsi_message.hpp"

#include <algorithm>
#include <cstring>

#include "rocescope/headers/iscsi.hpp"

namespace rocescope {
namespace {

constexpr std::uint32_t kOfStatus = 0x0FFF'FFFF;

/// A PDU, as far as it was captured: its basic header segment up to the length of its data is.
class Pdu {
 public:
  static constexpr std::size_t kNeeded = 8;

  explicit Pdu(Bytes bytes) : bytes_(bytes) {}

  /// Big-endian; nothing: it was not captured.
  [[nodiscard]] std::optional<std::uint32_t> number(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) return std::nullopt;
    return static_cast<std::uint32_t>(load_big_endian(bytes_.data() + at, size));
  }
  [[nodiscard]] std::uint8_t byte(std::size_t at) const { return bytes_[at]; }
  [[nodiscard]] Bytes from(std::size_t at) const { return bytes_.subspan(std::min(at, bytes_.size())); }
  /// Data behind the headers.
  [[nodiscard]] Bytes data() const {
    const Bytes rest = from(IscsiPdu::kSize + std::size_t{byte(4)} * 4);
    return rest.first(std::min<std::size_t>(rest.size(), *number(5, 3)));
  }

 private:
  Bytes bytes_;
};

void note_command(const Pdu& pdu, IscsiMessage& message) {
  constexpr std::size_t kCdb = 32;
  const auto bytes = pdu.number(20, 4);
  message.bytes = bytes.value_or(0);
  message.size_is_cut = !bytes;
  const Bytes cdb = pdu.from(kCdb);
  const auto facts = scsi_command_of(cdb.first(std::min<std::size_t>(cdb.size(), 16)));
  message.opcode_is_cut = !facts || facts->opcode_is_cut;
  if (!facts) return;
  message.number = facts->opcode;
  message.operation = facts->operation;
  message.is_io = facts->is_io;
  message.offset = facts->offset;
  message.blocks = facts->blocks;
}

void note_response(const Pdu& pdu, IscsiMessage& message) {
  const std::uint8_t response = pdu.byte(2);
  if (response != 0) {
    message.status = kIscsiResponseStatus + response;
    return;
  }
  Bytes sense;
  if (message.data.size() >= 2) {
    const std::size_t length = load_big_endian(message.data.data(), 2);
    sense = message.data.subspan(2, std::min(length, message.data.size() - 2));
  }
  message.status = scsi_status_of(pdu.byte(3), sense);
  const bool has_sense = message.data_length > 2;
  const std::uint64_t length = message.data.size() >= 2 ? load_big_endian(message.data.data(), 2) : message.data_length;
  message.sense_is_cut = has_sense && pdu.byte(3) != 0 && is_scsi_sense_cut(sense, length);
  message.code_is_cut = pdu.byte(3) != 0 && is_scsi_code_cut(sense, length);
}

void note_by_opcode(const Pdu& pdu, IscsiMessage& message) {
  constexpr std::uint8_t kSeven = 0x7F;
  constexpr std::uint8_t kAbortTask = 1;
  switch (message.opcode) {
    case IscsiOpcode::kScsiCommand:
      return note_command(pdu, message);
    case IscsiOpcode::kScsiResponse:
      return note_response(pdu, message);
    case IscsiOpcode::kTaskManagement:
      message.operation = name_of(kIscsiTaskNames, pdu.byte(1) & kSeven);
      if ((pdu.byte(1) & kSeven) == kAbortTask) message.task_tag = pdu.number(20, 4);
      return;
    case IscsiOpcode::kTaskManagementResponse:
      message.status = pdu.byte(2) == 0 ? 0 : kIscsiTaskStatus + pdu.byte(2);
      return;
    case IscsiOpcode::kLogin:
      message.lun.reset();
      message.detail = name_of(kIscsiStageNames, pdu.byte(1) >> 2U & 3U);
      return;
    case IscsiOpcode::kLoginResponse:
      message.lun.reset();
      if (const auto status = pdu.number(36, 2)) message.status = *status == 0 ? 0 : kIscsiLoginStatus + *status;
      return;
    case IscsiOpcode::kLogout:
      message.lun.reset();
      message.detail = name_of(kIscsiLogoutReasonNames, pdu.byte(1) & kSeven);
      return;
    case IscsiOpcode::kLogoutResponse:
      message.status = pdu.byte(2) == 0 ? 0 : kIscsiLogoutStatus + pdu.byte(2);
      return;
    case IscsiOpcode::kReject:
      message.status = kIscsiRejectStatus + pdu.byte(2);
      return;
    case IscsiOpcode::kAsyncMessage:
      if (const auto event = pdu.number(36, 1)) message.detail = name_of(kIscsiAsyncNames, *event);
      return;
    case IscsiOpcode::kNopOut:
    case IscsiOpcode::kNopIn:
    case IscsiOpcode::kText:
    case IscsiOpcode::kTextResponse:
      message.status = message.is_of_target() ? std::optional<std::uint32_t>(0) : std::nullopt;
      message.lun.reset();
      return;
    case IscsiOpcode::kDataOut:
    case IscsiOpcode::kSnack:
    case IscsiOpcode::kDataIn:
    case IscsiOpcode::kReadyToTransfer:
      return;
  }
}

}  // namespace

std::optional<IscsiMessage> iscsi_message_of(Bytes message) {
  std::optional<IscsiMessage> found;
  if (message.size() < IserHeader::kSize + Pdu::kNeeded) return found;
  const IserHeader header(message.data());
  constexpr unsigned kControl = 1;
  if (header.get<"iser.flags.opcode">() != kControl) return found;
  const Pdu pdu(message.subspan(IserHeader::kSize));
  const std::uint8_t opcode = pdu.byte(0) & 0x3FU;
  const std::string_view name = name_of(kIscsiOpcodeNames, opcode);
  if (name.empty()) return found;
  IscsiMessage& facts = found.emplace();
  facts.opcode = IscsiOpcode{opcode};
  if (header.get<"iser.flags.wsv">())
    facts.write_from = {header.get<"iser.write_stag">(), header.get<"iser.write_base_offset">()};
  if (header.get<"iser.flags.rsv">())
    facts.read_to = {header.get<"iser.read_stag">(), header.get<"iser.read_base_offset">()};
  const auto tag = pdu.number(16, 4);
  facts.tag = tag.value_or(kNoIscsiTag);
  facts.tag_is_cut = !tag;
  facts.transfer_tag = pdu.number(20, 4).value_or(kNoIscsiTag);
  facts.data_length = *pdu.number(5, 3);
  facts.data = pdu.data();
  facts.number = static_cast<std::uint16_t>(kIscsiOpcodeBit | opcode);
  facts.operation = name;
  if (const Bytes lun = pdu.from(8); lun.size() >= 8) facts.lun = scsi_lun_of(lun.data());
  note_by_opcode(pdu, facts);
  return found;
}

std::string_view iscsi_status_name(std::uint32_t status) noexcept {
  const std::uint32_t code = status & kOfStatus;
  switch (status & ~kOfStatus) {
    case 0:
      return scsi_status_name(status);
    case kIscsiResponseStatus:
      return name_of(kIscsiResponseNames, code);
    case kIscsiLoginStatus:
      return name_of(kIscsiLoginNames, code);
    case kIscsiTaskStatus:
      return name_of(kIscsiTaskResponseNames, code);
    case kIscsiLogoutStatus:
      return name_of(kIscsiLogoutResponseNames, code);
    case kIscsiRejectStatus:
      return name_of(kIscsiRejectNames, code);
    default:
      return {};
  }
}

bool is_iscsi_answer(std::uint32_t status) noexcept {
  if (status < kAboveScsiStatus) return is_scsi_answer(status);
  const std::uint32_t moved = kIscsiLoginStatus + 0x100;
  constexpr std::uint32_t kNoTask = 1;  // what it asks to abort is over already
  return (status & ~0xFFU) == moved || status == kIscsiTaskStatus + kNoTask;
}

std::string iscsi_text(Bytes data, std::string_view key) {
  while (!data.empty()) {
    const auto* const nul = static_cast<const std::uint8_t*>(std::memchr(data.data(), 0, data.size()));
    const Bytes pair = nul == nullptr ? data : data.first(static_cast<std::size_t>(nul - data.data()));
    if (pair.size() > key.size() && pair[key.size()] == '=' && std::equal(key.begin(), key.end(), pair.begin())) {
      std::string value;
      value.reserve(pair.size());
      for (const std::uint8_t each : pair.subspan(key.size() + 1))
        value += each >= 0x20 && each < 0x7F ? static_cast<char>(each) : '.';
      return value;
    }
    data = data.subspan(std::min(data.size(), pair.size() + 1));
  }
  return {};
}

}  // namespace rocescope
