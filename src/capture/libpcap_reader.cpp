#include "capture/libpcap_reader.hpp"

#include <stdio_ext.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "capture/erf_time.hpp"

namespace rocescope {

LibpcapReader::LibpcapReader(std::unique_ptr<ByteStream> from, CaptureInfo& info)
    : CaptureReader(std::move(from), info), header_(stream().peek(PcapHeader::kSize)), file_buffer_(BUFSIZ) {
  const Bytes bytes = stream().buffered();
  std::copy_n(bytes.begin(), PcapHeader::kSize, header_bytes_.begin());
  stream().consume(PcapHeader::kSize);
}

Result<std::unique_ptr<CaptureReader>> LibpcapReader::open(std::unique_ptr<ByteStream> stream, CaptureInfo& info) {
  std::unique_ptr<LibpcapReader> reader(new LibpcapReader(std::move(stream), info));
  std::string problem = reader->open_pcap();
  if (!problem.empty()) return Error{std::move(problem)};
  reader->header_.describe(info);
  return std::unique_ptr<CaptureReader>(std::move(reader));
}

/// A clause that says what is wrong; empty if nothing is.
std::string LibpcapReader::open_pcap() {
  // Some captures have frames longer than their snap length, which libpcap would cut. Without a snap length it applies
  // its own limit only.
  std::fill_n(header_bytes_.begin() + PcapHeader::kSnapLengthOffset, 4, std::uint8_t{0});
  std::FILE* file = fopencookie(this, "r", {read_cookie, nullptr, nullptr, nullptr});
  if (file == nullptr) return "there is no memory to read it";
  std::setvbuf(file, file_buffer_.data(), _IOFBF, file_buffer_.size());
  __fsetlocking(file, FSETLOCKING_BYCALLER);  // one thread reads it
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  const u_int precision = header_.nanoseconds ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO;
  pcap_ = pcap_fopen_offline_with_tstamp_precision(file, precision, error.data());
  if (pcap_ != nullptr) return {};
  std::fclose(file);
  return std::string("libpcap says: ") + error.data();
}

ssize_t LibpcapReader::read_cookie(void* cookie, char* into, std::size_t size) {
  auto& self = *static_cast<LibpcapReader*>(cookie);
  const std::size_t left = PcapHeader::kSize - self.header_bytes_given_;
  if (left > 0) {
    const std::size_t count = std::min(size, left);
    std::memcpy(into, self.header_bytes_.data() + self.header_bytes_given_, count);
    self.header_bytes_given_ += count;
    return static_cast<ssize_t>(count);
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  return static_cast<ssize_t>(self.stream().read({reinterpret_cast<std::uint8_t*>(into), size}));
}

bool LibpcapReader::next(Frame& frame) {
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
  constexpr std::size_t kRecordSize = 16;
  constexpr std::size_t kModifiedRecordSize = 24;
  ++frames_;
  offset_ += (header_.modified ? kModifiedRecordSize : kRecordSize) + record->caplen;
  // The file's numbers are unsigned (seconds last until 2106); libpcap reads them as signed.
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

}  // namespace rocescope
