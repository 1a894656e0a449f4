// pcap files read by libpcap, which knows every kind.
#pragma once

#include <pcap/pcap.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "capture/capture_reader.hpp"
#include "capture/pcap_header.hpp"

namespace rocescope {

class LibpcapReader final : public CaptureReader {
 public:
  /// `stream` begins with a whole PcapHeader. The error is a clause: `libpcap says: ...`.
  [[nodiscard]] static Result<std::unique_ptr<CaptureReader>> open(std::unique_ptr<ByteStream> stream,
                                                                   CaptureInfo& info);
  ~LibpcapReader() override {
    if (pcap_ != nullptr) pcap_close(pcap_);
  }

  [[nodiscard]] bool next(Frame& frame) override;

 private:
  LibpcapReader(std::unique_ptr<ByteStream> stream, CaptureInfo& info);
  [[nodiscard]] std::string open_pcap();
  static ssize_t read_cookie(void* cookie, char* into, std::size_t size);

  std::array<std::uint8_t, PcapHeader::kSize> header_bytes_{};
  std::size_t header_bytes_given_ = 0;
  PcapHeader header_;
  std::vector<char> file_buffer_;
  pcap_t* pcap_ = nullptr;
  std::uint64_t offset_ = PcapHeader::kSize;
};

}  // namespace rocescope
