// pcap files (www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
//
//   0               1               2               3
//   +-----------------------------------------------+
//   | magic: byte order, resolution, variant        |  header, 24 bytes
//   | major version         | minor version         |
//   | reserved                                      |
//   | reserved                                      |
//   | snap length                                   |
//   | FCS length, link type                         |
//   +-----------------------------------------------+
//   | seconds                                       |  record, 16 bytes (Kuznetzov's: 24), and the frame
//   | micro- or nanoseconds                         |
//   | captured length                               |
//   | original length                               |
//   +-----------------------------------------------+
//
// Which headers and records make sense is what libpcap takes them for (sf-pcap.c); the tests compare both.
#include "pcap_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "erf_time.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kHeaderSize = 24;
constexpr std::size_t kRecordSize = 16;
constexpr std::size_t kKuznetzovRecordSize = 24;
constexpr std::uint32_t kNanoseconds = 0xA1B23C4D;
constexpr std::uint32_t kKuznetzov = 0xA1B2CD34;

/// No frame of this link type is longer: more is damage. The snap length says nothing, since captures are found whose frames
/// are longer than the one they name.
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

std::string PcapReader::open() {
  constexpr std::uint8_t kFirstOfBigEndian = 0xA1;
  constexpr std::uint32_t kLinkTypeBits = 0x03FFFFFF;
  const Bytes header = stream().peek(kHeaderSize);
  if (header.size() < kHeaderSize) return "its pcap header is cut";
  numbers_ = FileNumbers(header[0] == kFirstOfBigEndian);
  const std::uint32_t magic = numbers_.u32(header, 0);
  std::string problem = read_version(numbers_.u16(header, 4), numbers_.u16(header, 6));
  if (!problem.empty()) return problem;
  link_type_ = link_type_of(numbers_.u32(header, 20) & kLinkTypeBits);
  longest_frame_ = longest_frame(link_type_);
  const bool nanoseconds = magic == kNanoseconds;
  record_size_ = magic == kKuznetzov ? kKuznetzovRecordSize : kRecordSize;
  nanoseconds_per_tick_ = nanoseconds ? 1 : 1'000;
  info().format = nanoseconds ? "pcap (nanoseconds)" : magic == kKuznetzov ? "pcap (modified)" : "pcap";
  const bool in_nanoseconds = nanoseconds || link_type_ == link_type::kErf;  // see erf_time()
  info().interfaces.push_back({.name = {},
                               .description = {},
                               .link_type = link_type_,
                               .snap_length = numbers_.u32(header, 16),
                               .ticks_per_second = in_nanoseconds ? 1'000'000'000U : 1'000'000U,
                               .dropped = {}});
  stream().consume(kHeaderSize);
  return {};
}

/// Old programs wrote the two lengths of a record the other way round. A clause that tells what is wrong, or nothing.
std::string PcapReader::read_version(unsigned major, unsigned minor) {
  constexpr unsigned kMajor = 2;
  constexpr unsigned kMinor = 4;
  constexpr unsigned kDgUx = 543;
  const bool dg_ux = major == kDgUx && minor == 0;
  if (!dg_ux && (major != kMajor || minor > kMinor)) {
    return fmt::format("version {}.{} of pcap, of which only version 2 is known", major, minor);
  }
  if (minor < 3) lengths_ = Lengths::kSwapped;
  if (minor == 3) lengths_ = Lengths::kMaybeSwapped;
  return {};
}

bool PcapReader::next(Frame& frame) {
  if (ended_) return false;
  stream().consume(held_);
  held_ = 0;
  const std::uint64_t offset = stream().offset();
  Bytes bytes = stream().peek(record_size_);
  if (bytes.size() < record_size_) {
    bytes.empty() ? end() : end_cut(offset);
    return false;
  }
  std::uint32_t captured_length = numbers_.u32(bytes, 8);
  std::uint32_t original_length = numbers_.u32(bytes, 12);
  if (lengths_ == Lengths::kSwapped || (lengths_ == Lengths::kMaybeSwapped && captured_length > original_length)) {
    std::swap(captured_length, original_length);
  }
  if (captured_length > longest_frame_) {
    end_damaged(offset, fmt::format("a captured length of {} bytes", captured_length));
    return false;
  }
  const std::size_t size = record_size_ + captured_length;
  bytes = stream().peek(size);
  if (bytes.size() < size) {
    end_cut(offset);
    return false;
  }
  held_ = size;
  ++frames_;
  frame.data = bytes.subspan(record_size_, captured_length);
  frame.original_length = original_length;
  frame.link_type = link_type_;
  // Unsigned, so that seconds last until 2106.
  const auto seconds = static_cast<std::int64_t>(numbers_.u32(bytes, 0));
  const auto fraction = static_cast<std::int64_t>(numbers_.u32(bytes, 4));
  frame.timestamp = seconds * 1'000'000'000 + fraction * nanoseconds_per_tick_;
  const bool erf = frame.link_type == link_type::kErf && frame.data.size() >= kErfTimeSize;
  if (erf) frame.timestamp = erf_time(frame.data.data());
  frame.interface_id = 0;
  return true;
}

Result<std::unique_ptr<CaptureReader>> make_pcap_reader(std::unique_ptr<ByteStream> stream, CaptureInfo& info) {
  auto reader = std::make_unique<PcapReader>(std::move(stream), info);
  std::string problem = reader->open();
  if (!problem.empty()) return Error{std::move(problem)};
  return std::unique_ptr<CaptureReader>(std::move(reader));
}

}  // namespace rocescope
