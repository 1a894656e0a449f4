#include "capture/pcapng_writer.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "capture/pcapng_block.hpp"

namespace rocescope {
namespace {

constexpr std::uint64_t kNanoseconds = 1'000'000'000;

/// Appends one block to a string: numbers least significant byte first, in the order of the specification.
class BlockBuilder {
 public:
  BlockBuilder(std::uint32_t type, std::string& out) : out_(out), start_(out.size()) {
    u32(type);
    u32(0);  // the length is filled in later
  }
  ~BlockBuilder() {
    const std::size_t length = out_.size() + sizeof(std::uint32_t) - start_;
    u32(static_cast<std::uint32_t>(length));
    std::copy(out_.end() - 4, out_.end(), out_.begin() + static_cast<std::ptrdiff_t>(start_) + 4);
  }
  BlockBuilder(const BlockBuilder&) = delete;
  BlockBuilder& operator=(const BlockBuilder&) = delete;

  void u16(std::uint16_t value) { number(value, 2); }
  void u32(std::uint32_t value) { number(value, 4); }
  void u64(std::uint64_t value) { number(value, 8); }
  void time(std::uint64_t ticks) {
    u32(static_cast<std::uint32_t>(ticks >> 32));
    u32(static_cast<std::uint32_t>(ticks));
  }
  void bytes(std::string_view value) {
    out_ += value;
    out_.append(static_cast<std::size_t>(padded_to_32_bits(value.size()) - value.size()), '\0');
  }
  void bytes(Bytes value) { bytes({reinterpret_cast<const char*>(value.data()), value.size()}); }

  void option(std::uint16_t code, std::string_view value) {
    value = value.substr(0, std::numeric_limits<std::uint16_t>::max());
    u16(code);
    u16(static_cast<std::uint16_t>(value.size()));
    bytes(value);
    has_options_ = true;
  }
  /// An option that is left out when it is empty.
  void text(std::uint16_t code, std::string_view value) {
    if (!value.empty()) option(code, value);
  }
  void count(std::uint16_t code, std::uint64_t value) {
    u16(code);
    u16(sizeof value);
    u64(value);
    has_options_ = true;
  }
  void end_options() {
    if (has_options_) u32(option_code::kEnd);
  }

 private:
  void number(std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out_ += static_cast<char>(value >> (8 * i));
  }

  std::string& out_;
  std::size_t start_;
  bool has_options_ = false;
};

/// The exponent n of the resolution of the times: 10^-n seconds.
std::uint8_t resolution_of(const CaptureInterface& interface) {
  constexpr std::uint8_t kFinest = 9;
  // An ERF record has a time of its own, finer than that of the file.
  if (interface.link_type == link_type::kErf) return kFinest;
  std::uint64_t ticks = 1;
  for (std::uint8_t n = 0; n < kFinest; ++n, ticks *= 10) {
    if (interface.ticks_per_second == ticks) return n;
  }
  return kFinest;
}

std::uint64_t ticks_of(std::int64_t nanoseconds, std::uint64_t nanoseconds_per_tick) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0)) / nanoseconds_per_tick;
}

}  // namespace

Result<std::unique_ptr<PcapngWriter>> PcapngWriter::create(const std::string& path, const PcapngSection& section,
                                                           std::span<const std::string> inputs) {
  Result<std::unique_ptr<CaptureFile>> file = CaptureFile::create(path, inputs);
  if (!file) return file.error();
  std::unique_ptr<PcapngWriter> writer(new PcapngWriter(std::move(*file)));
  // Written at once, so that a full disk is reported before any work is done.
  if (!writer->write_section(section) || !writer->flush()) return *writer->error();
  return writer;
}

bool PcapngWriter::write_section(const PcapngSection& section) {
  constexpr std::uint64_t kUnknownLength = std::numeric_limits<std::uint64_t>::max();
  {
    BlockBuilder block(block_type::kSectionHeader, file_->text());
    block.u32(kByteOrderMagic);
    block.u16(1);
    block.u16(0);
    block.u64(kUnknownLength);
    block.text(option_code::kComment, section.comment);
    block.text(option_code::kApplication, section.application);
    block.end_options();
  }
  return file_->end_record(false);
}

bool PcapngWriter::add_interface(const CaptureInterface& interface) {
  const std::uint8_t resolution = resolution_of(interface);
  {
    BlockBuilder block(block_type::kInterfaceDescription, file_->text());
    block.u16(static_cast<std::uint16_t>(interface.link_type));
    block.u16(0);
    block.u32(interface.snap_length);
    block.text(option_code::kInterfaceName, interface.name);
    block.text(option_code::kInterfaceDescription, interface.description);
    block.option(option_code::kTimeResolution, {reinterpret_cast<const char*>(&resolution), 1});
    if (!interface.filter.empty()) block.option(option_code::kInterfaceFilter, std::string(1, '\0') + interface.filter);
    block.text(option_code::kInterfaceOs, interface.os);
    block.end_options();
  }
  std::uint64_t nanoseconds_per_tick = kNanoseconds;
  for (std::uint8_t n = 0; n < resolution; ++n) nanoseconds_per_tick /= 10;
  interfaces_.push_back({nanoseconds_per_tick, interface.dropped, {}});
  return file_->end_record(false);
}

bool PcapngWriter::write(const Frame& frame, std::uint32_t interface, std::span<const std::string> comments) {
  if (error()) return false;
  {
    BlockBuilder block(block_type::kEnhancedPacket, file_->text());
    block.u32(interface);
    block.time(ticks_of(frame.timestamp, interfaces_[interface].nanoseconds_per_tick));
    block.u32(static_cast<std::uint32_t>(frame.data.size()));
    block.u32(frame.original_length);
    block.bytes(frame.data);
    for (const std::string& comment : comments) block.text(option_code::kComment, comment);
    block.end_options();
  }
  last_time_ = std::max(last_time_, frame.timestamp);
  return file_->end_record(true);
}

bool PcapngWriter::finish() {
  for (std::uint32_t i = 0; i < interfaces(); ++i) {
    if (interfaces_[i].dropped && !write_statistics(i)) return false;
  }
  return file_->close();
}

/// The time is that of the last packet, since the capture may be old.
bool PcapngWriter::write_statistics(std::uint32_t interface) {
  {
    BlockBuilder block(block_type::kInterfaceStatistics, file_->text());
    block.u32(interface);
    block.time(ticks_of(last_time_, interfaces_[interface].nanoseconds_per_tick));
    if (interfaces_[interface].received) {
      block.count(option_code::kReceivedByInterface, *interfaces_[interface].received);
    }
    block.count(option_code::kDroppedByInterface, *interfaces_[interface].dropped);
    block.end_options();
  }
  return file_->end_record(false);
}

}  // namespace rocescope
