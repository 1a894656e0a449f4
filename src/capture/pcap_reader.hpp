// pcap files as programs write them today.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "capture/capture_reader.hpp"
#include "capture/pcap_header.hpp"

namespace rocescope {

/// Twice as fast as libpcap's reader, with the same limits; the tests compare both.
class PcapReader final : public CaptureReader {
 public:
  /// `header`, which is_usual(), was taken from the stream.
  PcapReader(std::unique_ptr<ByteStream> stream, CaptureInfo& info, const PcapHeader& header);

  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::size_t next_buffered(std::span<Frame> frames, const BufferedFrames& wanted) override;
  [[nodiscard]] std::shared_ptr<const void> hold() const override { return stream().hold(); }

 private:
  template <class IsLeftOut>
  [[nodiscard]] std::size_t take(std::span<Frame> frames, std::size_t most_bytes, FileNumbers numbers,
                                 IsLeftOut is_left_out);
  [[nodiscard]] std::int64_t time_of(const std::uint8_t* record, FileNumbers numbers) const noexcept;

  FileNumbers numbers_;
  std::uint32_t link_type_ = 0;
  std::uint32_t longest_frame_ = 0;  ///< bytes; more is damage
  std::int64_t nanoseconds_per_tick_ = 1;
  std::size_t held_ = 0;  ///< bytes of the record that was read last and is still in the stream
};

}  // namespace rocescope
