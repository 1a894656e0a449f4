// What looks for findings: src/tracking/watchers/.
#pragma once

#include <algorithm>
#include <bit>

#include "partial/state_members.hpp"

namespace rocescope {

template <>
struct StateMembers::Of<HostTable> {
  static void visit(HostTable& value, const Visit& f) {
    auto& [interval, frame, last_order, all, pairs, by_connection, strays, untracked] = value;
    f("frame", frame);
    f("last_order", last_order);
    f("all", all);
    f("pairs", pairs);
    f("strays", strays);
    f("untracked", untracked);
  }
};

template <>
struct StateMembers::Of<CongestionWatch> {
  static void visit(CongestionWatch& value, const Visit& f) {
    auto& [window, others, ecn, classes, cnps, untracked_cnps] = value;
    f("ecn", ecn);
    f("classes", classes);
    f("cnps", cnps);
    f("untracked_cnps", untracked_cnps);
  }
};

template <>
struct StateMembers::Of<PauseTable> {
  static void visit(PauseTable& value, const Visit& f) {
    auto& [states, link_speed, sightings, untracked] = value;
    f("states", states);
    f("untracked", untracked);
  }
};

template <>
struct StateMembers::Of<RegionTable> {
  static void visit(RegionTable& value, const Visit& f) {
    auto& [regions, last, max_regions, untracked] = value;
    f("regions", regions);
    f("untracked", untracked);
  }
};

template <>
struct StateMembers::Of<PayloadWatch> {
  static void visit(PayloadWatch& value, const Visit& f) {
    auto& [parts] = value;
    f("parts", parts);
  }

  static bool is_sound(const PayloadWatch& value) {
    return std::ranges::all_of(value.parts_, [](const auto& part) {
      return part.empty() || (std::has_single_bit(part.size()) && part.size() >= PayloadWatch::kFewest &&
                              part.size() <= PayloadWatch::kMost);
    });
  }
};

template <>
struct StateMembers::Of<TroubleWatch> {
  static void visit(TroubleWatch& value, const Visit& f) {
    auto& [others, damaged, next] = value;
    f("damaged", damaged);
    f("next", next);
  }

  static bool is_sound(const TroubleWatch& value) { return value.next_ < value.damaged_.size(); }
};

template <>
struct StateMembers::Of<StateWatcher> {
  static void visit(StateWatcher& value, const Visit& f) {
    auto& [table, handshakes, strays, runs] = value;
    f("runs", runs);
  }
};

template <>
struct StateMembers::Of<MessageVisits> {
  static void visit(MessageVisits& value, const Visit& f) {
    auto& [visitor, choice, reads] = value;
    f("reads", reads);
  }

  static bool is_sound(const MessageVisits& value) {
    return std::ranges::all_of(value.reads_, [](const auto& entry) { return entry.first.second < 2; });
  }
};

template <>
struct StateMembers::Of<Observers> {
  static void visit(Observers& value, const Visit& f) {
    f("hosts", value.template get<HostTable>());
    f("congestion", value.template get<CongestionWatch>());
    f("pauses", value.template get<PauseTable>());
    f("regions", value.template get<RegionTable>());
    f("payloads", value.template get<PayloadWatch>());
    f("troubles", value.template get<TroubleWatch>());
    f("states", value.template get<StateWatcher>());
    f("messages", value.template get<MessageVisits>());
  }
};

template <>
struct StateMembers::Of<Conformance::Stray> {
  static bool is_sound(const Conformance::Stray& value) { return value.sender < 2; }
};

template <>
struct StateMembers::Of<MemoryRegion> {
  static bool is_sound(const MemoryRegion& value) { return value.users.size() == value.user_packets.size(); }
};

}  // namespace rocescope
