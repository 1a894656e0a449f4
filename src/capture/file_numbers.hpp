// Numbers in capture files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocescope/bytes.hpp"

namespace rocescope {

/// Reads the numbers of a pcap file or of a pcapng section: all are in the byte order of the machine that wrote it.
class FileNumbers {
 public:
  constexpr explicit FileNumbers(bool big_endian = false) noexcept : big_endian_(big_endian) {}

  [[nodiscard]] constexpr bool is_big_endian() const noexcept { return big_endian_; }

  [[nodiscard]] constexpr std::uint16_t u16(Bytes bytes, std::size_t at) const noexcept {
    return static_cast<std::uint16_t>(load(bytes, at, 2));
  }
  [[nodiscard, gnu::always_inline]] constexpr std::uint32_t u32(Bytes bytes, std::size_t at) const noexcept {
    return static_cast<std::uint32_t>(load(bytes, at, 4));
  }
  /// Of `bytes` with as many behind.
  [[nodiscard, gnu::always_inline]] std::uint32_t u32(const std::uint8_t* bytes, std::size_t at) const noexcept {
    return u32({bytes, at + 4}, at);
  }
  [[nodiscard]] constexpr std::uint64_t u64(Bytes bytes, std::size_t at) const noexcept { return load(bytes, at, 8); }

 private:
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t load(Bytes bytes, std::size_t at,
                                                                 std::size_t size) const noexcept {
    return big_endian_ ? load_bits(bytes.data() + at, 0, size * 8) : load_little_endian(bytes.data() + at, size);
  }

  bool big_endian_;
};

}  // namespace rocescope
