// Hints to the processor: memory that will be needed soon.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rocescope {

/// Fetches one cache line, and reads nothing of it. Any address will do.
inline void prefetch_line(const void* at) noexcept {
  __builtin_prefetch(at, 1);
  // g++ drops calls of functions that only prefetch, since it sees no effect of theirs. This one has an effect, and no instruction.
  asm volatile("");
}

/// The same of all cache lines of an object.
template <class T>
inline void prefetch(const T* object, std::size_t bytes = sizeof(T)) noexcept {
  constexpr std::size_t kLine = 64;
  // Numbers, since nothing need be there that a pointer could point to.
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  for (std::size_t i = 0; i < bytes; i += kLine) prefetch_line(reinterpret_cast<const void*>(at + i));
  prefetch_line(reinterpret_cast<const void*>(at + bytes - 1));  // objects begin anywhere in a line
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
}

/// The same for memory that will only be read, so that another thread's copy of it stays where it is.
inline void prefetch_to_read(const void* memory, std::size_t bytes) noexcept {
  constexpr std::size_t kLine = 64;
  const auto at = reinterpret_cast<std::uintptr_t>(memory);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  for (std::size_t i = 0; i < bytes; i += kLine) __builtin_prefetch(reinterpret_cast<const void*>(at + i));
  asm volatile("");  // as in prefetch_line()
}

/// All cache lines of an object that will be written, and that another thread read last: a store that has to wait until that thread's
/// processor gives up its copy lets all stores behind it wait as well.
template <class T>
inline void prefetch_from_other_thread(const T* object) noexcept {
  constexpr std::size_t kLine = 64;
  static_assert(alignof(T) % kLine == 0 && sizeof(T) % kLine == 0);
#ifdef __x86_64__
  // What __builtin_prefetch() gives here leaves the other copy where it is, unless the compiler may use what no x86-64 of today lacks.
  struct Line {
    alignas(kLine) char bytes[kLine];
  };
  const auto* const lines = static_cast<const Line*>(static_cast<const void*>(object));
  for (std::size_t i = 0; i < sizeof(T) / kLine; ++i) asm volatile("prefetchw %0" : : "m"(lines[i]));
#else
  prefetch(object);
#endif
}

}  // namespace rocescope
