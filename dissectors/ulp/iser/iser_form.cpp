#include <algorithm>

#include "dissectors/ulp/forms.hpp"
#include "rocescope/headers/iscsi.hpp"

namespace rocescope {
namespace {

bool is_zero(Bytes bytes) noexcept {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

/// A control PDU with at most one STag, nothing in reserved bytes, and lengths that are those of the message.
bool has_form_of_iser(Bytes start, std::uint64_t length) noexcept {
  constexpr std::size_t kHeaders = IserHeader::kSize + IscsiPdu::kSize;
  constexpr std::size_t kUpToLength = IserHeader::kSize + 8;  // bytes that a cut capture must have
  if ((length != 0 && length < kHeaders) || start.size() < kUpToLength) return false;
  constexpr std::uint8_t kControl = 0x10;
  constexpr std::uint8_t kWrite = 0x08;
  constexpr std::uint8_t kRead = 0x04;
  const std::uint8_t flags = start[0];
  if (flags != kControl && flags != (kControl | kWrite) && flags != (kControl | kRead)) return false;
  if (!is_zero(start.subspan(1, 3))) return false;
  if ((flags & kWrite) == 0 && !is_zero(start.subspan(4, 12))) return false;
  if ((flags & kRead) == 0 && !is_zero(start.subspan(16, 12))) return false;
  const Bytes pdu = start.subspan(IserHeader::kSize);
  constexpr std::uint8_t kImmediate = 0x40;
  if ((pdu[0] & 0x80U) != 0 || name_of(kIscsiOpcodeNames, pdu[0] & 0x3FU).empty()) return false;
  if ((pdu[0] & kImmediate) != 0 && (pdu[0] & 0x20U) != 0) return false;  // of requests alone
  const bool has_memory = flags != kControl;
  if (has_memory && (pdu[0] & 0x3FU) != static_cast<std::uint8_t>(IscsiOpcode::kScsiCommand)) return false;
  const std::uint64_t data = load_big_endian(pdu.data() + 5, 3);
  const std::uint64_t whole = kHeaders + std::uint64_t{pdu[4]} * 4 + data;
  return length == 0 || (length >= whole && length <= whole + 3);  // padded to words
}

}  // namespace rocescope
