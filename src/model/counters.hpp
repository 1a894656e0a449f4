// Arithmetic over all members of a struct of counters, so that nobody lists them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace rocescope {

/// Calls `function` with each counter of `to`, to be changed, and the same one of `others`, which are of the same type. All
/// members of T must be integers of 64 bits, arrays of them, or such structs; negative ones are shown modulo 2^64.
template <class T, class Function, class... Others>
void for_each_counter(T& to, Function function, const Others&... others) {
  static_assert(std::has_unique_object_representations_v<T>, "a member that is no integer, or a gap between members");
  using Counters = std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>;
  auto counters = std::bit_cast<Counters>(to);
  for (std::size_t i = 0; i < counters.size(); ++i) function(counters[i], std::bit_cast<Counters>(others)[i]...);
  to = std::bit_cast<T>(counters);
}

}  // namespace rocescope
