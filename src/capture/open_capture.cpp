// Captures by content: decompression, format, and several captures as one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "capture/capture_reader.hpp"
#include "capture/content.hpp"
#include "capture/continued_capture.hpp"
#include "capture/decompressor.hpp"
#include "capture/file_source.hpp"
#include "capture/merged_capture.hpp"
#include "capture/pcap_header.hpp"
#include "capture/pcapng_block.hpp"
#include "capture/read_ahead.hpp"

namespace rocescope {
namespace {

Error cannot_read(const std::string& path, std::string_view why) {
  return {fmt::format("cannot read {}: {}", path == "-" ? "standard input" : path, why)};
}

/// How a capture is read.
struct Reading {
  std::size_t buffer_size = 0;  ///< bytes
  bool read_ahead = false;      ///< only where reading never waits for a writer
  bool may_be_empty = false;    ///< it is one of several, of this run or others: a file of a ring may have nothing yet
};

constexpr std::string_view kEmpty = "empty";  ///< as a format

/// Of a file in which no packet can be.
class EmptyReader final : public CaptureReader {
 public:
  EmptyReader(std::unique_ptr<ByteStream> stream, CaptureInfo& info, std::string why)
      : CaptureReader(std::move(stream), info) {
    info.format = kEmpty;
    info.warnings.push_back(std::move(why));
  }
  [[nodiscard]] bool next(Frame& /*frame*/) override { return false; }
};

/// Bytes that a capture has before its first packet, at least. Beyond what a writer puts there, a number is damage.
std::size_t header_size(ByteStream& stream, Format format) {
  constexpr std::uint32_t kMost = 65'536;
  if (format != Format::kPcapng) return PcapHeader::kSize;
  const Bytes start = stream.peek(kSectionHeaderStart);
  const auto numbers = start.size() < kSectionHeaderStart ? std::nullopt : section_numbers(start);
  const std::uint32_t length = numbers ? numbers->u32(start, 4) : 0;
  return length > kMost ? kShortestSectionHeader : std::max(length, kShortestSectionHeader);
}

std::string without_bytes(const ByteStream& stream) {
  const std::string_view compression = stream.compression();
  return compression.empty() ? "it is empty" : fmt::format("the {} data holds nothing", compression);
}

/// Why there is no packet in a file that its writer did not come far with; or nothing.
std::string reason_for_none(ByteStream& stream, Format format) {
  const bool is_known = format != Format::kUnknown;
  const std::size_t header = is_known ? header_size(stream, format) : 1;
  const std::size_t size = stream.peek(header).size();
  if (size >= header || (size > 0 && !is_known) || !stream.damage().empty()) return {};
  return size > 0 ? "its header is cut" : without_bytes(stream);
}

/// The error for a stream in an unknown format.
Error not_a_capture(const std::string& path, ByteStream& stream) {
  const bool empty = stream.peek(1).empty();
  const std::string_view compression = stream.compression();
  if (empty && !stream.damage().empty()) return cannot_read(path, stream.damage());
  if (empty) return cannot_read(path, without_bytes(stream));
  const std::string what = describe_unknown(stream, path);
  if (!stream.damage().empty()) return cannot_read(path, fmt::format("{}; {}", stream.damage(), what));
  if (compression.empty()) return cannot_read(path, what);
  return cannot_read(path, fmt::format("inside its {} data, {}", compression, what));
}

/// The content of `compressed`. A thread of its own decompresses a file while the packets are read; a pipe is read without
/// waiting longer than needed.
std::unique_ptr<ByteStream> decompressed(std::unique_ptr<ByteStream> compressed, Compression compression,
                                         std::unique_ptr<Codec> codec, const Reading& how) {
  std::unique_ptr<ByteSource> source =
      std::make_unique<Decompressor>(std::move(compressed), compression, std::move(codec));
  if (how.read_ahead) source = std::make_unique<ReadAhead>(std::move(source), how.buffer_size);
  return std::make_unique<ByteStream>(std::move(source), how.buffer_size);
}

Result<std::unique_ptr<CaptureReader>> open_reader(const std::string& path, Reading how,
                                                   const std::shared_ptr<ReadCount>& read, CaptureInfo& info) {
  info.path = path;
  Result<std::unique_ptr<ByteSource>> source = FileSource::open(path, read);
  if (!source) return source.error();
  how.read_ahead = how.read_ahead && !(*source)->may_wait();
  auto stream = std::make_unique<ByteStream>(std::move(*source), how.buffer_size);
  const Compression compression = compression_of(*stream);
  if (compression != Compression::kNone) {
    std::unique_ptr<Codec> codec = make_codec(compression);
    if (codec == nullptr) return cannot_read(path, "there is no memory to decompress it");
    stream = decompressed(std::move(stream), compression, std::move(codec), how);
  }
  const Format format = format_of(*stream);
  if (how.may_be_empty) {
    if (std::string why = reason_for_none(*stream, format); !why.empty())
      return std::unique_ptr<CaptureReader>(std::make_unique<EmptyReader>(std::move(stream), info, std::move(why)));
  }
  if (format == Format::kUnknown) return not_a_capture(path, *stream);
  Result<std::unique_ptr<CaptureReader>> reader =
      format == Format::kPcap ? make_pcap_reader(std::move(stream), info) : make_pcapng_reader(std::move(stream), info);
  if (!reader) return cannot_read(path, reader.error().message);
  if (compression != Compression::kNone) info.format += fmt::format(" in {}", name_of(compression));
  return reader;
}

/// Why the bytes are read, not mapped: a map kills the program (SIGBUS) if the file is cut meanwhile, as rotated captures
/// are. It would save 5 ns of a packet of 128 bytes and 30 ns of one of 1 KiB whose ICRC is verified, since the kernel copies
/// nothing. It would cost 80 ns of a 1 KiB packet whose payload is not read, since copying also fetches the bytes into the
/// cache. Measured with a file in the page cache, as is the size of a block: blocks of 256 KiB take 17 % less to read than
/// blocks of 1 MiB, where the nearest caches have 2 MiB.
///
/// Many captures must not fill the memory with buffers, nor the machine with threads.
Reading reading_of(std::size_t captures, bool goes_on) {
  constexpr std::size_t kMostThreads = 8;
  constexpr std::size_t kOne = std::size_t{256} << 10;  // fits the nearest caches, and few system calls
  constexpr std::size_t kSmallest = std::size_t{16} << 10;
  constexpr std::size_t kAll = std::size_t{64} << 20;
  return {.buffer_size = std::clamp(kAll / captures, kSmallest, kOne),
          .read_ahead = captures <= kMostThreads,
          .may_be_empty = captures > 1 || goes_on};
}

/// `info` has an element for each, to which the readers keep references. `goes_on`: others are read before or after them.
Result<std::vector<std::unique_ptr<CaptureReader>>> open_readers(std::span<const std::string> paths,
                                                                 const std::shared_ptr<ReadCount>& read,
                                                                 std::span<CaptureInfo> info, bool goes_on) {
  if (paths.empty()) return Error{"cannot read anything: no capture is named"};
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    return Error{"cannot read standard input twice: name - only once"};
  }
  make_room_for_files(paths.size());
  std::vector<std::unique_ptr<CaptureReader>> readers;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Result<std::unique_ptr<CaptureReader>> reader =
        open_reader(paths[i], reading_of(paths.size(), goes_on), read, info[i]);
    if (!reader) return reader.error();
    readers.push_back(std::move(*reader));
  }
  const auto is_empty = [](const CaptureInfo& each) { return each.format == kEmpty; };
  if (!goes_on && std::ranges::all_of(info, is_empty)) return cannot_read(paths.front(), info.front().warnings.front());
  return readers;
}

}  // namespace

Result<std::unique_ptr<FrameSource>> open_capture(const std::string& path) { return open_captures({&path, 1}); }

Result<std::unique_ptr<FrameSource>> open_captures(std::span<const std::string> paths) {
  std::vector<CaptureInfo> info(paths.size());  // the readers keep references into it
  const auto read = std::make_shared<ReadCount>();
  Result<std::vector<std::unique_ptr<CaptureReader>>> readers = open_readers(paths, read, info, false);
  if (!readers) return readers.error();
  if (readers->size() == 1) {
    return std::unique_ptr<FrameSource>(
        std::make_unique<SingleCapture>(std::move(info), std::move(readers->front()), read));
  }
  return std::unique_ptr<FrameSource>(std::make_unique<MergedCapture>(std::move(info), std::move(*readers), read));
}

Result<std::unique_ptr<FrameSource>> continue_captures(std::span<const std::string> paths, CapturesBefore before) {
  std::vector<CaptureInfo> info = std::move(before.captures);
  const std::size_t known = info.size();
  info.resize(known + paths.size());
  const auto read = std::make_shared<ReadCount>();
  auto readers = open_readers(paths, read, std::span(info).subspan(known), true);
  if (!readers) return readers.error();
  auto merged = std::make_unique<MergedCapture>(std::move(info), std::move(*readers), read);
  if (const CaptureInfo* const early = merged->find_earlier(before.latest)) {
    return cannot_read(
        early->path, "it begins before the end of what was read already. Read captures together that overlap in time");
  }
  return std::unique_ptr<FrameSource>(
      std::make_unique<ContinuedCapture>(std::move(merged), std::move(before.rest), before.frames));
}

}  // namespace rocescope
