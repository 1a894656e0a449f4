// A sequence of bytes that is read once, from front to back: a file, a pipe, or the output of a decompressor.
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

  /// Waits for at least one byte, then returns the available ones, at most into.size() (not 0). 0: the end.
  [[nodiscard]] virtual std::size_t read(std::span<std::uint8_t> into) = 0;
  /// After read() returned 0: a clause that says why the bytes end too early; empty where they do not.
  [[nodiscard]] virtual const std::string& damage() const = 0;
  /// Whether read() may wait for a writer, as on a pipe.
  [[nodiscard]] virtual bool may_wait() const { return false; }
  /// `gzip`, `zstd`, `lz4`; empty where the bytes are those of the file.
  [[nodiscard]] virtual std::string_view compression() const { return {}; }
};

}  // namespace rocescope
