// pcap files (www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "capture_reader.hpp"
#include "file_numbers.hpp"

namespace rocescope {

class PcapReader final : public CaptureReader {
 public:
  using CaptureReader::CaptureReader;

  /// Reads the header of the file, whose magic number is one that format_of() knows. A clause that tells why not; empty
  /// when all is well.
  [[nodiscard]] std::string open();
  [[nodiscard]] bool next(Frame& frame) override;

 private:
  /// Where a record has its captured length.
  enum class Lengths : std::uint8_t {
    kCapturedFirst,
    kSwapped,
    kMaybeSwapped,  ///< the smaller one is it
  };

  std::string read_version(unsigned major, unsigned minor);

  FileNumbers numbers_;
  Lengths lengths_ = Lengths::kCapturedFirst;
  std::size_t record_size_ = 0;  ///< bytes before the frame
  std::uint32_t link_type_ = 0;
  std::uint32_t longest_frame_ = 0;  ///< bytes; more is damage
  std::int64_t nanoseconds_per_tick_ = 1;
  std::size_t held_ = 0;  ///< bytes of the record that was read last and is still in the stream
};

}  // namespace rocescope
