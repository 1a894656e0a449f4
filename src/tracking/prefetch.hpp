// Hints to the processor: memory that will be needed soon.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rocescope {

/// All cache lines of an object, of which nothing is read. Any address will do.
template <class T>
inline void prefetch(const T* object, std::size_t bytes = sizeof(T)) noexcept {
  constexpr std::uintptr_t kLine = 64;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr): only its place counts
  const auto from = reinterpret_cast<std::uintptr_t>(object);
  for (std::uintptr_t line = from & ~(kLine - 1); line < from + bytes; line += kLine) {
    __builtin_prefetch(reinterpret_cast<const void*>(line), 1);
  }
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
}

}  // namespace rocescope
