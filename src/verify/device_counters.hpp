// What the counters of the lab's devices say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "truth/truth.hpp"

namespace rocescope::verify {

/// How much more `a` is than `b`.
[[nodiscard]] constexpr std::uint64_t surplus(std::uint64_t a, std::uint64_t b) noexcept { return a > b ? a - b : 0; }

/// Of one host, by the name of the counter.
using Values = std::map<std::string, std::uint64_t, std::less<>>;

/// How much counters grew, by host.
struct Growths {
  std::map<std::string, Values> known;
  std::map<std::string, std::size_t> unknown;  ///< how many have no reading before, or a higher one
};

[[nodiscard]] Growths growths_of(const truth::Truth& truth);

}  // namespace rocescope::verify
