// How often there is to try.
#pragma once

#include <cstdint>

namespace rocescope::testing {

/// Of a test that tries random input again and again. Under sanitizers, where that takes several times as long, one round in
/// five. A release has all of them (tools/test --all).
constexpr std::uint32_t rounds(std::uint32_t all) {
#ifdef ROCESCOPE_SANITIZED
  return all / 5;
#else
  return all;
#endif
}

}  // namespace rocescope::testing
