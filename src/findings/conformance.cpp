// Rules of the specification that a sender breaks.
#include <fmt/format.h>

#include <algorithm>

#include "findings/rules.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

std::string_view opcode_name(std::uint64_t code) { return opcode_info(static_cast<std::uint8_t>(code)).name(); }

/// What the first packet did wrong.
std::string text_of(const Breach& breach) {
  const std::uint64_t value = breach.value;
  const std::uint64_t other = breach.other;
  switch (breach.kind) {
    case BreachKind::kOpcodeOrder:
      return fmt::format("{} after {}", opcode_name(value), opcode_name(other));
    case BreachKind::kNotPathMtu:
      return fmt::format("payload of {} bytes in a First or Middle where the path MTU is {}", value, other);
    case BreachKind::kAbovePathMtu:
      return fmt::format("payload of {} bytes where the path MTU is {}", value, other);
    case BreachKind::kNoMtu:
      return fmt::format("payload of {} bytes in a First or Middle, not a path MTU", value);
    case BreachKind::kEmptyLast:
      return "no payload in a Last";
    case BreachKind::kDmaLength:
      return fmt::format("{} bytes written where the RETH says {}", value, other);
    case BreachKind::kNoPayload:
      return fmt::format("{} bytes behind the headers of {}, which has no payload", value, opcode_name(other));
    case BreachKind::kNotWords:
      return fmt::format("{} bytes of payload and pad, no multiple of 4", value);
    case BreachKind::kPadInside:
      return fmt::format("{} bytes of pad in a First or Middle", value);
    case BreachKind::kPadNotZero:
      return fmt::format("pad of 0x{:02x}, not zero", value);
    case BreachKind::kReservedOpcode:
      return fmt::format("{}, not an operation", opcode_name(value));
    case BreachKind::kOtherTransport:
      return fmt::format("{} on a queue pair of {}", opcode_name(value), to_string(static_cast<Transport>(other)));
    case BreachKind::kVersion:
      return fmt::format("transport header version {}", value);
    case BreachKind::kReserved6:
      return fmt::format("0x{:02x} in the six reserved bits beside FECN and BECN", value);
    case BreachKind::kReserved7:
      return fmt::format("0x{:02x} in the seven reserved bits beside AckReq", value);
    case BreachKind::kReservedSyndrome:
      return fmt::format("AETH syndrome 0x{:02x}, which is reserved", value);
    case BreachKind::kReservedExtended:
      return fmt::format("0x{:x} in reserved bits of an extended header", value);
    case BreachKind::kPkey:
      return fmt::format("P_Key 0x{:04x} where the others have 0x{:04x}", value, other);
    case BreachKind::kUsedPsn:
      return fmt::format("{} in packet {} on a PSN of packet {}, which is another request", opcode_name(value),
                         breach.seen.packets[0], other);
  }
  return {};
}

/// With the request that had the PSN before.
Occurrences evidence_of(const Breach& breach) {
  Occurrences seen = breach.seen;
  if (breach.kind != BreachKind::kUsedPsn) return seen;
  std::shift_right(seen.packets.begin(), seen.packets.end(), 1);
  seen.packets[0] = breach.other;
  return seen;
}

/// A filter by the field that shows the breach, else by the numbers of the first few packets.
std::string filter_of(const Breach& breach) {
  switch (breach.kind) {
    case BreachKind::kVersion:
      return "infiniband.bth.tver != 0";
    case BreachKind::kReserved6:
      return "infiniband.bth.reserved6 != 0";
    case BreachKind::kReserved7:
      return "infiniband.bth.reserved7 != 0";
    default:
      return frames(evidence_of(breach));
  }
}

/// A sender that breaks a rule does so again and again; damage breaks one in few packets, and where the ICRC cannot be compared
/// nothing else shows it. A network that damages every fiftieth packet hits the same 16 bits of a header of 100 bytes in one of 2500.
bool may_be_damage(const Breach& breach, std::uint64_t packets) {
  constexpr std::uint64_t kFew = 2;
  constexpr std::uint64_t kSeldom = 1'000;
  return breach.uncompared == breach.seen.count && breach.seen.count <= std::max(kFew, packets / kSeldom);
}

std::string what_of(const Breach& breach, Amount packets) {
  return fmt::format("{}, {}", text_of(breach), count(packets, "packet"));
}

}  // namespace

void find_breaches(const Direction& direction, FindingList& list) {
  for (const Breach& breach : direction.sender().breaches.all()) {
    if (may_be_damage(breach, direction.sender().traffic.packets)) continue;
    const Amount packets = direction.seen(breach.seen.count);
    list.add(finding_of(breach.kind), direction, evidence_of(breach), packets, what_of(breach, packets),
             filter_of(breach));
  }
}

void find_breaches(const Evidence& evidence, FindingList& list) {
  for (const Breach& breach : evidence.tracking.breaches.all()) {
    if (may_be_damage(breach, evidence.totals.roce.packets)) continue;
    const Amount packets = list.seen(breach.seen.count);
    list.add(finding_of(breach.kind), breach.seen, packets, what_of(breach, packets), filter_of(breach));
  }
}

}  // namespace rocescope::findings
