// The CRC-32 of Ethernet (IEEE 802.3 3.2.9), which the ICRC is as well.
#pragma once

#include <isa-l/crc.h>

#include <cstddef>
#include <cstdint>

namespace rocescope {

/// The CRC of `crc`'s bytes and the `count` bytes behind them; 0: there are none before.
inline std::uint32_t crc32(std::uint32_t crc, const std::uint8_t* bytes, std::size_t count) noexcept {
  const std::uint32_t result = crc32_gzip_refl(crc, bytes, count);
#if defined(__x86_64__) && !defined(__AVX__)
  // ISA-L leaves the upper halves of the vector registers in use, which makes all code several times as slow that knows only the
  // lower ones, as this does.
  static const bool kHasUpperHalves = __builtin_cpu_supports("avx") != 0;
  if (kHasUpperHalves) asm volatile("vzeroupper");  // NOLINT(hicpp-no-assembler)
#endif
  return result;
}

}  // namespace rocescope
