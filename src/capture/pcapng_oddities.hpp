// Counts oddities of a pcapng file that the reader skips: one warning for each kind.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope {

enum class PcapngOddity : std::uint8_t { kUnknownInterface, kLength, kShortBlock, kOptions, kNoTime };

class PcapngOddities {
 public:
  /// Counts one more, in `warnings`, which only grows. `place()` names its place; it is called for the first of a kind only.
  template <class Place>
  void count(PcapngOddity oddity, Place place, std::vector<std::string>& warnings) {
    const auto kind = static_cast<std::size_t>(oddity);
    Entry& entry = entries_[kind];
    if (entry.count == 0) {
      entry.first_place = place();
      entry.warning = warnings.size();
      warnings.emplace_back();
    }
    ++entry.count;
    warnings[entry.warning] = fmt::format("{}: {}, the first at {}", kTexts[kind], entry.count, entry.first_place);
  }

 private:
  static constexpr std::array<std::string_view, 5> kTexts = {
      "frames skipped because their interface is not described before them",
      "frames skipped because their captured length is more than their block holds",
      "blocks skipped because they are too short for their type",
      "blocks whose damaged options were ignored",
      "frames without a time stamp (Simple Packet Blocks), which are given the time of the frame before",
  };
  struct Entry {
    std::uint64_t count = 0;
    std::string first_place;
    std::size_t warning = 0;  ///< index
  };
  std::array<Entry, kTexts.size()> entries_;
};

}  // namespace rocescope
