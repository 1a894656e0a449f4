// The pages that the program's memory is in.
#pragma once

#include <cstdint>

namespace rocescope::cli {

/// Asks the kernel for huge pages as the heap grows. The state of thousands of connections is spread over the heap, and with
/// small pages TLB misses take a good part of the time. Does nothing if malloc is not glibc's, or if the kernel does not give
/// huge pages on request.
class Heap {
 public:
  /// Lets the heap grow in large steps from now on; the first step covers the heap as it is.
  Heap();
  /// Call now and then: takes a few instructions if the heap has not grown.
  void follow() noexcept;

 private:
  std::uintptr_t end_ = 0;  // of the range with huge pages
};

}  // namespace rocescope::cli
