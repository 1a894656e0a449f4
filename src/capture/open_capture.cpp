// Captures by content: decompression, format, and several captures as one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "capture_reader.hpp"
#include "content.hpp"
#include "decompressor.hpp"
#include "file_source.hpp"
#include "merged_capture.hpp"

namespace rocescope {
namespace {

Error cannot_read(const std::string& path, std::string_view why) {
  return {fmt::format("cannot read {}: {}", path == "-" ? "standard input" : path, why)};
}

/// Why a stream of neither format is of no use.
Error not_a_capture(const std::string& path, ByteStream& stream) {
  const bool empty = stream.peek(1).empty();
  const std::string_view compression = stream.compression();
  if (empty && !stream.damage().empty()) return cannot_read(path, stream.damage());
  if (empty && compression.empty()) return cannot_read(path, "it is empty");
  if (empty) return cannot_read(path, fmt::format("the {} data holds nothing", compression));
  const std::string what = describe_unknown(stream, path);
  if (!stream.damage().empty()) return cannot_read(path, fmt::format("{}; {}", stream.damage(), what));
  if (compression.empty()) return cannot_read(path, what);
  return cannot_read(path, fmt::format("inside its {} data, {}", compression, what));
}

Result<std::unique_ptr<CaptureReader>> open_reader(const std::string& path, std::size_t buffer_size,
                                                   CaptureInfo& info) {
  info.path = path;
  Result<std::unique_ptr<ByteSource>> source = FileSource::open(path);
  if (!source) return source.error();
  auto stream = std::make_unique<ByteStream>(std::move(*source), buffer_size);
  const Compression compression = compression_of(*stream);
  if (compression != Compression::kNone) {
    std::unique_ptr<Codec> codec = make_codec(compression);
    if (codec == nullptr) return cannot_read(path, "there is no memory to decompress it");
    stream = std::make_unique<ByteStream>(
        std::make_unique<Decompressor>(std::move(stream), compression, std::move(codec)), buffer_size);
  }
  const Format format = format_of(*stream);
  if (format == Format::kUnknown) return not_a_capture(path, *stream);
  Result<std::unique_ptr<CaptureReader>> reader =
      format == Format::kPcap ? make_pcap_reader(std::move(stream), info) : make_pcapng_reader(std::move(stream), info);
  if (!reader) return cannot_read(path, reader.error().message);
  if (compression != Compression::kNone) info.format += fmt::format(" in {}", name_of(compression));
  return reader;
}

/// Bytes to read at once from each of `captures`: many captures must not fill the memory with buffers.
std::size_t buffer_size_for(std::size_t captures) {
  constexpr std::size_t kOne = std::size_t{1} << 20;  // fits the caches, and few system calls
  constexpr std::size_t kSmallest = std::size_t{16} << 10;
  constexpr std::size_t kAll = std::size_t{64} << 20;
  return std::clamp(kAll / captures, kSmallest, kOne);
}

}  // namespace

Result<std::unique_ptr<FrameSource>> open_capture(const std::string& path) { return open_captures({&path, 1}); }

Result<std::unique_ptr<FrameSource>> open_captures(std::span<const std::string> paths) {
  if (paths.empty()) return Error{"cannot read anything: no capture is named"};
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    return Error{"cannot read standard input twice: name - only once"};
  }
  make_room_for_files(paths.size());
  std::vector<CaptureInfo> info(paths.size());  // the readers keep references into it
  std::vector<std::unique_ptr<CaptureReader>> readers;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Result<std::unique_ptr<CaptureReader>> reader = open_reader(paths[i], buffer_size_for(paths.size()), info[i]);
    if (!reader) return reader.error();
    readers.push_back(std::move(*reader));
  }
  if (readers.size() == 1) {
    return std::unique_ptr<FrameSource>(std::make_unique<SingleCapture>(std::move(info), std::move(readers[0])));
  }
  return std::unique_ptr<FrameSource>(std::make_unique<MergedCapture>(std::move(info), std::move(readers)));
}

}  // namespace rocescope
