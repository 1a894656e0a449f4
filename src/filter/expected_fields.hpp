// What fields hold in packets that take the express lane. A filter that none of them can pass need not see them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocescope::filter {

struct ExpectedField {
  std::string_view name;
  std::optional<std::uint64_t> most;  ///< the highest value; none: these packets lack the field
};

inline constexpr ExpectedField kExpectedFields[] = {
    {"infiniband.bth.opcode", 0x11},  // RC Acknowledge
    {"infiniband.aeth.syndrome.opcode", 0},
    {"infiniband.aeth.syndrome.timer", {}},
    {"infiniband.aeth.syndrome.error_code", {}},
    {"ip.dsfield.ecn", 2},  // not CE
    {"ipv6.tclass.ecn", 2},
    {"rocescope.verdict.gap", {}},
    {"rocescope.verdict.out_of_order", {}},
    {"rocescope.verdict.retransmission", {}},
    {"rocescope.verdict.capture_duplicate", {}},
    {"rocescope.verdict.used_psn", {}},
    {"rocescope.verdict.duplicate_ack", {}},
    {"rocescope.verdict.read_response_gap", {}},
    {"rocescope.verdict.read_response_retransmission", {}},
    {"rocescope.verdict.stale", {}},
    {"rocescope.verdict.ack_of_unseen", {}},
    {"rocescope.verdict.damaged", {}},
    {"rocescope.verdict.acknowledged", {}},
    {"rocescope.verdict.cause", {}},
    {"rocescope.verdict.lost", {}},
    {"rocescope.verdict.lost_response", {}},
    {"rocescope.verdict.missing", {}},
    {"rocescope.verdict.evidence", {}},
};

/// Null: nothing is known of the field.
[[nodiscard]] constexpr const ExpectedField* find_expected(std::string_view name) noexcept {
  for (const ExpectedField& each : kExpectedFields) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace rocescope::filter
