// pcap and pcapng put together byte by byte, as their specifications have them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "capture_files.hpp"

namespace rocescope::testing {

/// Appends numbers in one byte order.
class ByteWriter {
 public:
  explicit ByteWriter(bool big_endian = false) : big_endian_(big_endian) {}

  ByteWriter& u16(std::uint64_t value) { return number(value, 2); }
  ByteWriter& u32(std::uint64_t value) { return number(value, 4); }
  ByteWriter& u64(std::uint64_t value) { return number(value, 8); }
  ByteWriter& raw(const ByteVector& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return *this;
  }
  /// Zero bytes up to a multiple of 4.
  ByteWriter& pad() {
    bytes.resize((bytes.size() + 3) / 4 * 4);
    return *this;
  }

  ByteVector bytes;

 private:
  ByteWriter& number(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      const unsigned shift = 8 * (big_endian_ ? size - 1 - i : i);
      bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    }
    return *this;
  }

  bool big_endian_;
};

inline ByteVector join(const std::vector<ByteVector>& parts) {
  ByteWriter all;
  for (const ByteVector& part : parts) all.raw(part);
  return all.bytes;
}

/// Makes parts of pcap files.
struct PcapBytes {
  bool big_endian = false;

  [[nodiscard]] ByteVector header(std::uint32_t link_type = 1, std::uint32_t snap_length = 65535,
                                  std::uint32_t magic = 0xA1B2C3D4) const {
    return ByteWriter(big_endian).u32(magic).u16(2).u16(4).u32(0).u32(0).u32(snap_length).u32(link_type).bytes;
  }
  [[nodiscard]] ByteVector record(std::uint32_t seconds, std::uint32_t fraction, const ByteVector& data,
                                  std::uint32_t original_length = 0) const {
    const std::uint64_t length = original_length != 0 ? original_length : data.size();
    return ByteWriter(big_endian).u32(seconds).u32(fraction).u32(data.size()).u32(length).raw(data).bytes;
  }
};

/// Makes blocks of pcapng files.
struct PcapngBytes {
  bool big_endian = false;

  [[nodiscard]] ByteWriter writer() const { return ByteWriter(big_endian); }
  [[nodiscard]] ByteVector option(std::uint16_t code, const ByteVector& value) const {
    return writer().u16(code).u16(value.size()).raw(value).pad().bytes;
  }
  [[nodiscard]] ByteVector block(std::uint32_t type, const ByteVector& body) const {
    const std::uint64_t length = (body.size() + 3) / 4 * 4 + 12;
    return writer().u32(type).u32(length).raw(body).pad().u32(length).bytes;
  }
  [[nodiscard]] ByteVector section(std::uint16_t major = 1, const ByteVector& options = {}) const {
    return block(0x0A0D0D0A, writer().u32(0x1A2B3C4D).u16(major).u16(0).u64(~std::uint64_t{0}).raw(options).bytes);
  }
  [[nodiscard]] ByteVector interface(std::uint16_t link_type = 1, std::uint32_t snap_length = 0,
                                     const ByteVector& options = {}) const {
    return block(1, writer().u16(link_type).u16(0).u32(snap_length).raw(options).bytes);
  }
  [[nodiscard]] ByteVector enhanced(std::uint32_t interface, std::uint64_t ticks, const ByteVector& data,
                                    const ByteVector& options = {}) const {
    ByteWriter body = writer();
    body.u32(interface).u32(ticks >> 32).u32(ticks).u32(data.size()).u32(data.size()).raw(data).pad().raw(options);
    return block(6, body.bytes);
  }
  [[nodiscard]] ByteVector simple(const ByteVector& data, std::uint32_t original_length) const {
    return block(3, writer().u32(original_length).raw(data).bytes);
  }
  [[nodiscard]] ByteVector obsolete(std::uint16_t interface, std::uint64_t ticks, const ByteVector& data) const {
    ByteWriter body = writer();
    body.u16(interface).u16(0xFFFF).u32(ticks >> 32).u32(ticks).u32(data.size()).u32(data.size()).raw(data);
    return block(2, body.bytes);
  }
  [[nodiscard]] ByteVector statistics(std::uint32_t interface, const ByteVector& options) const {
    return block(5, writer().u32(interface).u64(0).raw(options).bytes);
  }
};

/// An Ethernet frame of `size` bytes (14 or more) of the experimental EtherType 0x88B5, each byte after it `fill`.
inline ByteVector some_frame(std::size_t size = 60, std::uint8_t fill = 0x5A) {
  ByteVector frame(size, fill);
  const ByteVector header = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x88, 0xB5};
  std::copy(header.begin(), header.end(), frame.begin());
  return frame;
}

}  // namespace rocescope::testing
