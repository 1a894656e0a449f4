// Records of a pcap file (www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
//
//   0               1               2               3
//   +-----------------------------------------------+
//   | seconds                                       |  16 bytes, and the frame
//   | micro- or nanoseconds                         |
//   | captured length                               |
//   | original length                               |
//   +-----------------------------------------------+
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "capture/capture_reader.hpp"
#include "capture/erf_time.hpp"
#include "capture/libpcap_reader.hpp"
#include "capture/pcap_header.hpp"
#include "model/shard_sieve.hpp"

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

namespace {

constexpr std::size_t kRecordSize = 16;

/// No frame of this link type is longer: more is damage. The snap length is no limit: some captures have frames longer than
/// theirs.
std::uint32_t longest_frame(std::uint32_t link_type) {
  constexpr std::uint32_t kUsual = 262'144;
  constexpr std::uint32_t kMiB = 1U << 20;
  switch (link_type) {
    case 231:  // D-Bus
      return 128 * kMiB;
    case 249:  // USBPcap
      return kMiB;
    case 279:  // EBHSCR
      return 8 * kMiB;
    default:
      return kUsual;
  }
}

}  // namespace

PcapReader::PcapReader(std::unique_ptr<ByteStream> stream, CaptureInfo& info, const PcapHeader& header)
    : CaptureReader(std::move(stream), info),
      numbers_(header.numbers),
      link_type_(header.link_type),
      longest_frame_(longest_frame(header.link_type)),
      nanoseconds_per_tick_(header.nanoseconds ? 1 : 1'000) {}

/// Of a record, with its whole frame.
[[gnu::always_inline]] inline std::int64_t PcapReader::time_of(const std::uint8_t* record,
                                                               const FileNumbers numbers) const noexcept {
  if (link_type_ == link_type::kErf && numbers.u32(record, 8) >= kErfTimeSize) return erf_time(record + kRecordSize);
  // Unsigned, so that seconds last until 2106.
  const auto seconds = static_cast<std::int64_t>(numbers.u32(record, 0));
  const auto fraction = static_cast<std::int64_t>(numbers.u32(record, 4));
  return seconds * 1'000'000'000 + fraction * nanoseconds_per_tick_;
}

/// As many as there is room for, without those for which `is_left_out` is true.
template <class IsLeftOut>
[[gnu::always_inline]] inline std::size_t PcapReader::take(std::span<Frame> frames, std::size_t most_bytes,
                                                           const FileNumbers numbers, IsLeftOut is_left_out) {
  stream().consume(held_);
  const Bytes bytes = stream().buffered();
  const std::uint8_t* const end = bytes.data() + bytes.size();
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const stop =
      bytes.size() < kRecordSize ? at : at + std::min(most_bytes, bytes.size() - kRecordSize + 1);
  const std::uint32_t longest = longest_frame_;
  const std::uint32_t link_type = link_type_;
  std::uint64_t number = frames_;
  std::size_t count = 0;
  while (at < stop && count < frames.size()) {
    const std::uint32_t captured = numbers.u32(at, 8);
    const std::uint32_t original = numbers.u32(at, 12);
    const std::uint8_t* const data = at + kRecordSize;
    if (captured > longest || captured > static_cast<std::size_t>(end - data)) break;
    const std::int64_t time = time_of(at, numbers);
    ++number;
    at = data + captured;
    if (is_left_out({data, captured, original}, time, count)) continue;
    frames[count++] = {.data = {data, captured},
                       .original_length = original,
                       .link_type = link_type,
                       .timestamp = time,
                       .number = number};
  }
  held_ = static_cast<std::size_t>(at - bytes.data());
  frames_ = number;
  return count;
}

bool PcapReader::next(Frame& frame) {
  if (ended_) return false;
  stream().consume(held_);
  held_ = 0;
  const std::uint64_t offset = stream().offset();
  Bytes bytes = stream().peek(kRecordSize);
  if (bytes.size() < kRecordSize) {
    bytes.empty() ? end() : end_cut(offset);
    return false;
  }
  const std::uint32_t captured_length = numbers_.u32(bytes, 8);
  if (captured_length > longest_frame_) {
    end_damaged(offset, fmt::format("a captured length of {} bytes", captured_length));
    return false;
  }
  const std::size_t size = kRecordSize + captured_length;
  bytes = stream().peek(size);
  if (bytes.size() < size) {
    end_cut(offset);
    return false;
  }
  held_ = size;
  ++frames_;
  frame.data = bytes.subspan(kRecordSize, captured_length);
  frame.original_length = numbers_.u32(bytes, 12);
  frame.link_type = link_type_;
  frame.timestamp = time_of(bytes.data(), numbers_);
  frame.interface_id = 0;
  return true;
}

std::size_t PcapReader::next_buffered(std::span<Frame> frames, const BufferedFrames& wanted) {
  if (ended_ || wanted.interface_id != 0) return 0;
  // All frames of a capture are read by the same code, which need not look each time how.
  const auto take_by = [&](auto is_left_out) {
    return numbers_.is_big_endian() ? take(frames, wanted.most_bytes, FileNumbers(true), is_left_out)
                                    : take(frames, wanted.most_bytes, FileNumbers(false), is_left_out);
  };
  if (wanted.sieve == nullptr) return take_by([](ExpressBytes, std::int64_t, std::size_t) { return false; });
  if (link_type_ != link_type::kEthernet) return 0;
  ShardSieve::Pass pass(*wanted.sieve);
  const std::uint64_t before = frames_;
  const std::size_t count = take_by([&pass](ExpressBytes frame, std::int64_t time, std::size_t place)
                                        __attribute__((always_inline)) { return pass.leaves_out(frame, time, place); });
  if (frames_ > before) pass.end(time_of(stream().buffered().data(), numbers_), frames_ - before);
  return count;
}

Result<std::unique_ptr<CaptureReader>> make_pcap_reader(std::unique_ptr<ByteStream> stream, CaptureInfo& info) {
  const Bytes bytes = stream->peek(PcapHeader::kSize);
  if (bytes.size() < PcapHeader::kSize) return Error{"its pcap header is cut"};
  const PcapHeader header(bytes);
  if (!header.is_usual()) return LibpcapReader::open(std::move(stream), info);
  header.describe(info);
  stream->consume(PcapHeader::kSize);
  return std::unique_ptr<CaptureReader>(std::make_unique<PcapReader>(std::move(stream), info, header));
}

}  // namespace rocescope
