// Display filters that others show as well.
#pragma once

#include <string_view>

namespace rocescope::findings {

/// Packets that a switch marked (CE).
inline constexpr std::string_view kMarkedFilter = "(ip.dsfield.ecn == 3 || ipv6.tclass.ecn == 3)";
/// NAKs other than RNR NAKs; the syndrome's error code may follow.
inline constexpr std::string_view kNakFilter = "infiniband.aeth.syndrome.opcode == 3";
inline constexpr std::string_view kCnpFilter = "infiniband.bth.opcode == 129";

}  // namespace rocescope::findings
