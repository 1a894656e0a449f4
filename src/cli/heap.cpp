#include "cli/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace rocescope::cli {
namespace {

#ifdef __GLIBC__
constexpr bool kKnown = true;

void grow_in_steps() noexcept {
  constexpr int kStep = 32 << 20;   // address space; a page of it is memory once something is in it
  constexpr int kLarge = 32 << 20;  // what malloc gets from mmap() instead
  mallopt(M_TOP_PAD, kStep);
  mallopt(M_TRIM_THRESHOLD, 2 * kStep);
  mallopt(M_MMAP_THRESHOLD, kLarge);
}
#else
constexpr bool kKnown = false;

void grow_in_steps() noexcept {}
#endif

std::uintptr_t heap_end() noexcept { return reinterpret_cast<std::uintptr_t>(::sbrk(0)); }

}  // namespace

Heap::Heap() {
  if (!kKnown) return;
  grow_in_steps();
  end_ = heap_end();
}

void Heap::follow() noexcept {
  if (!kKnown || heap_end() == end_) return;
  const std::uintptr_t end = heap_end();
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t start = (end_ + page - 1) / page * page;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): only a place
  if (end > start) static_cast<void>(::madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE));
  end_ = end;
}

}  // namespace rocescope::cli
