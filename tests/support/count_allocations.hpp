// operator new, replaced by one that counts. For one file of a test program: a program has one operator new.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace rocescope::testing {
/// Since the program began.
inline std::size_t allocations = 0;
}  // namespace rocescope::testing

// NOLINTBEGIN(misc-new-delete-overloads,misc-definitions-in-headers): the array and the aligned forms come here, and malloc
// is what is to be counted
// Not inlined: where only one of a pair is, compilers take malloc and delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++rocescope::testing::allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads,misc-definitions-in-headers)
