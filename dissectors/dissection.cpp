#include "dissectors/dissection.hpp"

namespace rocescope::dissectors {
namespace {

std::uint32_t clamp(std::uint64_t value) noexcept {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX));
}

}  // namespace

void Dissection::stop(StopReason reason, HeaderKind kind, std::uint64_t needed) noexcept {
  if (packet.stop.reason != StopReason::kNone) return;
  const std::uint64_t there = reason == StopReason::kMalformed ? left() : rest().size();
  packet.stop = {reason, kind, offset, clamp(needed), clamp(there)};
}

void Dissection::refuse(HeaderKind kind, std::uint64_t length) noexcept {
  const bool beyond_end = offset + length > end;
  stop(beyond_end && end_kind != End::kCut ? StopReason::kMalformed : cut_by, kind, length);
}

void Dissection::refuse_header(HeaderKind kind, std::size_t length) noexcept {
  refuse(kind, length);
  if (packet.stop.layer != kind || packet.stop.offset != offset) return;
  packet.partial = {kind, in_message, offset, static_cast<std::uint32_t>(std::min(rest().size(), length))};
}

}  // namespace rocescope::dissectors
