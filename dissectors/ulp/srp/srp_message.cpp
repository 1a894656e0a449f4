#include "dissectors/ulp/srp/srp_message.hpp"

#include <algorithm>

#include "rocescope/headers/srp.hpp"
#include "rocescope/headers/srp/login.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kSrpCdbSize = 16;
constexpr std::size_t kSrpCommandSize = SrpCommand::kSize + kSrpCdbSize;

/// An information unit, as far as it was captured: its tag is.
class SrpBytes {
 public:
  static constexpr std::size_t kNeeded = 16;

  explicit SrpBytes(Bytes bytes) : bytes_(bytes) {}

  /// Big-endian; nothing: it was not captured.
  [[nodiscard]] std::optional<std::uint64_t> number(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) return std::nullopt;
    return load_big_endian(bytes_.data() + at, size);
  }
  [[nodiscard]] std::optional<std::uint64_t> lun() const {
    constexpr std::size_t kLun = 20;
    if (bytes_.size() < kLun + 8) return std::nullopt;
    return scsi_lun_of(bytes_.data() + kLun);
  }
  [[nodiscard]] Bytes part(std::size_t at, std::size_t size) const {
    const Bytes rest = bytes_.subspan(std::min(at, bytes_.size()));
    return rest.first(std::min(rest.size(), size));
  }
  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

/// Of data-out or data-in; nothing: it was not captured.
std::optional<std::uint64_t> srp_length_of(const SrpBytes& unit, const SrpBuffers& buffers) {
  constexpr std::size_t kLength = 12;  // in a memory descriptor
  switch (buffers.format) {
    case SrpFormat::kDirect:
      return unit.number(buffers.at + kLength, 4);
    case SrpFormat::kIndirect:
      return unit.number(buffers.at + SrpDescriptor::kSize, 4);
    case SrpFormat::kImmediate:
      return unit.number(buffers.at, 4);
    case SrpFormat::kNone:
      break;
  }
  return 0;
}

void note_srp_command(const SrpBytes& unit, SrpMessage& message) {
  message.lun = unit.lun();
  const auto facts = scsi_command_of(unit.part(SrpCommand::kSize, kSrpCdbSize));
  message.opcode_is_cut = !facts || facts->opcode_is_cut;
  if (facts) {
    message.number = facts->opcode;
    message.operation = facts->operation;
    message.is_io = facts->is_io;
    message.offset = facts->offset;
    message.blocks = facts->blocks;
  }
  const auto buffers = srp_buffers_of(unit.bytes());
  message.size_is_cut = !buffers;
  if (!buffers) return;
  for (const SrpBuffers& each : *buffers) {
    const auto length = srp_length_of(unit, each);
    message.size_is_cut = message.size_is_cut || !length;
    message.bytes += length.value_or(0);
  }
  message.is_immediate = (*buffers)[0].format == SrpFormat::kImmediate;
}

void note_srp_response(const SrpBytes& unit, SrpMessage& message) {
  constexpr std::uint64_t kHasResponseData = 1;
  constexpr std::uint64_t kHasSense = 2;
  constexpr std::size_t kStatus = 19;
  const auto status = unit.number(kStatus, 1);
  if (!status) return;
  const std::uint64_t flags = *unit.number(kStatus - 1, 1);
  const auto sense_length = unit.number(28, 4);
  const auto data_length = unit.number(32, 4);
  if ((flags & kHasResponseData) != 0) {
    const auto code = unit.number(SrpResponse::kSize + 3, 1);
    if (!code) return;  // how it ended is not known
    if (*code != 0) {
      message.status = kSrpResponseStatus + static_cast<std::uint32_t>(*code);
      return;
    }
  }
  Bytes sense;
  if ((flags & kHasSense) != 0 && sense_length && data_length) {
    const std::uint64_t before = (flags & kHasResponseData) != 0 ? *data_length : 0;
    sense = unit.part(SrpResponse::kSize + before, *sense_length);
  }
  message.status = scsi_status_of(static_cast<std::uint8_t>(*status), sense);
  message.sense_is_cut = (flags & kHasSense) != 0 && (!sense_length || is_scsi_sense_cut(sense, *sense_length));
  message.code_is_cut = is_scsi_code_cut(sense, sense_length.value_or(0));
}

void note_srp_by_opcode(const SrpBytes& unit, SrpMessage& message) {
  constexpr std::uint64_t kAbortTask = 1;
  switch (message.opcode) {
    case SrpOpcode::kCommand:
      return note_srp_command(unit, message);
    case SrpOpcode::kResponse:
      return note_srp_response(unit, message);
    case SrpOpcode::kTaskManagement:
      message.lun = unit.lun();
      if (const auto function = unit.number(30, 1)) message.operation = name_of(kSrpTaskNames, *function);
      if (unit.number(30, 1) == kAbortTask) message.task_tag = unit.number(32, 8);
      return;
    case SrpOpcode::kTargetLogout:
      message.detail = name_of(kSrpTargetLogoutNames, *unit.number(4, 4));
      return;
    case SrpOpcode::kEventRequest:
      message.lun = unit.lun();
      return;
    case SrpOpcode::kCreditResponse:
    case SrpOpcode::kEventResponse:
      message.status = 0;
      return;
    case SrpOpcode::kInitiatorLogout:
    case SrpOpcode::kCreditRequest:
    case SrpOpcode::kLoginRequest:
    case SrpOpcode::kLoginResponse:
    case SrpOpcode::kLoginReject:
      return;
  }
}

bool is_srp_login(SrpOpcode opcode) noexcept {
  return opcode == SrpOpcode::kLoginRequest || opcode == SrpOpcode::kLoginResponse || opcode == SrpOpcode::kLoginReject;
}

/// With the zeros at the end that may be left out; nothing: it is longer.
template <std::size_t N>
std::optional<std::array<std::uint8_t, N>> srp_whole(Bytes data) noexcept {
  if (data.size() > N) return std::nullopt;
  std::array<std::uint8_t, N> all{};
  std::ranges::copy(data, all.begin());
  return all;
}

}  // namespace

std::optional<std::array<SrpBuffers, 2>> srp_buffers_of(Bytes command) noexcept {
  if (command.size() < SrpCommand::kSize) return std::nullopt;
  const SrpCommand header(command.data());
  const std::uint8_t formats[] = {static_cast<std::uint8_t>(header.get<"rocescope.srp.cmd.out_format">()),
                                  static_cast<std::uint8_t>(header.get<"rocescope.srp.cmd.in_format">())};
  const std::uint8_t counts[] = {static_cast<std::uint8_t>(header.get<"rocescope.srp.cmd.out_count">()),
                                 static_cast<std::uint8_t>(header.get<"rocescope.srp.cmd.in_count">())};
  std::array<SrpBuffers, 2> buffers;
  std::size_t at = kSrpCommandSize + std::size_t{header.get<"rocescope.srp.cmd.more_cdb">()} * 4;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (formats[i] > static_cast<std::uint8_t>(SrpFormat::kImmediate)) return std::nullopt;
    SrpBuffers& each = buffers[i];
    each.format = SrpFormat{formats[i]};
    each.at = at;
    each.memory = at;
    if (each.format == SrpFormat::kDirect) {
      each.entries = 1;
      each.size = SrpDescriptor::kSize;
    } else if (each.format == SrpFormat::kIndirect) {
      each.count = counts[i];
      each.entries = counts[i];
      each.memory = at + SrpTable::kSize;
      each.size = SrpTable::kSize + each.entries * SrpDescriptor::kSize;
    } else if (each.format == SrpFormat::kImmediate) {
      each.size = SrpImmediate::kSize;
    }
    at += each.size;
  }
  return buffers;
}

std::optional<SrpMessage> srp_message_of(Bytes message) {
  if (message.size() < SrpBytes::kNeeded || name_of(kSrpOpcodeNames, message[0]).empty()) return std::nullopt;
  SrpMessage facts{.opcode = SrpOpcode{message[0]}};
  if (is_srp_login(facts.opcode)) return std::nullopt;  // in messages of the CM alone
  const SrpBytes unit(message);
  facts.tag = *unit.number(8, 8);
  facts.number = static_cast<std::uint16_t>(kSrpOpcodeBit | message[0]);
  facts.operation = name_of(kSrpOpcodeNames, message[0]);
  note_srp_by_opcode(unit, facts);
  return facts;
}

SrpMemory srp_descriptor_of(Bytes bytes) noexcept {
  const SrpDescriptor descriptor(bytes.data());
  return {descriptor.get<"rocescope.srp.desc.va">(), descriptor.get<"rocescope.srp.desc.key">(),
          descriptor.get<"rocescope.srp.desc.len">()};
}

SrpOffer srp_offer_of(Bytes command) {
  SrpOffer offer;
  const auto buffers = srp_buffers_of(command);
  offer.is_cut = !buffers;
  if (!buffers) return offer;
  const auto is_there = [&](std::size_t at) { return at + SrpDescriptor::kSize <= command.size(); };
  for (const SrpBuffers& each : *buffers) {
    const bool has_memory = each.format == SrpFormat::kDirect || each.format == SrpFormat::kIndirect;
    if (has_memory && each.at + each.size > command.size()) offer.is_cut = true;
    if (each.format == SrpFormat::kIndirect && is_there(each.at)) {
      const SrpMemory table = srp_descriptor_of(command.subspan(each.at));
      if (table.length > each.entries * SrpDescriptor::kSize) offer.tables.push_back(table);
    }
    for (std::size_t i = 0; i < each.entries; ++i) {
      const std::size_t at = each.memory + i * SrpDescriptor::kSize;
      if (!is_there(at)) break;
      offer.data.push_back(srp_descriptor_of(command.subspan(at)));
    }
  }
  return offer;
}

std::string_view srp_status_name(std::uint32_t status) noexcept {
  if (status < kAboveScsiStatus) return scsi_status_name(status);
  return status >= kSrpResponseStatus ? name_of(kSrpResponseNames, status - kSrpResponseStatus) : std::string_view();
}

std::optional<SrpLogin> srp_login_of(Bytes private_data) noexcept {
  const auto copy_ports = [](const std::uint8_t* ports) {
    SrpLogin login;
    std::copy_n(ports, login.initiator_port.size(), login.initiator_port.begin());
    std::copy_n(ports + login.initiator_port.size(), login.target_port.size(), login.target_port.begin());
    return login;
  };
  constexpr std::size_t kRdmaPorts = 16;
  constexpr std::size_t kPlainPorts = 32;
  if (const auto data = srp_whole<SrpLoginForms::kRdmaSize>(private_data);
      data && SrpLoginForms::is_rdma_request(data->data())) {
    return copy_ports(data->data() + kRdmaPorts);
  }
  if (const auto data = srp_whole<SrpLoginForms::kPlainSize>(private_data);
      data && SrpLoginForms::is_plain_request(data->data())) {
    return copy_ports(data->data() + kPlainPorts);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> srp_credits_of(Bytes private_data) noexcept {
  const auto data = srp_whole<SrpLoginForms::kResponseSize>(private_data);
  if (!data || !SrpLoginForms::is_response(data->data())) return std::nullopt;
  return static_cast<std::uint32_t>(load_big_endian(data->data() + 4, 4));
}

std::optional<std::uint32_t> srp_reject_reason_of(Bytes private_data) noexcept {
  const auto data = srp_whole<SrpLoginForms::kRejectSize>(private_data);
  if (!data || !SrpLoginForms::is_reject(data->data())) return std::nullopt;
  return static_cast<std::uint32_t>(load_big_endian(data->data() + 4, 4));
}

std::string srp_port_text(const std::array<std::uint8_t, 16>& port) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "0x";
  for (const std::uint8_t byte : port) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xFU];
  }
  return text;
}

}  // namespace rocescope
