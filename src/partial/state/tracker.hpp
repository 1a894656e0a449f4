// The tracker as a whole: src/tracking/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "partial/state_members.hpp"

namespace rocescope {

template <>
struct StateMembers::Of<Tracker::Implementation> {
  /// All connections are settled.
  template <class C>
  static void visit(C& value, const Visit& f) {
    f("plan", value.plan_);
    f("table", value.table_);
    f("senders", value.senders_);
    f("strays", value.strays_);
    f("unplaced", value.unplaced_);
    f("uncounted", value.uncounted_);
    f("messages", value.messages_);
    f("setups", value.setups_);
    f("news", value.news_);
    f("doubts", value.doubts_);
    f("observers", value.observers_);
    f("ends", value.ends_);
    std::int64_t last_time = value.last_time();
    f("last_time", last_time);
    if constexpr (!std::is_const_v<C>) value.last_time_ = last_time;
  }

  static bool is_sound(const Tracker::Implementation& value) {
    return std::ranges::all_of(value.table_.connections_, [&](const auto& connection) {
      return connection == nullptr || connection->facts.handshake == 0 ||
             value.setups_.table().has(connection->facts.handshake);
    });
  }
};

template <>
struct StateMembers::Of<Tracker> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    if constexpr (std::is_const_v<C>) {
      const Tracker::Implementation* const implementation = value.implementation_.get();
      f("tracker", implementation == nullptr ? partial::zeros<Tracker::Implementation>() : *implementation);
    } else {
      f("tracker", *value.implementation_);
    }
  }
};

template <>
struct StateMembers::Of<Strays::Stray> {
  static bool is_sound(const Strays::Stray& value) { return value.request.opcode != nullptr; }
};

}  // namespace rocescope
