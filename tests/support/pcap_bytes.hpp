// The frames of a capture file for tests that link no capture library: classic pcap of a little-endian writer.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rocescope/bytes.hpp"
#include "rocescope/frame.hpp"
#include "support/source_dir.hpp"

namespace rocescope::testing {

/// A pcap file in memory; the frames share its bytes.
class PcapBytes {
 public:
  explicit PcapBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    constexpr std::size_t kFileHeader = 24;
    constexpr std::size_t kRecordHeader = 16;
    if (bytes_.size() < kFileHeader) return;
    const auto link_type = word(20);
    for (std::size_t at = kFileHeader; at + kRecordHeader <= bytes_.size();) {
      const std::uint32_t captured = word(at + 8);
      const std::uint32_t original = word(at + 12);
      at += kRecordHeader;
      if (at + captured > bytes_.size()) return;
      frames_.push_back({.data = Bytes(bytes_).subspan(at, captured),
                         .original_length = original,
                         .link_type = link_type,
                         .number = frames_.size() + 1});
      at += captured;
    }
  }
  PcapBytes(const PcapBytes&) = delete;
  PcapBytes& operator=(const PcapBytes&) = delete;

  [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }

 private:
  [[nodiscard]] std::uint32_t word(std::size_t at) const {
    return static_cast<std::uint32_t>(load_little_endian(bytes_.data() + at, 4));
  }

  std::vector<std::uint8_t> bytes_;
  std::vector<Frame> frames_;
};

/// A capture that the project ships.
inline std::string own_capture(const std::string& name) {
  return rocescope::testing::source_dir() + "/captures/" + name;
}

/// The folder of captures that are not ours to ship, or an empty string.
inline std::string extra_captures() {
  const char* folder = std::getenv("ROCESCOPE_EXTRA_CAPTURES");
  return folder == nullptr ? std::string() : std::string(folder);
}

}  // namespace rocescope::testing
