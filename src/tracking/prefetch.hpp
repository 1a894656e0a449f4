// Hints to the processor: memory that will be needed soon.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rocescope {

/// All cache lines of an object, of which nothing is read. Any address will do.
template <class T>
inline void prefetch(const T* object, std::size_t bytes = sizeof(T)) noexcept {
  constexpr std::size_t kLine = 64;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): only its place counts
  const auto* at = reinterpret_cast<const std::uint8_t*>(object);
  for (std::size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(at + i, 1);
  __builtin_prefetch(at + bytes - 1, 1);  // objects begin anywhere in a line
}

}  // namespace rocescope
