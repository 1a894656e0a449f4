// What a state (state.hpp) has beside what a report has: the members of the classes that follow a capture, which the
// headers in state/ list. Most lists have all members of their class, which the compiler checks, and pass on those that
// packets change; those of Analysis, PacketReader, Tracker, CommandLog and ExchangeSessions have only the latter, and
// nothing checks that none is missing. Left out are members that come from options or other objects, caches, and what
// lasts no longer than a packet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "partial/carry.hpp"
#include "tracking/tracker_implementation.hpp"

namespace rocescope {

namespace partial {

/// Of a KeptFrame.
struct FrameParts {
  std::uint32_t original_length = 0;
  std::uint32_t link_type = 0;
  std::int64_t timestamp = 0;
  std::uint64_t number = 0;
  std::uint32_t interface_id = 0;
  std::uint32_t capture_id = 0;
  std::vector<std::uint8_t> bytes;
};

}  // namespace partial

/// A friend of these classes.
struct StateMembers {
  using Visit = partial::detail::Visit<StateMembers>;

  /// What a state has of a class: visit() shows its members; or parts_of() gives its parts. From these, assemble()
  /// makes an object again, or says false. make() makes one of a class that has no empty value. is_sound() checks what
  /// the code relies on, although a file may have other values.
  template <class T>
  struct Of {};

  /// Whether `is_there(number)` is true of all.
  template <class IsThere>
  static bool has_all(const IndexTable& value, IsThere is_there) {
    return std::ranges::all_of(
        value.entries_, [&](const auto& entry) { return entry.number == IndexTable::kNone || is_there(entry.number); });
  }

  static partial::FrameParts frame_parts(const Frame& frame) {
    return {frame.original_length,
            frame.link_type,
            frame.timestamp,
            frame.number,
            frame.interface_id,
            frame.capture_id,
            {frame.data.begin(), frame.data.end()}};
  }
  template <class Kept>
  static void keep(partial::FrameParts&& parts, Kept& kept) {
    kept.bytes = std::move(parts.bytes);
    kept.frame.data = kept.bytes;
    kept.frame.original_length = parts.original_length;
    kept.frame.link_type = parts.link_type;
    kept.frame.timestamp = parts.timestamp;
    kept.frame.number = parts.number;
    kept.frame.interface_id = parts.interface_id;
    kept.frame.capture_id = parts.capture_id;
  }

  static bool is_times(std::uint8_t times) { return times >= 1 && times <= CopyWatch::kMostTimes; }
};

}  // namespace rocescope
