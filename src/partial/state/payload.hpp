// Who wants the payload of messages: src/messages/.
#pragma once

#include <algorithm>

#include "partial/state_members.hpp"

namespace rocescope {

template <>
struct StateMembers::Of<SendAssembly> {
  static void visit(SendAssembly& value, const Visit& f) {
    auto& [runs] = value;
    f("runs", runs);
  }
};

template <>
struct StateMembers::Of<Transfers> {
  static void visit(Transfers& value, const Visit& f) {
    auto& [transfers] = value;
    f("transfers", transfers);
  }
};

template <>
struct StateMembers::Of<Messages> {
  static void visit(Messages& value, const Visit& f) {
    auto& [subscribers, streams, last, last_number, kept, given, spare, gave] = value;
    f("streams", streams);
    f("kept", kept);
  }

  static bool is_sound(const Messages& value) {
    return std::ranges::all_of(
        value.streams_, [&](const auto& entry) { return entry.second.wishes.size() == value.subscribers_.size(); });
  }
};

}  // namespace rocescope
