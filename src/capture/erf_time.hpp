// The time stamp of an ERF record (Endace's "ERF types reference guide"): finer than that of the pcap record around it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocescope/bytes.hpp"

namespace rocescope {

inline constexpr std::size_t kErfTimeSize = 8;

/// Nanoseconds since 1970, rounded to the nearest as Wireshark does. `record` starts with the time stamp: seconds and,
/// below them, 2^-32 seconds, least significant byte first.
[[nodiscard]] constexpr std::int64_t erf_time(const std::uint8_t* record) noexcept {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::uint64_t stamp = load_little_endian(record, kErfTimeSize);
  const std::uint64_t nanoseconds = ((stamp & 0xFFFFFFFFU) * kSecond + (std::uint64_t{1} << 31)) >> 32;
  return static_cast<std::int64_t>((stamp >> 32) * kSecond + nanoseconds);
}

}  // namespace rocescope
