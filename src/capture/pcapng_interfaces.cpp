// The blocks of a pcapng file that describe what the packets come from.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "capture/pcapng_reader.hpp"

namespace rocescope {
namespace {

constexpr std::size_t kMostInterfaces = 65536;
constexpr std::size_t kLongestName = 1024;

}  // namespace

/// byte-order magic 32, major version 16, minor version 16, section length 64, options
void PcapngReader::read_section(const Block& block) {
  if (!long_enough(block, 16)) return;
  const std::uint16_t major = numbers_.u16(block.body, 4);
  if (major != 1) {
    end_damaged(block.offset, fmt::format("version {} of pcapng; only version 1 is known", major));
    return;
  }
  ++section_;
  first_interface_ = info().interfaces.size();
}

/// link type 16, reserved 16, snap length 32, options
void PcapngReader::read_interface(const Block& block) {
  if (!long_enough(block, 8)) return;
  if (info().interfaces.size() == kMostInterfaces) {
    end_damaged(block.offset, fmt::format("more than {} interfaces", kMostInterfaces));
    return;
  }
  CaptureInterface interface;
  interface.link_type = link_type_of(numbers_.u16(block.body, 0));
  interface.snap_length = numbers_.u32(block.body, 4);
  interface.section = section_;
  interface.number = static_cast<std::uint32_t>(info().interfaces.size() - first_interface_);
  std::uint8_t resolution = 6;
  std::int64_t offset = 0;
  const bool good = for_each_option(block.body.subspan(8), numbers_, [&](std::uint16_t code, Bytes value) {
    if (code == option_code::kInterfaceName) interface.name = option_text(value, kLongestName);
    if (code == option_code::kInterfaceDescription) interface.description = option_text(value, kLongestName);
    if (code == option_code::kInterfaceOs) interface.os = option_text(value, kLongestName);
    // Its first byte is 0 for text, else it is compiled.
    const bool filter_text = code == option_code::kInterfaceFilter && !value.empty() && value[0] == 0;
    if (filter_text) interface.filter = option_text(value.subspan(1), kLongestName);
    if (code == option_code::kTimeResolution && value.size() == 1) resolution = value[0];
    if (code == option_code::kTimeOffset && value.size() == 8) {
      offset = static_cast<std::int64_t>(numbers_.u64(value, 0));
    }
  });
  if (!good) count(PcapngOddity::kOptions, block.offset);
  times_.emplace_back(resolution, offset);
  interface.ticks_per_second = times_.back().ticks_per_second();
  info().interfaces.push_back(std::move(interface));
}

/// interface 32, time stamp 64, options. The counts run from the start of the capture, so the last ones count.
void PcapngReader::read_statistics(const Block& block) {
  if (!long_enough(block, 12)) return;
  const std::uint64_t id = first_interface_ + numbers_.u32(block.body, 0);
  if (id >= info().interfaces.size()) return;
  std::optional<std::uint64_t> dropped;
  const bool good = for_each_option(block.body.subspan(12), numbers_, [&](std::uint16_t code, Bytes value) {
    if ((code != option_code::kDroppedByInterface && code != option_code::kDroppedBySystem) || value.size() != 8)
      return;
    const std::uint64_t here = numbers_.u64(value, 0);
    const std::uint64_t before = dropped.value_or(0);
    dropped = before + std::min(here, std::numeric_limits<std::uint64_t>::max() - before);
  });
  if (!good) count(PcapngOddity::kOptions, block.offset);
  if (dropped) info().interfaces[id].dropped = dropped;
}

}  // namespace rocescope
