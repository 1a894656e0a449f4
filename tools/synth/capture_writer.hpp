// A capture file that is written in large pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "synth/options.hpp"

namespace rocescope::synth {

/// Frames are made where they are written from. Errors are thrown, as std::system_error.
class CaptureWriter {
 public:
  static constexpr std::size_t kLargestFrame = 65'535;  // bytes

  /// Creates `path`, or empties it; `-` is standard output.
  CaptureWriter(const std::string& path, Format format, std::uint32_t snap_length);
  ~CaptureWriter();
  CaptureWriter(const CaptureWriter&) = delete;
  CaptureWriter& operator=(const CaptureWriter&) = delete;

  /// Where the next frame is to be made: there is room for kLargestFrame.
  [[nodiscard]] std::uint8_t* frame() noexcept;
  /// Ends the frame of `size` bytes; keeps those within the snap length.
  void end_frame(std::size_t size, std::uint64_t time_ns);
  /// Writes out the rest.
  void close();

 private:
  void write_file_header();
  void write_out();

  int descriptor_;
  std::string path_;
  Format format_;
  std::uint32_t snap_length_;
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t used_ = 0;
};

}  // namespace rocescope::synth
