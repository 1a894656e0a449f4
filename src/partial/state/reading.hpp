// What reads packets, and the analysis as a whole: src/analysis/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "analysis/icrc_flows.hpp"
#include "analysis/packet_reader.hpp"
#include "capture/continued_capture.hpp"
#include "partial/state_members.hpp"

namespace rocescope {

template <>
struct StateMembers::Of<KeptFrame> {
  static partial::FrameParts parts_of(const KeptFrame& value) { return frame_parts(value.frame); }

  static bool assemble(partial::FrameParts&& parts, KeptFrame& value) {
    keep(std::move(parts), value);
    return true;
  }
};

template <>
struct StateMembers::Of<IcrcVerifier> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    if constexpr (std::is_const_v<C>) {
      const IcrcVerifier::Flows* const flows = value.flows_.get();
      const IcrcVerifier::Flows& known = flows == nullptr ? partial::zeros<IcrcVerifier::Flows>() : *flows;
      f("flows", known.states);
      f("searches", known.searches);
    } else {
      f("flows", value.flows_->states);
      f("searches", value.flows_->searches);
    }
    f("doubtful", value.doubtful_);
  }
};

template <>
struct StateMembers::Of<PacketPreparer> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    f("packets", value.packets_);
    f("latest", value.latest_);
    f("verifier", value.verifier_);
    f("points", value.points_);
    std::vector<partial::FrameParts> ahead;
    if constexpr (std::is_const_v<C>) {
      for (const auto& kept : value.ahead_) ahead.push_back(frame_parts(kept.frame));
    }
    f("ahead", ahead);
    f("waits", value.waits_);
    if constexpr (!std::is_const_v<C>) {
      value.ahead_.clear();
      for (partial::FrameParts& each : ahead) keep(std::move(each), value.ahead_.emplace_back());
    }
  }

  static bool is_sound(const PacketPreparer& value) { return value.waits_ != value.ahead_.empty(); }
};

template <>
struct StateMembers::Of<PacketReader> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    f("preparer", value.preparer_);
    f("commands", value.commands_);
    f("tracker", value.tracker_);
    f("first_points", value.first_points_);
    f("first", value.first_);
    f("previous", value.previous_);
    if constexpr (!std::is_const_v<C>) value.preparer_.first_ = value.first_;
  }
};

template <>
struct StateMembers::Of<Analysis> {
  template <class C>
  static void visit(C& value, const Visit& f) {
    const bool is_one = value.reader_ != nullptr;  // else the types of its members are asked for
    std::uint64_t packets_read = is_one ? value.packets_read() : 0;
    f("packets_read", packets_read);
    if constexpr (!std::is_const_v<C>) value.packets_read_ = packets_read;
    f("counters", value.counters_);
    f("connections", value.connections_);
    f("evicted", value.evicted_);
    f("evicted_numbers", value.evicted_numbers_);
    f("losing_ways", value.losing_ways_);
    f("comparisons", value.comparisons_);
    f("evicted_findings", value.evicted_findings_);
    if constexpr (std::is_const_v<C>) {
      f("reader", is_one ? std::as_const(*value.reader_) : partial::zeros<PacketReader>());
    } else {
      f("reader", *value.reader_);
    }
  }

  static bool is_sound(const Analysis& value) {
    const std::size_t captures = value.captures().size();
    const PacketPreparer& preparer = value.reader_->preparer_;
    const auto has = [&](std::uint32_t capture) { return capture < captures; };
    return value.counters_.by_capture_.size() <= captures &&
           std::ranges::all_of(preparer.points_.places_.places_,
                               [&](const Place& place) { return has(place.capture); }) &&
           preparer.points_.rings_.files_.size() <= captures &&
           std::ranges::all_of(preparer.ahead_, [&](const auto& kept) { return has(kept.frame.capture_id); });
  }
};

template <>
struct StateMembers::Of<CapturesBefore> {
  static bool is_sound(const CapturesBefore& value) {
    return std::ranges::all_of(value.rest,
                               [&](const KeptFrame& kept) { return kept.frame.capture_id < value.captures.size(); });
  }
};

}  // namespace rocescope
