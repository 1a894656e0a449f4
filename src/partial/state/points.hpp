// Capture points: src/analysis/points/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "partial/state_members.hpp"

namespace rocescope {

template <>
struct StateMembers::Of<PlaceTable> {
  static void visit(PlaceTable& value, const Visit& f) {
    auto& [places, last] = value;
    f("places", places);
    f("last", last);
  }
};

template <>
struct StateMembers::Of<FileRings::File> {
  static void visit(FileRings::File& value, const Visit& f) {
    auto& [last, first, before, has_begun] = value;
    f("last", last);
    f("first", first);
    f("before", before);
    f("has_begun", has_begun);
  }
};

template <>
struct StateMembers::Of<FileRings> {
  static void visit(FileRings& value, const Visit& f) {
    f("files", value.files_);
    f("firsts", value.firsts_);
  }

  static bool is_sound(const FileRings& value) {
    const auto has = [&](std::uint32_t capture) { return capture < value.files_.size(); };
    return std::ranges::all_of(
               value.files_,
               [&](const auto& file) { return has(file.first) && (!file.before || has(*file.before)); }) &&
           std::ranges::all_of(value.firsts_,
                               [&](const auto& each) { return has(each.first.capture) && has(each.second.capture); });
  }
};

template <>
struct StateMembers::Of<CopyDelays> {
  static void visit(CopyDelays& value, const Visit& f) {
    auto& [least, most, times, answered_count, answered] = value;
    f("least", least);
    f("most", most);
    f("times", times);
    f("answered_count", answered_count);
    f("answered", answered);
  }

  static bool is_sound(const CopyDelays& value) { return is_times(value.times_); }
};

template <>
struct StateMembers::Of<AnswerTimes> {
  static void visit(AnswerTimes& value, const Visit& f) {
    auto& [count, shortest] = value;
    f("count", count);
    f("shortest", shortest);
  }
};

template <>
struct StateMembers::Of<CopyWatch> {
  static void visit(CopyWatch& value, const Visit& f) {
    auto& [places, shared, pairs, hosts, seen, requests, returns, last_hosts, has_repetitions, has_copies] = value;
    f("places", places);
    f("shared", shared);
    f("pairs", pairs);
    f("hosts", hosts);
    f("seen", seen);
    f("requests", requests);
    f("returns", returns);
    f("last_hosts", last_hosts);
    f("has_repetitions", has_repetitions);
    f("has_copies", has_copies);
  }

  static bool is_sound(const CopyWatch& value) {
    const std::size_t places = value.places_.size();
    const auto is_place = [&](const auto& at) { return at.place < places; };
    return places <= PlaceTable::kMost &&
           std::ranges::all_of(value.pairs_,
                               [](const auto& pair) { return pair.first < PlaceTable::kMost * PlaceTable::kMost; }) &&
           std::ranges::all_of(value.hosts_, [&](const auto& entry) { return is_place(entry.first); }) &&
           std::ranges::all_of(value.returns_.ring_, is_place) &&
           std::ranges::all_of(value.seen_.ring_, [&](const auto& seen) {
             return std::ranges::all_of(std::span(seen.at).first(seen.places), is_place);
           });
  }
};

template <>
struct StateMembers::Of<UncutLength> {
  static void visit(UncutLength& value, const Visit& f) {
    auto& [length] = value;
    f("length", length);
  }
};

template <>
struct StateMembers::Of<CapturePoints> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    auto& [rings, places, uncut, watch, interfaces, learned, points, numbers, ranks, sendings, parted, first_points] =
        value;
    f("rings", rings);
    f("places", places);
    f("uncut", uncut);
    f("watch", watch);
    f("interfaces", interfaces);
    f("learned", learned);
    f("points", points);
    f("numbers", numbers);
    f("ranks", ranks);
    f("parted", parted);
    f("first_points", first_points);
    // Each of these points to an entry of `parted`.
    std::vector<HostsAtPlace> hosts;
    if constexpr (std::is_const_v<C>) {
      std::unordered_map<const CapturePoints::Parted*, const HostsAtPlace*> keys;
      for (const auto& [key, each] : parted) keys.emplace(&each, &key);
      for (const auto& each : sendings.ring_) hosts.push_back(*keys.at(each.hosts));
    }
    f("sendings", sendings);
    f("hosts", hosts);
    if constexpr (!std::is_const_v<C>) {
      for (std::size_t i = 0; i < sendings.ring_.size(); ++i) {
        const auto found = i < hosts.size() ? parted.find(hosts[i]) : parted.end();
        sendings.ring_[i].hosts = found == parted.end() ? nullptr : &found->second;
      }
    }
  }

  static bool is_sound(const CapturePoints& value) {
    const std::size_t places = value.places_.size();
    return places <= PlaceTable::kMost && value.interfaces_.size() <= PlaceTable::kMost &&
           value.points_.size() <= CapturePoints::kMostPoints && value.watch_.places_.size() <= places &&
           std::ranges::all_of(value.numbers_,
                               [&](const auto& numbers) {
                                 return std::ranges::all_of(
                                     numbers, [&](std::uint8_t number) { return number <= value.points_.size(); });
                               }) &&
           std::ranges::all_of(value.points_,
                               [&](const auto& point) {
                                 return !point.stands.empty() &&
                                        std::ranges::all_of(point.stands,
                                                            [&](const auto& stand) { return stand.place < places; });
                               }) &&
           std::ranges::all_of(value.sendings_.ring_, [](const auto& each) { return each.hosts != nullptr; });
  }
};

template <>
struct StateMembers::Of<CapturePoints::Sendings> {
  static void visit(CapturePoints::Sendings& value, const Visit& f) {
    auto& [hash, hosts, sent, count, last] = value;
    f("hash", hash);
    f("sent", sent);
    f("count", count);
    f("last", last);
  }

  static bool is_sound(const CapturePoints::Sendings& value) {
    return value.count >= 1 && value.count <= value.last.size();
  }
};

template <>
struct StateMembers::Of<FlowComparisons> {
  static void visit(FlowComparisons& value, const Visit& f) {
    auto& [flows, seen, names, outside, rows, watched, uncompared, uncut, renamed_at] = value;
    f("flows", flows);
    f("seen", seen);
    f("names", names);
    f("outside", outside);
    f("rows", rows);
    f("watched", watched);
    f("uncompared", uncompared);
    f("uncut", uncut);
    f("renamed_at", renamed_at);
  }

  static bool is_sound(const FlowComparisons& value) {
    const auto& flows = value.flows_.flows_;
    return std::ranges::all_of(value.seen_.ring_, [&](const auto& seen) { return seen.flow < flows.size(); }) &&
           std::ranges::all_of(value.outside_,
                               [&](const auto& each) {
                                 return each.flow < flows.size() && each.pair < flows[each.flow].pairs.size() &&
                                        each.side < 2;
                               }) &&
           std::ranges::all_of(value.rows_.alone_, [&](const auto& each) {
             return each.flow < flows.size() && each.pair < flows[each.flow].pairs.size() && each.side < 2;
           });
  }
};

template <>
struct StateMembers::Of<LossRows> {
  static void visit(LossRows& value, const Visit& f) {
    auto& [groups, group_of, seen, alone] = value;
    f("groups", groups);
    f("group_of", group_of);
    f("seen", seen);
    f("alone", alone);
  }
};

template <>
struct StateMembers::Of<ComparedFlows> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    auto& [flows, numbers, windows, answers, known_copies] = value;  // packets have neither of these two
    f("flows", flows);
    f("numbers", numbers);
    f("windows", windows);
    if constexpr (!std::is_const_v<C>) {  // each pair has its window by the end
      for (const auto& flow : flows) {
        for (const auto& pair : flow.pairs) static_cast<void>(windows[{pair.low, pair.high}]);
      }
    }
  }

  static bool is_sound(const ComparedFlows& value) {
    return std::ranges::all_of(value.numbers_, [&](const auto& entry) { return entry.second < value.flows_.size(); });
  }
};

template <>
struct StateMembers::Of<CopyCounts> {
  static bool is_sound(const CopyCounts& value) { return is_times(value.times); }
};

template <>
struct StateMembers::Of<CopyWatch::Earlier> {
  static bool is_sound(const CopyWatch::Earlier& value) { return value.count <= value.times.size(); }
};

template <>
struct StateMembers::Of<CopyWatch::SeenAt> {
  static bool is_sound(const CopyWatch::SeenAt& value) { return value.place < PlaceTable::kMost; }
};

template <>
struct StateMembers::Of<CopyWatch::Seen> {
  static bool is_sound(const CopyWatch::Seen& value) { return value.places <= value.at.size(); }
};

template <>
struct StateMembers::Of<CopyWatch::Return> {
  static bool is_sound(const CopyWatch::Return& value) {
    return value.place < PlaceTable::kMost && value.direction < 2;
  }
};

template <>
struct StateMembers::Of<CapturePoints::Parted> {
  static bool is_sound(const CapturePoints::Parted& value) { return is_times(value.times); }
};

template <>
struct StateMembers::Of<CapturePoints::Stand> {
  static bool is_sound(const CapturePoints::Stand& value) {
    return value.place < PlaceTable::kMost && value.copy < CopyWatch::kMostTimes;
  }
};

template <>
struct StateMembers::Of<FlowComparisons::Seen> {
  static bool is_sound(const FlowComparisons::Seen& value) { return value.points <= value.at.size(); }
};

}  // namespace rocescope
