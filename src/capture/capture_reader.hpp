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

/// Gives the frames of a stream and tells of the stream in a CaptureInfo, which outlives it.
class CaptureReader {
 public:
  CaptureReader(std::unique_ptr<ByteStream> stream, CaptureInfo& info) : stream_(std::move(stream)), info_(info) {}
  CaptureReader(const CaptureReader&) = delete;
  CaptureReader& operator=(const CaptureReader&) = delete;
  virtual ~CaptureReader() = default;

  /// As FrameSource::next(), but leaves number and capture_id alone.
  [[nodiscard]] virtual bool next(Frame& frame) = 0;
  /// As FrameSource::comments().
  [[nodiscard]] virtual std::span<const std::string> comments() const { return {}; }

 protected:
  /// The stream ended between two records.
  void end();
  /// The stream ended within the record at byte `offset`.
  void end_cut(std::uint64_t offset);
  /// The record at byte `offset` cannot be, and neither what follows be found; `why` is a clause.
  void end_damaged(std::uint64_t offset, std::string_view why);
  /// `byte 7312`, or `byte 7312 of the decompressed data`.
  [[nodiscard]] std::string place(std::uint64_t offset) const;

  [[nodiscard]] ByteStream& stream() { return *stream_; }
  [[nodiscard]] CaptureInfo& info() { return info_; }

  std::uint64_t frames_ = 0;  ///< given so far
  bool ended_ = false;        ///< nothing follows; set by the end functions

 private:
  [[nodiscard]] std::string kept() const;

  std::unique_ptr<ByteStream> stream_;
  CaptureInfo& info_;
};

/// A pcap file: of the usual kind read by us, of others by libpcap. The error is a clause: `its pcap header is cut`.
[[nodiscard]] Result<std::unique_ptr<CaptureReader>> make_pcap_reader(std::unique_ptr<ByteStream> stream,
                                                                      CaptureInfo& info);

/// A pcapng file. The error is a clause.
[[nodiscard]] Result<std::unique_ptr<CaptureReader>> make_pcapng_reader(std::unique_ptr<ByteStream> stream,
                                                                        CaptureInfo& info);

/// The name of a link type in a file as Frame has it: some systems wrote their own number for raw IP.
[[nodiscard]] constexpr std::uint32_t link_type_of(std::uint32_t file_value) noexcept {
  constexpr std::uint32_t kRawHere = 12;
  constexpr std::uint32_t kRawOnOpenBsd = 14;
  return file_value == kRawHere || file_value == kRawOnOpenBsd ? link_type::kRaw : file_value;
}

}  // namespace rocescope
