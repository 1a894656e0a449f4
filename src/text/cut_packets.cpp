#include "text/cut_packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "rocescope/text.hpp"

namespace rocescope::text {
namespace {

/// The specification's short name of a header behind the BTH; empty for other layers.
std::string_view extended_header(HeaderKind kind) noexcept {
  switch (kind) {
    case HeaderKind::kRdeth:
      return "RDETH";
    case HeaderKind::kDeth:
      return "DETH";
    case HeaderKind::kXrceth:
      return "XRCETH";
    case HeaderKind::kReth:
      return "RETH";
    case HeaderKind::kAtomicEth:
      return "AtomicETH";
    case HeaderKind::kAeth:
      return "AETH";
    case HeaderKind::kAtomicAckEth:
      return "AtomicAckETH";
    case HeaderKind::kImmDt:
      return "ImmDt";
    case HeaderKind::kIeth:
      return "IETH";
    case HeaderKind::kFeth:
      return "FETH";
    case HeaderKind::kDceth:
    case HeaderKind::kDcConnect:
    case HeaderKind::kDcNak:
      return "DC";
    default:
      return {};
  }
}

/// Of a management datagram; nearly all of those on RoCE are CM messages.
bool is_management(HeaderKind kind) noexcept { return kind >= HeaderKind::kMad && kind <= HeaderKind::kCmSpr; }

bool is_behind_headers(HeaderKind kind) noexcept {
  return kind >= HeaderKind::kPayload || kind == HeaderKind::kCnpReserved ||
         (kind >= HeaderKind::kExchange && kind < HeaderKind::kPayload);
}

}  // namespace

CutPackets cut_packets(std::span<const StopCount> stops) {
  CutPackets cut;
  std::uint64_t below = 0;
  std::uint64_t extended = 0;
  std::uint64_t management = 0;
  std::uint64_t behind = 0;
  std::string names;
  for (const StopCount& stop : stops) {
    if (stop.reason != StopReason::kTruncated) continue;
    cut.all += stop.packets;
    cut.first_packet = cut.first_packet == 0 ? stop.first_packet : std::min(cut.first_packet, stop.first_packet);
    if (const std::string_view name = extended_header(stop.layer); !name.empty()) {
      extended += stop.packets;
      names += fmt::format("{}{} {}", names.empty() ? "" : ", ", count(stop.packets), name);
    } else if (is_management(stop.layer)) {
      management += stop.packets;
    } else {
      (is_behind_headers(stop.layer) ? behind : below) += stop.packets;
    }
  }
  const auto add = [&cut](std::uint64_t packets, std::string_view what) {
    if (packets == 0) return;
    if (!cut.lacks.empty()) cut.lacks += "; ";
    cut.lacks += fmt::format("{} {} {}", count(packets), plural(packets, "lacks", "lack"), what);
  };
  add(below, "headers of lower layers or the BTH");
  add(management, "the CM message");
  add(extended, fmt::format("extended headers ({})", names));
  add(behind, "payload or the ICRC");
  return cut;
}

}  // namespace rocescope::text
