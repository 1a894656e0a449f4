// Hints to the processor: memory that will be needed soon.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rocescope {

/// All cache lines of an object, of which nothing is read. Any address will do.
template <class T>
inline void prefetch(const T* object, std::size_t bytes = sizeof(T)) noexcept {
  constexpr std::size_t kLine = 64;
  // Numbers, since nothing need be there that a pointer could point to.
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  for (std::size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(reinterpret_cast<const void*>(at + i), 1);
  __builtin_prefetch(reinterpret_cast<const void*>(at + bytes - 1), 1);  // objects begin anywhere in a line
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
}

}  // namespace rocescope
