// The login of SRP (T10 SRP revision 16a), which stands in the private data of the CM: these rows are a part of the
// tables of its messages.
//
// SRP_LOGIN_REQ as the RDMA IP CM service carries it, which has room for 56 bytes of the 64 (Linux: struct
// srp_login_req_rdma):
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   /                            Tag (8 bytes)                      /
//   |       Buffer formats          |     Flags     |   Type 0x00   |
//   |       Requested length of initiator-to-target units           |
//   /                 Initiator port identifier (16 bytes)          /
//   /                   Target port identifier (16 bytes)           /
//   |     Immediate data offset     |    Reserved (6 bytes)         |
// SRP_LOGIN_REQ as the specification has it:
//   |   Type 0x00   |           Reserved (7 bytes)                  |
//   /                            Tag (8 bytes)                      /
//   |       Requested length of initiator-to-target units           |
//   |                            Reserved                           |
//   |       Buffer formats          |     Flags     |    Reserved   |
//   |     Immediate data offset     |            Reserved           |
//   /                 Initiator port identifier (16 bytes)          /
//   /                   Target port identifier (16 bytes)           /
// SRP_LOGIN_RSP:
//   |   Type 0xC0   |                    Reserved                   |
//   |                      Request limit delta                      |
//   /                            Tag (8 bytes)                      /
//   |        Longest initiator-to-target unit                       |
//   |        Longest target-to-initiator unit                       |
//   |       Buffer formats          |     Flags     | Reserved (25) |
// SRP_LOGIN_REJ:
//   |   Type 0xC2   |                    Reserved                   |
//   |                             Reason                            |
//   /                            Tag (8 bytes)                      /
//   /                          Reserved (8 bytes)                   /
//   |       Buffer formats          |         Reserved (6 bytes)    |
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/header.hpp"
#include "rocescope/headers/srp/names.hpp"

namespace rocescope {

/// Whether bytes are a login, or the answer to one. `data` has at least kSize bytes.
struct SrpLoginForms {
  static constexpr std::size_t kRdmaSize = 56;
  static constexpr std::size_t kPlainSize = 64;
  static constexpr std::size_t kResponseSize = 52;
  static constexpr std::size_t kRejectSize = 32;

  /// Nothing else says what is in private data: reserved bytes are zero, and values are among those that exist.
  static constexpr bool is_rdma_request(const std::uint8_t* data) noexcept {
    return has_formats(data + 8) && has_request_flags(data[10]) && is_type(data[11], SrpOpcode::kLoginRequest) &&
           is_length(data + 12) && is_zero(data, 50, 56);
  }
  static constexpr bool is_plain_request(const std::uint8_t* data) noexcept {
    return is_type(data[0], SrpOpcode::kLoginRequest) && is_zero(data, 1, 8) && is_length(data + 16) &&
           is_zero(data, 20, 24) && has_formats(data + 24) && has_request_flags(data[26]) && is_zero(data, 27, 28) &&
           is_zero(data, 30, 32);
  }
  static constexpr bool is_response(const std::uint8_t* data) noexcept {
    constexpr unsigned kFlags = 0x83;  // what became of other channels, immediate data
    return is_type(data[0], SrpOpcode::kLoginResponse) && is_zero(data, 1, 4) && is_length(data + 16) &&
           is_length(data + 20) && has_formats(data + 24) && (data[26] & ~kFlags) == 0 && is_zero(data, 27, 52);
  }
  static constexpr bool is_reject(const std::uint8_t* data) noexcept {
    constexpr std::uint64_t kReasons = 0x0001;  // its upper half
    return is_type(data[0], SrpOpcode::kLoginReject) && is_zero(data, 1, 4) && number(data + 4, 2) == kReasons &&
           is_zero(data, 16, 24) && (number(data + 24, 2) & ~kFormats) == 0 && is_zero(data, 26, 32);
  }

 private:
  static constexpr std::uint64_t kFormats = 0x0006;  // direct, indirect

  static constexpr std::uint64_t number(const std::uint8_t* at, std::size_t size) noexcept {
    return load_big_endian(at, size);
  }
  static constexpr bool is_type(std::uint8_t byte, SrpOpcode type) noexcept {
    return byte == static_cast<std::uint8_t>(type);
  }
  static constexpr bool has_formats(const std::uint8_t* at) noexcept {
    return number(at, 2) != 0 && (number(at, 2) & ~kFormats) == 0;
  }
  static constexpr bool has_request_flags(std::uint8_t flags) noexcept { return (flags & 0x0EU) == 0; }
  /// The specification wants 64 bytes at least; a megabyte is more than any unit has.
  static constexpr bool is_length(const std::uint8_t* at) noexcept {
    constexpr std::uint64_t kLeast = 36;
    return number(at, 4) >= kLeast && number(at, 4) <= (1U << 20U);
  }
  static constexpr bool is_zero(const std::uint8_t* data, std::size_t from, std::size_t to) noexcept {
    return std::all_of(data + from, data + to, [](std::uint8_t byte) { return byte == 0; });
  }
};

namespace detail {

/// Rows of a login whose first bit is `at`.
[[nodiscard]] constexpr Field srp_login_type(std::uint32_t at) {
  return field::hex("rocescope.srp.login.opcode", "Type", at, 8).named(kSrpOpcodeNames);
}
[[nodiscard]] constexpr Field srp_login_reserved(std::uint32_t at, std::uint32_t width) {
  return field::bytes("rocescope.srp.login.reserved", "Reserved", at, width);
}
[[nodiscard]] constexpr Field srp_login_tag(std::uint32_t at) {
  return field::hex("rocescope.srp.login.tag", "Tag", at, 64);
}
[[nodiscard]] constexpr Field srp_login_number(std::string_view name, std::string_view label, std::uint32_t at) {
  return field::number(name, label, at, 32);
}
[[nodiscard]] constexpr std::array<Field, 3> srp_login_formats(std::uint32_t at) {
  return {field::hex("rocescope.srp.login.reserved.formats", "Reserved", at, 13),
          field::hex("rocescope.srp.login.formats", "Buffer formats", at + 13, 2).digits(2),
          field::flag("rocescope.srp.login.reserved.bit", "Reserved", at + 15)};
}
[[nodiscard]] constexpr std::array<Field, 6> srp_login_request_flags(std::uint32_t at) {
  return {
      field::flag("rocescope.srp.login.immediate", "Immediate data", at),
      field::flag("rocescope.srp.login.aesolnt", "Notify of events", at + 1),
      field::flag("rocescope.srp.login.crsolnt", "Notify of credits", at + 2),
      field::flag("rocescope.srp.login.losolnt", "Notify of logouts", at + 3),
      field::hex("rocescope.srp.login.reserved.flags", "Reserved", at + 4, 2).digits(2),
      field::hex("rocescope.srp.login.channels", "Other channels", at + 6, 2).named(kSrpChannelActionNames).digits(2)};
}
[[nodiscard]] constexpr std::array<Field, 2> srp_login_ports(std::uint32_t at) {
  return {field::bytes("rocescope.srp.login.initiator_port", "Initiator port", at, 128),
          field::bytes("rocescope.srp.login.target_port", "Target port", at + 128, 128)};
}

/// All rows at a depth, present when `condition` says so.
template <std::size_t N>
[[nodiscard]] constexpr std::array<Field, N> srp_parts(std::array<Field, N> rows, std::uint8_t depth,
                                                       bool (*condition)(const std::uint8_t*)) {
  for (Field& row : rows) row = row.part(depth).when(condition);
  return rows;
}

[[nodiscard]] constexpr auto srp_rdma_login_rows(std::uint32_t at) {
  return join(std::array{srp_login_tag(at)}, srp_login_formats(at + 64), srp_login_request_flags(at + 80),
              std::array{srp_login_type(at + 88),
                         srp_login_number("rocescope.srp.login.it_iu_len", "Longest request unit", at + 96)},
              srp_login_ports(at + 128),
              std::array{field::number("rocescope.srp.login.imm_offset", "Immediate data offset", at + 384, 16),
                         srp_login_reserved(at + 400, 48)});
}
[[nodiscard]] constexpr auto srp_plain_login_rows(std::uint32_t at, std::uint32_t end) {
  return join(std::array{srp_login_type(at), srp_login_reserved(at + 8, 56), srp_login_tag(at + 64),
                         srp_login_number("rocescope.srp.login.it_iu_len", "Longest request unit", at + 128),
                         srp_login_reserved(at + 160, 32)},
              srp_login_formats(at + 192), srp_login_request_flags(at + 208),
              std::array{srp_login_reserved(at + 216, 8),
                         field::number("rocescope.srp.login.imm_offset", "Immediate data offset", at + 224, 16),
                         srp_login_reserved(at + 240, 16)},
              srp_login_ports(at + 256), std::array{srp_login_reserved(at + 512, end - at - 512)});
}
[[nodiscard]] constexpr auto srp_login_response_rows(std::uint32_t at, std::uint32_t end) {
  return join(std::array{srp_login_type(at), srp_login_reserved(at + 8, 24),
                         srp_login_number("rocescope.srp.login.req_lim_delta", "Request limit delta", at + 32),
                         srp_login_tag(at + 64),
                         srp_login_number("rocescope.srp.login.it_iu_len", "Longest request unit", at + 128),
                         srp_login_number("rocescope.srp.login.ti_iu_len", "Longest response unit", at + 160)},
              srp_login_formats(at + 192),
              std::array{field::flag("rocescope.srp.login.immediate", "Immediate data", at + 208),
                         field::hex("rocescope.srp.login.reserved.flags", "Reserved", at + 209, 5).digits(2),
                         field::hex("rocescope.srp.login.result", "Other channels", at + 214, 2)
                             .named(kSrpChannelResultNames)
                             .digits(2),
                         srp_login_reserved(at + 216, end - at - 216)});
}
[[nodiscard]] constexpr auto srp_login_reject_rows(std::uint32_t at, std::uint32_t end) {
  return join(std::array{srp_login_type(at), srp_login_reserved(at + 8, 24),
                         field::hex("rocescope.srp.login.reason", "Reason", at + 32, 32).named(kSrpLoginRejectNames),
                         srp_login_tag(at + 64), srp_login_reserved(at + 128, 64)},
              srp_login_formats(at + 192), std::array{srp_login_reserved(at + 208, end - at - 208)});
}

}  // namespace detail
}  // namespace rocescope
