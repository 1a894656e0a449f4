// A run of bytes from somewhere, read once from front to back: a file, a pipe, what a decompressor makes of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rocescope {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Waits for at least one byte, then gives what there is, at most into.size() (not 0). 0: there is no more.
  [[nodiscard]] virtual std::size_t read(std::span<std::uint8_t> into) = 0;
  /// Once read() gave 0: why there is no more when there should be, as a clause for a person; else empty.
  [[nodiscard]] virtual const std::string& damage() const = 0;
  /// Whether read() may wait for somebody who writes, as at a pipe.
  [[nodiscard]] virtual bool may_wait() const { return false; }
  /// `gzip`, `zstd`, `lz4`; empty when the bytes are those of the file.
  [[nodiscard]] virtual std::string_view compression() const { return {}; }
};

}  // namespace rocescope
