#include <algorithm>

#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/srp/srp_message.hpp"
#include "rocescope/headers/srp.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kLeastOfSrp = 36;  // bytes that a cut capture must have of a command or a response

bool srp_is_empty(Bytes unit, std::size_t from, std::size_t to) noexcept {
  const Bytes part = unit.first(std::min(unit.size(), to)).subspan(std::min(unit.size(), from));
  return std::ranges::all_of(part, [](std::uint8_t byte) { return byte == 0; });
}

/// `length` 0: of several packets, longer than one.
bool is_srp_length(std::uint64_t length, std::uint64_t whole) noexcept {
  return length == 0 || (length >= whole && length <= whole + 3);
}

/// Of data-out and data-in descriptors: a count stands where there is a table.
bool has_srp_count(std::uint8_t format, std::uint8_t count) noexcept {
  if (SrpFormat{format} == SrpFormat::kIndirect) return count > 0;
  return count == 0 || (count == 1 && format != 0);
}

bool is_srp_command(Bytes unit, std::uint64_t length) noexcept {
  constexpr std::uint8_t kNotifications = 0x06;
  if (unit.size() < kLeastOfSrp || (unit[1] & ~kNotifications) != 0 || !srp_is_empty(unit, 2, 5)) return false;
  const std::uint8_t out = unit[5] >> 4U;
  const std::uint8_t in = unit[5] & 0xFU;
  if (out > 3 || in > 2 || !has_srp_count(out, unit[6]) || !has_srp_count(in, unit[7])) return false;
  if (!srp_is_empty(unit, 16, 20) || unit[28] != 0 || name_of(kSrpAttributeNames, unit[29]).empty() || unit[30] != 0)
    return false;
  if ((unit[31] & 3U) != 0 || name_of(kScsiOperationNames, unit[SrpCommand::kSize]).empty()) return false;
  const auto buffers = srp_buffers_of(unit);
  if (!buffers) return false;
  const SrpBuffers& last = (*buffers)[1];
  const std::uint64_t whole = last.at + last.size;
  if (SrpFormat{out} != SrpFormat::kImmediate) return is_srp_length(length, whole);
  const std::size_t at = (*buffers)[0].at;
  if (length == 0 || unit.size() < at + SrpImmediate::kSize) return true;
  constexpr std::uint64_t kMostBetween = 64;  // bytes between the command and its data
  const std::uint64_t data = load_big_endian(unit.data() + at, SrpImmediate::kSize);
  return length >= whole + data && length <= whole + data + kMostBetween;
}

bool is_srp_response(Bytes unit, std::uint64_t length) noexcept {
  if (unit.size() < kLeastOfSrp || unit[1] > 1 || !srp_is_empty(unit, 2, 4) || !srp_is_empty(unit, 16, 18))
    return false;
  const SrpResponse response(unit.data());
  constexpr std::uint8_t kFlags = 0x3F;
  if ((unit[18] & ~kFlags) != 0 || name_of(kScsiStatusNames, unit[19]).empty()) return false;
  const auto is_there = [&](std::uint8_t flags, std::size_t at) {
    return (unit[18] & flags) != 0 || srp_is_empty(unit, at, at + 4);
  };
  // What no flag speaks of is zero.
  if (!is_there(0x0C, 20) || !is_there(0x30, 24) || !is_there(0x02, 28) || !is_there(0x01, 32)) return false;
  return is_srp_length(length, SrpResponse::kSize + response.get<"rocescope.srp.rsp.sense_len">() +
                                   response.get<"rocescope.srp.rsp.rsp_len">());
}

bool is_srp_task(Bytes unit, std::uint64_t length) noexcept {
  constexpr std::uint8_t kNotifications = 0x06;
  if (length != SrpTask::kSize || unit.size() < kLeastOfSrp) return false;
  return (unit[1] & ~kNotifications) == 0 && srp_is_empty(unit, 2, 8) && srp_is_empty(unit, 16, 20) &&
         srp_is_empty(unit, 28, 30) && !name_of(kSrpTaskNames, unit[30]).empty() && unit[31] == 0 &&
         srp_is_empty(unit, 40, 48);
}

bool is_srp_event(Bytes unit, std::uint64_t length) noexcept {
  if (unit.size() < kLeastOfSrp || unit[1] > 1 || !srp_is_empty(unit, 2, 4) || !srp_is_empty(unit, 16, 20) ||
      !srp_is_empty(unit, 32, 36)) {
    return false;
  }
  return length != 0 &&
         is_srp_length(length, SrpEvent::kSize + SrpEvent(unit.data()).get<"rocescope.srp.aer.sense_len">());
}

/// Logouts, credits, answers to events: they are short, so that few of their bits are known.
bool is_srp_short(Bytes unit, std::uint64_t length) noexcept {
  constexpr std::uint64_t kMostCredits = 0xFFFF;
  if (length != SrpUnit::kSize || unit.size() < SrpUnit::kSize) return false;
  const std::uint64_t word = load_big_endian(unit.data() + 4, 4);
  switch (SrpOpcode{unit[0]}) {
    case SrpOpcode::kTargetLogout:
      return unit[1] <= 1 && srp_is_empty(unit, 2, 4) && !name_of(kSrpTargetLogoutNames, word).empty();
    case SrpOpcode::kCreditRequest:
      return unit[1] <= 1 && srp_is_empty(unit, 2, 4) && word <= kMostCredits;
    default:
      return srp_is_empty(unit, 1, 8);
  }
}

}  // namespace

bool has_form_of_srp(Bytes start, std::uint64_t length) noexcept {
  if (start.empty()) return false;
  switch (SrpOpcode{start[0]}) {
    case SrpOpcode::kCommand:
      return is_srp_command(start, length);
    case SrpOpcode::kResponse:
      return is_srp_response(start, length);
    case SrpOpcode::kTaskManagement:
      return is_srp_task(start, length);
    case SrpOpcode::kEventRequest:
      return is_srp_event(start, length);
    case SrpOpcode::kInitiatorLogout:
    case SrpOpcode::kTargetLogout:
    case SrpOpcode::kCreditRequest:
    case SrpOpcode::kCreditResponse:
    case SrpOpcode::kEventResponse:
      return is_srp_short(start, length);
    case SrpOpcode::kLoginRequest:
    case SrpOpcode::kLoginResponse:
    case SrpOpcode::kLoginReject:
      break;
  }
  return false;
}

}  // namespace rocescope
