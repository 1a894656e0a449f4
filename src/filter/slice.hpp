// Slices: parts of a value, picked by position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocescope::filter {

/// One part. Negative positions count from the end: -1 is the last byte.
struct Slice {
  enum class Kind : std::uint8_t {
    kLength,  ///< `end` counts bytes: [i:n], [i], [:n]
    kLast,    ///< `end` is the position of the last byte: [i-j]
    kRest,    ///< all from `start`: [i:]
  };
  std::int32_t start = 0;
  std::int32_t end = 1;
  Kind kind = Kind::kLength;
};

/// Offset and length of the slice in a value of `size` bytes; nothing if any of it lies outside.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> locate(const Slice& slice, std::size_t size) noexcept;

/// Reads the text between the brackets: slices joined by commas. On an error, the vector is empty and `error` says why.
[[nodiscard]] std::vector<Slice> parse_slices(std::string_view text, std::string& error);

}  // namespace rocescope::filter
