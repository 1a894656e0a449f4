// Records of a pcap file (www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
//
//   0               1               2               3
//   +-----------------------------------------------+
//   | seconds                                       |  16 bytes, and the frame
//   | micro- or nanoseconds                         |
//   | captured length                               |
//   | original length                               |
//   +-----------------------------------------------+
#include "capture/pcap_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "capture/erf_time.hpp"
#include "capture/libpcap_reader.hpp"

namespace rocescope {
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
  describe(bytes, captured_length, frame);
  return true;
}

std::size_t PcapReader::next_buffered(std::span<Frame> frames) {
  if (ended_) return 0;
  stream().consume(held_);
  held_ = 0;
  Bytes bytes = stream().buffered();
  std::size_t count = 0;
  while (count < frames.size() && bytes.size() >= kRecordSize) {
    const std::uint32_t captured_length = numbers_.u32(bytes, 8);
    const std::size_t size = kRecordSize + captured_length;
    if (captured_length > longest_frame_ || size > bytes.size()) break;
    describe(bytes, captured_length, frames[count++]);
    held_ += size;
    bytes = bytes.subspan(size);
  }
  frames_ += count;
  return count;
}

/// `record`: from its first byte on, with the whole frame.
inline void PcapReader::describe(Bytes record, std::uint32_t captured_length, Frame& frame) const noexcept {
  frame.data = record.subspan(kRecordSize, captured_length);
  frame.original_length = numbers_.u32(record, 12);
  frame.link_type = link_type_;
  // Unsigned, so that seconds last until 2106.
  const auto seconds = static_cast<std::int64_t>(numbers_.u32(record, 0));
  const auto fraction = static_cast<std::int64_t>(numbers_.u32(record, 4));
  frame.timestamp = seconds * 1'000'000'000 + fraction * nanoseconds_per_tick_;
  const bool erf = frame.link_type == link_type::kErf && frame.data.size() >= kErfTimeSize;
  if (erf) frame.timestamp = erf_time(frame.data.data());
  frame.interface_id = 0;
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
