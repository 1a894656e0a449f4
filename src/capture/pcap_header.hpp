// The header of a pcap file (www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
//
//   0               1               2               3
//   +-----------------------------------------------+
//   | magic number                                  |
//   | major version         | minor version         |
//   | reserved (two words)                          |
//   | snap length                                   |
//   | FCS length            | link type             |
//   +-----------------------------------------------+
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/capture_reader.hpp"
#include "capture/file_numbers.hpp"
#include "rocescope/capture.hpp"

namespace rocescope {

struct PcapHeader {
  static constexpr std::size_t kSize = 24;
  static constexpr std::size_t kSnapLengthOffset = 16;

  /// `bytes`: kSize at least, with a magic number that format_of() knows.
  explicit PcapHeader(Bytes bytes) noexcept
      : numbers(bytes[0] == kFirstOfBigEndian),
        nanoseconds(numbers.u32(bytes, 0) == kNanoseconds),
        modified(numbers.u32(bytes, 0) == kModified),
        major(numbers.u16(bytes, 4)),
        minor(numbers.u16(bytes, 6)),
        snap_length(numbers.u32(bytes, kSnapLengthOffset)),
        link_type(link_type_of(numbers.u32(bytes, 20) & kLinkTypeBits)) {}

  /// Whether it is the format that programs have written since 1998. Others have longer records, or swap the two lengths.
  [[nodiscard]] bool is_usual() const noexcept { return !modified && major == 2 && minor == 4; }
  /// Adds what the header says to `info`.
  void describe(CaptureInfo& info) const {
    info.format = nanoseconds ? "pcap (nanoseconds)" : modified ? "pcap (modified)" : "pcap";
    const bool in_nanoseconds = nanoseconds || link_type == link_type::kErf;  // see erf_time()
    info.interfaces.push_back({.name = {},
                               .description = {},
                               .link_type = link_type,
                               .snap_length = snap_length,
                               .ticks_per_second = in_nanoseconds ? 1'000'000'000U : 1'000'000U,
                               .dropped = {}});
  }

  FileNumbers numbers;
  bool nanoseconds = false;  ///< times are in nanoseconds, else in microseconds
  bool modified = false;     ///< Kuznetzov's: records with 8 bytes more
  unsigned major = 0;
  unsigned minor = 0;
  std::uint32_t snap_length = 0;
  std::uint32_t link_type = 0;

 private:
  static constexpr std::uint8_t kFirstOfBigEndian = 0xA1;
  static constexpr std::uint32_t kNanoseconds = 0xA1B23C4D;
  static constexpr std::uint32_t kModified = 0xA1B2CD34;
  static constexpr std::uint32_t kLinkTypeBits = 0x03FFFFFF;
};

}  // namespace rocescope
