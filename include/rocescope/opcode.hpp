// The one table of BTH opcodes (IBTA 9.2.1 and Table 35 ff.; A19 for FLUSH and ATOMIC WRITE; A17.9.3 for the CNP).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "rocescope/field.hpp"
#include "rocescope/header_kind.hpp"

namespace rocescope {

/// The top three bits of an opcode.
enum class Transport : std::uint8_t { kRc, kUc, kRd, kUd, kCnp, kXrc, kManufacturer, kDc };

enum class Operation : std::uint8_t {
  kSend,
  kWrite,
  kReadRequest,
  kReadResponse,
  kAcknowledge,
  kAtomicAcknowledge,
  kCompareSwap,
  kFetchAdd,
  kResync,
  kFlush,
  kAtomicWrite,
  kCnp,
  kDcConnect,
  kReserved,      ///< an opcode that the specification leaves undefined
  kManufacturer,  ///< 0xC0-0xFF
};

/// Where a packet stands in its message.
enum class Position : std::uint8_t { kOnly, kFirst, kMiddle, kLast };

/// All that an opcode says about its packet.
struct OpcodeInfo {
  std::uint8_t code = 0;
  Transport transport = Transport::kRc;
  Operation operation = Operation::kReserved;
  Position position = Position::kOnly;
  bool request = false;       ///< sent by the requester: takes PSNs of the request stream
  bool has_payload = false;   ///< bytes may stand between the headers and the pad
  bool acknowledged = false;  ///< a responder answers it (RC, XRC, RD, DC requests)
  bool immediate = false;
  bool invalidate = false;
  std::array<HeaderKind, 5> headers{};  ///< extension headers after BTH, in order; kNone ends the list
  std::array<char, 40> name_text{};     ///< "RC SEND Only with Immediate"
  std::uint8_t name_length = 0;

  [[nodiscard]] constexpr std::string_view name() const noexcept { return {name_text.data(), name_length}; }
};

/// "RC", "UC", ... as people write it.
[[nodiscard]] constexpr std::string_view to_string(Transport transport) noexcept {
  constexpr std::string_view kNames[] = {"RC", "UC", "RD", "UD", "CNP", "XRC", "Manufacturer", "DC"};
  return kNames[static_cast<std::size_t>(transport)];
}

/// "SEND", "RDMA WRITE", "RDMA READ Request", ...
[[nodiscard]] constexpr std::string_view to_string(Operation operation) noexcept {
  constexpr std::string_view kNames[] = {"SEND",
                                         "RDMA WRITE",
                                         "RDMA READ Request",
                                         "RDMA READ Response",
                                         "Acknowledge",
                                         "ATOMIC Acknowledge",
                                         "CmpSwap",
                                         "FetchAdd",
                                         "RESYNC",
                                         "FLUSH",
                                         "ATOMIC WRITE",
                                         "CNP",
                                         "Connect",
                                         "reserved",
                                         "opcode"};
  return kNames[static_cast<std::size_t>(operation)];
}

/// "Only", "First", "Middle", "Last".
[[nodiscard]] constexpr std::string_view to_string(Position position) noexcept {
  constexpr std::string_view kNames[] = {"Only", "First", "Middle", "Last"};
  return kNames[static_cast<std::size_t>(position)];
}

namespace detail {

/// What the low five bits of an opcode mean on reliable transports; `in_position`: whether the name shows it.
struct OperationRow {
  Operation operation = Operation::kReserved;
  Position position = Position::kOnly;
  bool in_position = false;
  bool payload = false;
  std::array<HeaderKind, 3> headers{};
};

constexpr std::array<OperationRow, 32> operation_rows() {
  using enum Operation;
  using enum Position;
  constexpr HeaderKind kImm = HeaderKind::kImmDt;
  constexpr HeaderKind kReth = HeaderKind::kReth;
  constexpr HeaderKind kAeth = HeaderKind::kAeth;
  constexpr HeaderKind kAtomic = HeaderKind::kAtomicEth;
  std::array<OperationRow, 32> row{};
  row[0x00] = {kSend, kFirst, true, true, {}};
  row[0x01] = {kSend, kMiddle, true, true, {}};
  row[0x02] = {kSend, kLast, true, true, {}};
  row[0x03] = {kSend, kLast, true, true, {kImm}};
  row[0x04] = {kSend, kOnly, true, true, {}};
  row[0x05] = {kSend, kOnly, true, true, {kImm}};
  row[0x06] = {kWrite, kFirst, true, true, {kReth}};
  row[0x07] = {kWrite, kMiddle, true, true, {}};
  row[0x08] = {kWrite, kLast, true, true, {}};
  row[0x09] = {kWrite, kLast, true, true, {kImm}};
  row[0x0A] = {kWrite, kOnly, true, true, {kReth}};
  row[0x0B] = {kWrite, kOnly, true, true, {kReth, kImm}};
  row[0x0C] = {kReadRequest, kOnly, false, false, {kReth}};
  row[0x0D] = {kReadResponse, kFirst, true, true, {kAeth}};
  row[0x0E] = {kReadResponse, kMiddle, true, true, {}};
  row[0x0F] = {kReadResponse, kLast, true, true, {kAeth}};
  row[0x10] = {kReadResponse, kOnly, true, true, {kAeth}};
  row[0x11] = {kAcknowledge, kOnly, false, false, {kAeth}};
  row[0x12] = {kAtomicAcknowledge, kOnly, false, false, {kAeth, HeaderKind::kAtomicAckEth}};
  row[0x13] = {kCompareSwap, kOnly, false, false, {kAtomic}};
  row[0x14] = {kFetchAdd, kOnly, false, false, {kAtomic}};
  row[0x16] = {kSend, kLast, true, true, {HeaderKind::kIeth}};
  row[0x17] = {kSend, kOnly, true, true, {HeaderKind::kIeth}};
  row[0x1C] = {kFlush, kOnly, false, false, {HeaderKind::kFeth, kReth}};
  row[0x1D] = {kAtomicWrite, kOnly, false, true, {kReth}};
  return row;
}

/// Builds one entry of the table: collects headers and the name.
class OpcodeBuilder {
 public:
  constexpr OpcodeBuilder(unsigned code, Transport transport) {
    info_.code = static_cast<std::uint8_t>(code);
    info_.transport = transport;
    text(to_string(transport));
  }
  constexpr OpcodeBuilder& header(HeaderKind kind) {
    if (kind == HeaderKind::kNone) return *this;
    info_.headers[headers_++] = kind;
    if (kind == HeaderKind::kImmDt) info_.immediate = true;
    if (kind == HeaderKind::kIeth) info_.invalidate = true;
    return *this;
  }
  constexpr OpcodeBuilder& row(const OperationRow& row) {
    info_.operation = row.operation;
    info_.position = row.position;
    info_.has_payload = row.payload;
    for (const HeaderKind kind : row.headers) header(kind);
    word(to_string(row.operation));
    if (row.in_position) word(to_string(row.position));
    if (info_.immediate) word("with Immediate");
    if (info_.invalidate) word("with Invalidate");
    return *this;
  }
  constexpr OpcodeBuilder& undefined(Operation operation) {
    info_.operation = operation;
    info_.has_payload = true;
    word(to_string(operation));
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    word("0x");
    text(kDigits.substr(info_.code >> 4, 1));
    text(kDigits.substr(info_.code & 15U, 1));
    return *this;
  }
  constexpr OpcodeBuilder& word(std::string_view word) { return text(" ").text(word); }
  constexpr OpcodeBuilder& text(std::string_view text) {
    for (const char c : text) info_.name_text[info_.name_length++] = c;
    return *this;
  }
  constexpr OpcodeInfo& info() { return info_; }

 private:
  OpcodeInfo info_;
  std::size_t headers_ = 0;
};

constexpr bool is_response(Operation operation) {
  return operation == Operation::kReadResponse || operation == Operation::kAcknowledge ||
         operation == Operation::kAtomicAcknowledge;
}

/// The headers that `transport` puts between the BTH and those of the operation.
constexpr void transport_headers(OpcodeBuilder& builder, Transport transport, Operation operation) {
  const bool response = is_response(operation);
  if (transport == Transport::kXrc && !response) builder.header(HeaderKind::kXrceth);
  if (transport == Transport::kDc) builder.header(HeaderKind::kDceth);
  if (transport == Transport::kUd) builder.header(HeaderKind::kDeth);
  if (transport == Transport::kRd) {
    builder.header(HeaderKind::kRdeth);
    if (!response) builder.header(HeaderKind::kDeth);
  }
}

constexpr bool defined(Transport transport, unsigned low, const OperationRow& row) {
  if (row.operation == Operation::kReserved) return false;
  switch (transport) {
    case Transport::kUc:
      return low <= 0x0B;
    case Transport::kUd:
      return low == 0x04 || low == 0x05;
    case Transport::kRd:
      return low <= 0x14;
    default:
      return true;
  }
}

constexpr OpcodeInfo build_opcode(unsigned code, Transport transport) {
  const unsigned low = code & 0x1FU;
  const OperationRow row = operation_rows()[low];
  OpcodeBuilder builder(code, transport);
  OpcodeInfo& info = builder.info();
  if (transport == Transport::kManufacturer) {
    builder.undefined(Operation::kManufacturer);
    info.request = true;
  } else if (transport == Transport::kCnp) {
    if (low > 1) {
      builder.undefined(Operation::kReserved);
      return info;
    }
    info.operation = Operation::kCnp;
    builder.header(HeaderKind::kCnpReserved);
    if (low == 0) builder.word("(InfiniBand)");
  } else if (transport == Transport::kRd && low == 0x15) {
    info.operation = Operation::kResync;
    info.request = info.acknowledged = true;
    transport_headers(builder, transport, info.operation);
    builder.word(to_string(info.operation));
  } else if (transport == Transport::kDc && low == 0x15) {
    info.operation = Operation::kDcConnect;
    info.request = true;
    transport_headers(builder, transport, info.operation);
    builder.header(HeaderKind::kDcConnect);
    builder.word(to_string(info.operation));
  } else if (!defined(transport, low, row)) {
    builder.undefined(Operation::kReserved);
  } else {
    transport_headers(builder, transport, row.operation);
    builder.row(row);
    info.request = !is_response(row.operation);
    info.acknowledged = info.request && transport != Transport::kUc && transport != Transport::kUd;
  }
  return info;
}

constexpr std::array<OpcodeInfo, 256> build_opcode_table() {
  constexpr Transport kTransports[] = {Transport::kRc,           Transport::kUc,          Transport::kDc,
                                       Transport::kUd,           Transport::kCnp,         Transport::kXrc,
                                       Transport::kManufacturer, Transport::kManufacturer};
  std::array<OpcodeInfo, 256> table{};
  for (unsigned code = 0; code < 256; ++code) table[code] = build_opcode(code, kTransports[code >> 5]);
  return table;
}

constexpr std::array<OpcodeInfo, 32> build_reliable_datagram_table() {
  std::array<OpcodeInfo, 32> table{};
  for (unsigned low = 0; low < 32; ++low) table[low] = build_opcode(0x40 + low, Transport::kRd);
  return table;
}

}  // namespace detail

inline constexpr std::array<OpcodeInfo, 256> kOpcodes = detail::build_opcode_table();
inline constexpr std::array<OpcodeInfo, 32> kReliableDatagramOpcodes = detail::build_reliable_datagram_table();

/// The entry of `code`. 0x40 to 0x5F are NVIDIA's Dynamically Connected transport as observed in the field, since
/// nobody ever built Reliable Datagram; `reliable_datagram_opcode` gives the specification's reading.
[[nodiscard]] constexpr const OpcodeInfo& opcode_info(std::uint8_t code) noexcept { return kOpcodes[code]; }

/// The specification's reading of 0x40 to 0x5F (RD); the same as opcode_info for every other code.
[[nodiscard]] constexpr const OpcodeInfo& reliable_datagram_opcode(std::uint8_t code) noexcept {
  return (code >> 5) == 2 ? kReliableDatagramOpcodes[code & 0x1FU] : kOpcodes[code];
}

namespace detail {
constexpr std::array<ValueName, 256> build_opcode_names() {
  std::array<ValueName, 256> names{};
  for (std::size_t i = 0; i < 256; ++i) names[i] = {i, i, kOpcodes[i].name()};
  return names;
}
}  // namespace detail

/// Every opcode's name, for the field table of the BTH.
inline constexpr std::array<ValueName, 256> kOpcodeNames = detail::build_opcode_names();

}  // namespace rocescope
