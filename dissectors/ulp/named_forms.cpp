// Forms of protocols that are not decoded.
#include <algorithm>
#include <array>

#include "dissectors/ulp/forms.hpp"

namespace rocescope {
namespace {

bool has_zeros(Bytes message, std::size_t from, std::size_t count) noexcept {
  if (message.size() < from + count) return false;
  return std::ranges::all_of(message.subspan(from, count), [](std::uint8_t byte) { return byte == 0; });
}

std::uint64_t number_at(Bytes message, std::size_t at, std::size_t size, bool is_big) noexcept {
  return is_big ? load_big_endian(message.data() + at, size) : load_little_endian(message.data() + at, size);
}

}  // namespace

/// RFC 7609, 4.4 and A.2: messages of the link layer, and Connection Data Control.
bool has_form_of_smc_r(Bytes start, std::uint64_t length) noexcept {
  constexpr std::size_t kSize = 44;
  constexpr std::uint8_t kData = 0xFE;
  if (length != kSize || start.size() < kSize || start[1] != kSize) return false;
  const std::uint8_t type = start[0];
  if (type == kData) return has_zeros(start, 8, 2) && has_zeros(start, 16, 2) && has_zeros(start, 26, 18);
  // Zeros at the end, by type from 1: Confirm, Add, Add continued, Delete, Request to add a link, Confirm a key,
  // Test a link, Confirm a key continued, Delete keys.
  constexpr std::array<std::uint8_t, 9> kZeros{9, 8, 4, 35, 0, 1, 24, 1, 4};
  if (type == 0 || type > kZeros.size() || kZeros[type - 1U] == 0 || (start[3] & 0x7FU) != 0) return false;
  return has_zeros(start, kSize - kZeros[type - 1U], kZeros[type - 1U]);
}

/// The header of o2iblnd, in the order of bytes of who sent it: magic number, version, type, credits, length.
bool has_form_of_lustre(Bytes start, std::uint64_t length) noexcept {
  constexpr std::size_t kHeader = 48;
  constexpr std::uint64_t kMagic = 0x0BE9'1B91;
  if ((length != 0 && length < kHeader) || start.size() < 12) return false;
  const bool is_big = number_at(start, 0, 4, true) == kMagic;
  if (!is_big && number_at(start, 0, 4, false) != kMagic) return false;
  const std::uint64_t version = number_at(start, 4, 2, is_big);
  const std::uint64_t whole = number_at(start, 8, 4, is_big);
  const bool is_type = start[6] >= 0xC0 && start[6] <= 0xD7;
  return (version == 0x11 || version == 0x12) && is_type && (length == 0 || length == whole);
}

/// The header of RDS (Linux, struct rds_header): a checksum as that of IP over its 48 bytes, and bytes that are zero. Those that a capture
/// cut are zero as well if the extension headers end before.
bool has_form_of_rds(Bytes start, std::uint64_t length) noexcept {
  constexpr std::size_t kHeader = 48;
  constexpr std::size_t kFlags = 24;
  constexpr std::uint64_t kFragment = 4'096;  // of a message, behind each header
  if ((length != 0 && length < kHeader) || !has_rds_extensions(start)) return false;
  if ((start[kFlags] & 0xF8U) != 0 || !has_zeros(start, 26, 4)) return false;
  const std::uint64_t whole = load_big_endian(start.data() + 16, 4);
  if (length != 0 && (length > kHeader + kFragment || length - kHeader > whole)) return false;
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < std::min(kHeader, start.size()); ++at)
    sum += at % 2 == 0 ? std::uint32_t{start[at]} << 8U : start[at];
  sum = (sum & 0xFFFFU) + (sum >> 16U);
  sum = (sum & 0xFFFFU) + (sum >> 16U);
  return sum == 0xFFFF && load_big_endian(start.data() + 30, 2) != 0;
}

/// A buffer (librdmacm, struct rs_sge), in the order of the host, which is little-endian: its address, R_Key and length.
bool has_form_of_rsockets(Bytes payload, std::uint64_t length, std::uint32_t immediate) noexcept {
  constexpr std::size_t kSize = 16;
  constexpr std::uint32_t kCredits = 4;  // of the immediate data
  constexpr std::uint32_t kMostCredits = 1U << 16U;
  constexpr std::uint64_t kLongest = 1U << 30U;
  if (length != kSize || payload.size() < kSize || immediate >> 29U != kCredits) return false;
  if ((immediate & 0x1FFF'FFFFU) >= kMostCredits) return false;
  const std::uint64_t address = number_at(payload, 0, 8, false);
  const std::uint64_t bytes = number_at(payload, 12, 4, false);
  return address != 0 && address >> 48U == 0 && number_at(payload, 8, 4, false) != 0 && bytes != 0 && bytes <= kLongest;
}

/// 9P2000.L and 9P2000.u: the length of the message, which it has, the type, and a tag; then no fewer bytes than the
/// type needs. Little-endian.
bool has_form_of_nine_p(Bytes start, std::uint64_t length) noexcept {
  struct Type {
    std::uint8_t first;  // of both: a request, and its response
    std::uint8_t request;
    std::uint8_t response;
  };
  // The least bytes behind the tag; 0xFF: there is none such.
  constexpr std::array kTypes = std::to_array<Type>({
      {6, 0xFF, 4}, {8, 4, 60},    {12, 8, 17},    {14, 18, 17}, {16, 12, 13}, {18, 22, 13}, {20, 10, 0},
      {22, 4, 2},   {24, 12, 153}, {26, 60, 0},    {30, 10, 8},  {32, 18, 0},  {40, 16, 4},  {50, 4, 0},
      {52, 31, 1},  {54, 27, 23},  {70, 10, 0},    {72, 14, 13}, {74, 12, 0},  {76, 10, 0},  {100, 6, 6},
      {102, 8, 13}, {104, 12, 13}, {106, 0xFF, 2}, {108, 2, 0},  {110, 10, 2}, {112, 5, 17}, {114, 11, 17},
      {116, 16, 4}, {118, 16, 4},  {120, 4, 0},    {122, 4, 0},  {124, 4, 2},  {126, 6, 0},
  });
  constexpr std::size_t kHeader = 7;
  if (start.size() < kHeader) return false;
  const std::uint64_t whole = number_at(start, 0, 4, false);
  constexpr std::uint64_t kMost = 1U << 20U;
  if (whole < kHeader || whole > kMost || (length != 0 && length != whole)) return false;
  const auto type = std::ranges::find(kTypes, start[4] & 0xFEU, &Type::first);
  if (type == kTypes.end()) return false;
  const std::uint8_t least = start[4] % 2 == 0 ? type->request : type->response;
  return least != 0xFF && whole >= kHeader + least;
}

}  // namespace rocescope
