// pcapng files (draft-ietf-opsawg-pcapng).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "capture/capture_reader.hpp"
#include "capture/pcapng_block.hpp"
#include "capture/pcapng_oddities.hpp"
#include "capture/pcapng_time.hpp"

namespace rocescope {

class PcapngReader final : public CaptureReader {
 public:
  using CaptureReader::CaptureReader;

  /// Reads the header of the first section. Returns a clause that says what is wrong; empty if nothing is.
  [[nodiscard]] std::string open();
  [[nodiscard]] bool next(Frame& frame) override;
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

  bool read_usual(Frame& frame);
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
