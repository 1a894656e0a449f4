// Addresses of the hosts in made reports.
#pragma once

#include <cstdint>

#include "rocescope/address.hpp"

namespace rocescope::testing {

/// 10.0.0.NUMBER
inline IpAddress host(std::uint8_t number) { return IpAddress::v4(ByteArray<4>{10, 0, 0, number}); }

}  // namespace rocescope::testing
