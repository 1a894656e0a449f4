// The pages that the program's memory is in.
#pragma once

#include <cstdint>

namespace rocescope::cli {

/// Asks the kernel for huge pages as the heap grows. What is known of thousands of connections is spread over it, and with
/// small pages the processor looks for their addresses a good part of the time. Does nothing where malloc is not glibc's, or
/// the kernel has no huge pages for those who ask.
class Heap {
 public:
  /// Lets the heap grow in large steps from now on, and makes what is there the first.
  Heap();
  /// To be called now and then: a few instructions where the heap has not grown.
  void follow() noexcept;

 private:
  std::uintptr_t end_ = 0;  // of what was asked for
};

}  // namespace rocescope::cli
