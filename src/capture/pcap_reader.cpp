// pcap files, read by libpcap (www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html).
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
#include <pcap/pcap.h>
#include <stdio_ext.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

#include "capture_reader.hpp"
#include "erf_time.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kHeaderSize = 24;
constexpr std::size_t kSnapLengthOffset = 16;

struct FileHeader {
  bool nanoseconds = false;
  std::size_t record_header_size = 16;
  std::uint32_t snap_length = 0;
  std::uint32_t link_type = 0;
};

/// `bytes`: the header, whose magic number is one that format_of() knows.
FileHeader parse_header(Bytes bytes) {
  constexpr std::uint32_t kNanoseconds = 0xA1B23C4D;
  constexpr std::uint32_t kKuznetzov = 0xA1B2CD34;
  constexpr std::uint32_t kLinkTypeBits = 0x03FFFFFF;
  const bool little = bytes[3] == 0xA1;
  const auto number = [&](std::size_t at) {
    return static_cast<std::uint32_t>(little ? load_little_endian(bytes.data() + at, 4)
                                             : load_bits(bytes.data() + at, 0, 32));
  };
  FileHeader header;
  header.nanoseconds = number(0) == kNanoseconds;
  if (number(0) == kKuznetzov) header.record_header_size = 24;
  header.snap_length = number(kSnapLengthOffset);
  header.link_type = link_type_of(number(20) & kLinkTypeBits);
  return header;
}

class PcapReader final : public CaptureReader {
 public:
  PcapReader(std::unique_ptr<ByteStream> stream, CaptureInfo& info, std::size_t buffer_size)
      : CaptureReader(std::move(stream), info), file_buffer_(buffer_size) {}
  ~PcapReader() override {
    if (pcap_ != nullptr) pcap_close(pcap_);
  }

  /// A clause that tells why not; empty when all is well.
  [[nodiscard]] std::string open();
  [[nodiscard]] bool next(Frame& frame) override;

 private:
  static ssize_t read_cookie(void* cookie, char* into, std::size_t size);

  std::array<std::uint8_t, kHeaderSize> header_bytes_{};
  std::size_t header_bytes_given_ = 0;
  std::vector<char> file_buffer_;
  FileHeader header_;
  pcap_t* pcap_ = nullptr;
  std::uint64_t offset_ = kHeaderSize;
};

std::string PcapReader::open() {
  const Bytes first = stream().peek(kHeaderSize);
  if (first.size() < kHeaderSize) return "its pcap header is cut";
  std::copy_n(first.begin(), kHeaderSize, header_bytes_.begin());
  header_ = parse_header(header_bytes_);
  stream().consume(kHeaderSize);
  // Captures are found whose frames are longer than the snap length they name. libpcap would cut those; told of none,
  // it applies its own limit only.
  std::fill_n(header_bytes_.begin() + kSnapLengthOffset, 4, std::uint8_t{0});

  std::FILE* file = fopencookie(this, "r", {read_cookie, nullptr, nullptr, nullptr});
  if (file == nullptr) return "there is no memory to read it";
  std::setvbuf(file, file_buffer_.data(), _IOFBF, file_buffer_.size());
  __fsetlocking(file, FSETLOCKING_BYCALLER);  // one thread reads it
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  const u_int precision = header_.nanoseconds ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO;
  pcap_ = pcap_fopen_offline_with_tstamp_precision(file, precision, error.data());
  if (pcap_ == nullptr) {
    std::fclose(file);
    return std::string("libpcap says: ") + error.data();
  }
  info().format = header_.nanoseconds ? "pcap (nanoseconds)" : "pcap";
  if (header_.record_header_size != 16) info().format = "pcap (modified)";
  const bool nanoseconds = header_.nanoseconds || header_.link_type == link_type::kErf;  // see erf_time()
  info().interfaces.push_back({.name = {},
                               .description = {},
                               .link_type = header_.link_type,
                               .snap_length = header_.snap_length,
                               .ticks_per_second = nanoseconds ? 1'000'000'000U : 1'000'000U,
                               .dropped = {}});
  return {};
}

ssize_t PcapReader::read_cookie(void* cookie, char* into, std::size_t size) {
  auto& self = *static_cast<PcapReader*>(cookie);
  const std::size_t left = kHeaderSize - self.header_bytes_given_;
  if (left > 0) {
    const std::size_t count = std::min(size, left);
    std::memcpy(into, self.header_bytes_.data() + self.header_bytes_given_, count);
    self.header_bytes_given_ += count;
    return static_cast<ssize_t>(count);
  }
  return static_cast<ssize_t>(self.stream().read({reinterpret_cast<std::uint8_t*>(into), size}));
}

bool PcapReader::next(Frame& frame) {
  if (ended_) return false;
  pcap_pkthdr* record = nullptr;
  const u_char* data = nullptr;
  const int result = pcap_next_ex(pcap_, &record, &data);
  if (result != 1) {
    if (result != PCAP_ERROR) {
      end();
    } else if (stream().ended()) {
      end_cut(offset_);
    } else {
      end_damaged(offset_, pcap_geterr(pcap_));
    }
    return false;
  }
  ++frames_;
  offset_ += header_.record_header_size + record->caplen;
  // The file's numbers are unsigned (seconds last until 2106); libpcap takes them for signed ones.
  const std::int64_t seconds = static_cast<std::uint32_t>(record->ts.tv_sec);
  const std::int64_t fraction = static_cast<std::uint32_t>(record->ts.tv_usec);
  frame.data = {data, record->caplen};
  frame.original_length = record->len;
  frame.link_type = header_.link_type;
  frame.timestamp = seconds * 1'000'000'000 + fraction * (header_.nanoseconds ? 1 : 1'000);
  if (frame.link_type == link_type::kErf && frame.data.size() >= kErfTimeSize) frame.timestamp = erf_time(data);
  frame.interface_id = 0;
  return true;
}

}  // namespace

Result<std::unique_ptr<CaptureReader>> make_pcap_reader(std::unique_ptr<ByteStream> stream, CaptureInfo& info,
                                                        std::size_t buffer_size) {
  auto reader = std::make_unique<PcapReader>(std::move(stream), info, buffer_size);
  std::string problem = reader->open();
  if (!problem.empty()) return Error{std::move(problem)};
  return std::unique_ptr<CaptureReader>(std::move(reader));
}

}  // namespace rocescope
