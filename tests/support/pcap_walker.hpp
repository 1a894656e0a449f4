// Frames of small pcap and pcapng files, without libpcap and without anything of ours: for tests of the dissectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "rocescope/frame.hpp"
#include "support/all_captures.hpp"

namespace rocescope::testing {

/// A capture file in memory, little-endian or big-endian; pcapng with one section. Good files only: throws on others.
class PcapWalker {
 public:
  explicit PcapWalker(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    if (bytes_.size() < 24) throw std::runtime_error("not a capture: " + path.string());
    if (word(0) == 0x0A0D0D0A) {
      big_endian_ = bytes_[8] == 0x1A;
      walk_blocks();
    } else {
      big_endian_ = bytes_[0] == 0xA1;
      walk_records(word(0) == 0xA1B23C4D ? 1 : 1000);
    }
  }

  /// The bytes belong to the walker.
  [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }

 private:
  [[nodiscard]] std::uint32_t word(std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | bytes_.at(at + (big_endian_ ? i : 3 - i));
    return value;
  }
  [[nodiscard]] std::uint32_t half(std::size_t at) const {
    return big_endian_ ? static_cast<std::uint32_t>(bytes_.at(at) << 8 | bytes_.at(at + 1))
                       : static_cast<std::uint32_t>(bytes_.at(at + 1) << 8 | bytes_.at(at));
  }

  void add(std::size_t at, std::uint32_t captured, std::uint32_t original, std::uint32_t link_type, std::int64_t time) {
    if (at + captured > bytes_.size()) throw std::runtime_error("a record reaches past the file");
    frames_.push_back({Bytes(bytes_).subspan(at, captured), original, link_type, time, frames_.size() + 1, 0});
  }

  void walk_records(std::int64_t fraction) {
    constexpr std::size_t kFileHeader = 24;
    constexpr std::size_t kRecordHeader = 16;
    for (std::size_t at = kFileHeader; at + kRecordHeader <= bytes_.size();) {
      const std::uint32_t captured = word(at + 8);
      const std::int64_t time = word(at) * std::int64_t{1'000'000'000} + word(at + 4) * fraction;
      add(at + kRecordHeader, captured, word(at + 12), word(20), time);
      at += kRecordHeader + captured;
    }
  }

  void walk_blocks() {
    constexpr std::uint32_t kInterface = 1;
    constexpr std::uint32_t kEnhancedPacket = 6;
    std::vector<std::uint32_t> link_types;
    std::vector<std::uint32_t> ticks;  // ns
    for (std::size_t at = 0; at + 12 <= bytes_.size(); at += word(at + 4)) {
      const std::uint32_t type = word(at);
      if (type == kInterface) {
        link_types.push_back(half(at + 8));
        ticks.push_back(tick_of(at));
      }
      if (type != kEnhancedPacket) continue;
      const std::uint64_t time = (std::uint64_t{word(at + 12)} << 32) | word(at + 16);
      const std::uint32_t interface = word(at + 8);
      add(at + 28, word(at + 20), word(at + 24), link_types.at(interface),
          static_cast<std::int64_t>(time * ticks.at(interface)));
    }
  }

  /// Of the interface block at `block`: microseconds or nanoseconds, by its if_tsresol.
  [[nodiscard]] std::uint32_t tick_of(std::size_t block) const {
    constexpr std::uint32_t kTimeResolution = 9;
    for (std::size_t at = block + 16; at + 8 < block + word(block + 4); at += 4 + (half(at + 2) + 3U) / 4U * 4U) {
      if (half(at) == kTimeResolution) return bytes_.at(at + 4) == 9 ? 1 : 1000;
    }
    return 1000;
  }

  std::vector<std::uint8_t> bytes_;
  std::vector<Frame> frames_;
  bool big_endian_ = false;
};

}  // namespace rocescope::testing
