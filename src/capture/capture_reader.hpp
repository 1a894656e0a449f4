// A reader of one capture in one format.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "capture/byte_stream.hpp"
#include "rocescope/capture.hpp"

namespace rocescope {

/// Returns the frames of a stream and describes the stream in a CaptureInfo, which outlives the reader.
class CaptureReader {
 public:
  CaptureReader(std::unique_ptr<ByteStream> stream, CaptureInfo& info) : stream_(std::move(stream)), info_(info) {}
  CaptureReader(const CaptureReader&) = delete;
  CaptureReader& operator=(const CaptureReader&) = delete;
  virtual ~CaptureReader() = default;

  /// Like FrameSource::next(), but does not set number and capture_id.
  [[nodiscard]] virtual bool next(Frame& frame) = 0;
  /// Like FrameSource::next_buffered() of a source with this capture alone.
  [[nodiscard]] virtual std::size_t next_buffered(std::span<Frame> frames, const BufferedFrames& wanted) {
    static_cast<void>(frames);
    static_cast<void>(wanted);
    return 0;
  }
  /// Like FrameSource::hold().
  [[nodiscard]] virtual std::shared_ptr<const void> hold() const { return nullptr; }
  /// Frames so far, also those that a sieve left out.
  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
  /// Like FrameSource::comments().
  [[nodiscard]] virtual std::span<const std::string> comments() const { return {}; }

 protected:
  /// The stream ended between two records.
  void end();
  /// The stream ended within the record at byte `offset`.
  void end_cut(std::uint64_t offset);
  /// The record at byte `offset` is damaged, so the next one cannot be found; `why` is a clause.
  void end_damaged(std::uint64_t offset, std::string_view why);
  /// `byte 7312`, or `byte 7312 of the decompressed data`.
  [[nodiscard]] std::string place(std::uint64_t offset) const;

  [[nodiscard]] ByteStream& stream() { return *stream_; }
  [[nodiscard]] const ByteStream& stream() const { return *stream_; }
  [[nodiscard]] CaptureInfo& info() { return info_; }

  std::uint64_t frames_ = 0;  ///< frames()
  bool ended_ = false;        ///< nothing follows; set by the end functions

 private:
  [[nodiscard]] std::string kept() const;

  std::unique_ptr<ByteStream> stream_;
  CaptureInfo& info_;
};

/// A reader of pcap files: this project reads the usual kinds, libpcap the others. The error is a clause: `its pcap header is
/// cut`.
[[nodiscard]] Result<std::unique_ptr<CaptureReader>> make_pcap_reader(std::unique_ptr<ByteStream> stream,
                                                                      CaptureInfo& info);

/// A reader of pcapng files. The error is a clause.
[[nodiscard]] Result<std::unique_ptr<CaptureReader>> make_pcapng_reader(std::unique_ptr<ByteStream> stream,
                                                                        CaptureInfo& info);

/// The link type of Frame for the number in a file: some systems wrote their own number for raw IP.
[[nodiscard]] constexpr std::uint32_t link_type_of(std::uint32_t file_value) noexcept {
  constexpr std::uint32_t kRawHere = 12;
  constexpr std::uint32_t kRawOnOpenBsd = 14;
  return file_value == kRawHere || file_value == kRawOnOpenBsd ? link_type::kRaw : file_value;
}

}  // namespace rocescope
