// How much of the files of a capture was read, counted by the thread that reads.
#pragma once

#include <atomic>
#include <cstdint>

#include "rocescope/capture.hpp"

namespace rocescope {

struct ReadCount {
  std::atomic<std::uint64_t> bytes = 0;
  std::uint64_t size = 0;     ///< of all files
  bool size_is_known = true;  ///< all of them are files on a disk

  [[nodiscard]] ReadPosition position() const noexcept {
    return {.bytes = bytes.load(std::memory_order_relaxed), .size = size_is_known ? size : 0};
  }
};

}  // namespace rocescope
