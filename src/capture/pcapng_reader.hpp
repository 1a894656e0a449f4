// pcapng files (draft-ietf-opsawg-pcapng).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/capture_reader.hpp"
#include "capture/pcapng_block.hpp"
#include "capture/pcapng_time.hpp"

namespace rocescope {

/// Oddities of a pcapng file that the reader skips.
enum class PcapngOddity : std::uint8_t { kUnknownInterface, kLength, kShortBlock, kOptions, kNoTime };

/// Counts them: one warning for each kind, however often it comes.
class PcapngOddities {
 public:
  /// Counts one more in `warnings`, which only grows. `place()` says where; called only for the first of a kind.
  template <class Place>
  void count(PcapngOddity oddity, Place place, std::vector<std::string>& warnings) {
    const auto kind = static_cast<std::size_t>(oddity);
    Entry& entry = entries_[kind];
    if (entry.count == 0) {
      entry.first_place = place();
      entry.warning = warnings.size();
      warnings.emplace_back();
    }
    ++entry.count;
    warnings[entry.warning] = fmt::format("{}: {}, the first at {}", kTexts[kind], entry.count, entry.first_place);
  }

 private:
  static constexpr std::array<std::string_view, 5> kTexts = {
      "frames skipped because their interface is not described before them",
      "frames skipped because their captured length is more than their block holds",
      "blocks skipped because they are too short for their type",
      "blocks whose damaged options were ignored",
      "frames without a time stamp (Simple Packet Blocks), which are given the time of the frame before",
  };
  struct Entry {
    std::uint64_t count = 0;
    std::string first_place;
    std::size_t warning = 0;  ///< index
  };
  std::array<Entry, kTexts.size()> entries_;
};

class PcapngReader final : public CaptureReader {
 public:
  using CaptureReader::CaptureReader;

  /// Reads the header of the first section. Returns a clause that says what is wrong; empty if nothing is.
  [[nodiscard]] std::string open();
  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::size_t next_buffered(std::span<Frame> frames, const BufferedFrames& wanted) override;
  [[nodiscard]] std::shared_ptr<const void> hold() const override { return stream().hold(); }
  [[nodiscard]] std::span<const std::string> comments() const override { return comments_; }

 private:
  struct Block {
    std::uint32_t type = 0;
    std::uint64_t offset = 0;
    Bytes body;
  };
  /// Where a packet block has its parts.
  struct PacketFields {
    std::uint32_t interface = 0;  ///< within the section
    std::uint64_t captured_length = 0;
    std::uint32_t original_length = 0;
    std::size_t header_size = 0;  ///< bytes of the body before the frame
  };

  static constexpr std::uint64_t kAnyInterface = ~std::uint64_t{0};
  [[nodiscard]] std::size_t read_usual(Bytes bytes, std::uint64_t interface, Frame& frame);
  bool read_block(Block& block);
  bool read_length(Block& block, std::uint32_t& length);
  bool hold_block(Block& block, std::uint32_t length);
  bool skip_block(const Block& block, std::uint32_t length);
  void read_section(const Block& block);
  void read_interface(const Block& block);
  void read_statistics(const Block& block);
  bool read_packet(const Block& block, Frame& frame);
  bool read_simple(const Block& block, Frame& frame);
  bool fill(const Block& block, const PacketFields& fields, Frame& frame);
  void set_time(std::uint32_t high, std::uint32_t low, Frame& frame);
  void count(PcapngOddity oddity, std::uint64_t offset);
  [[nodiscard]] bool long_enough(const Block& block, std::size_t size);

  FileNumbers numbers_;
  std::uint32_t section_ = 0;
  std::size_t first_interface_ = 0;  ///< of the section, in info().interfaces
  std::vector<PcapngTime> times_;    ///< of info().interfaces
  std::size_t held_ = 0;             ///< bytes of the block that was read last and is still in the stream
  std::int64_t last_timestamp_ = 0;
  std::vector<std::string> comments_;
  PcapngOddities oddities_;
};

}  // namespace rocescope
