// What counts packets: src/analysis/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "partial/state_members.hpp"

namespace rocescope {

template <>
struct StateMembers::Of<OperationCounter> {
  static std::vector<OperationCount> parts_of(const OperationCounter& value) { return value.counts(); }

  static bool assemble(std::vector<OperationCount>&& parts, OperationCounter& value) {
    value = {};
    for (const OperationCount& count : parts) value.by_code_[count.opcode->code] = count;
    return true;
  }
};

template <>
struct StateMembers::Of<CaptureCounter> {
  static void visit(CaptureCounter& value, const Visit& f) {
    auto& [totals, previous_time] = value;
    f("totals", totals);
    f("previous_time", previous_time);
  }
};

template <>
struct StateMembers::Of<CmLog> {
  static void visit(CmLog& value, const Visit& f) {
    auto& [events, first_packets, max_events, unlisted] = value;
    f("events", events);
    f("first_packets", first_packets);
    f("unlisted", unlisted);
  }
};

template <>
struct StateMembers::Of<ConnectionSet> {
  static void visit(ConnectionSet& value, const Visit& f) {
    auto& [pages] = value;
    f("pages", pages);
  }
};

template <>
struct StateMembers::Of<FlowTable> {
  static void visit(FlowTable& value, const Visit& f) {
    auto& [states, vacant, index, by_connection, max_flows, untracked, evicted] = value;
    f("states", states);
    f("vacant", vacant);
    f("index", index);
    f("untracked", untracked);
    f("evicted", evicted);
  }

  static bool is_sound(const FlowTable& value) {
    std::vector<bool> free(value.states_.size());
    for (const std::uint32_t slot : value.vacant_) {
      if (slot >= free.size() || free[slot]) return false;
      free[slot] = true;
    }
    return has_all(value.index_, [&](std::uint32_t slot) { return slot < free.size() && !free[slot]; });
  }
};

template <>
struct StateMembers::Of<IcrcCounter> {
  static void visit(IcrcCounter& value, const Visit& f) {
    auto& [totals] = value;
    f("totals", totals);
  }
};

template <>
struct StateMembers::Of<StopCounter> {
  static void visit(StopCounter& value, const Visit& f) {
    auto& [counts] = value;
    f("counts", counts);
  }
};

template <>
struct StateMembers::Of<ProtocolTree> {
  static void visit(ProtocolTree& value, const Visit& f) {
    auto& [nodes, known, max_nodes, untracked] = value;
    f("nodes", nodes);
    f("known", known);
    f("untracked", untracked);
  }

  /// Each node but the first has its parent before it, and is listed once at most: the tree ends.
  static bool is_sound(const ProtocolTree& value) {
    const auto& nodes = value.nodes_;
    if (nodes.empty() || nodes.size() > value.max_nodes_ || nodes[0].next_sibling != 0) return false;
    std::vector<bool> listed(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0 && nodes[i].parent >= i) return false;
      for (const std::uint32_t next : {nodes[i].first_child, nodes[i].next_sibling}) {
        if (next >= nodes.size()) return false;
        if (next == ProtocolTree::kNothing) continue;
        if (listed[next]) return false;
        listed[next] = true;
      }
    }
    return std::ranges::all_of(value.known_, [&](const auto& known) { return known.leaf < nodes.size(); });
  }
};

template <>
struct StateMembers::Of<UdFlows> {
  static void visit(UdFlows& value, const Visit& f) {
    auto& [flows, max_flows, untracked, evicted] = value;
    f("flows", flows);
    f("untracked", untracked);
    f("evicted", evicted);
  }
};

template <>
struct StateMembers::Of<FinalNumbers> {
  static void visit(FinalNumbers& value, const Visit& f) {
    auto& [after] = value;
    f("after", after);
  }
};

template <>
struct StateMembers::Of<PacketCounters> {
  /// What took the express lane is counted in the tables.
  static void visit(PacketCounters& value, const Visit& f) {
    auto& [all, start, by_capture, by_point, protocols, operations, flows, other_flows, ud_flows, cm, icrc, stops,
           express] = value;
    f("all", all);
    f("start", start);
    f("by_capture", by_capture);
    f("by_point", by_point);
    f("protocols", protocols);
    f("operations", operations);
    f("flows", flows);
    f("other_flows", other_flows);
    f("ud_flows", ud_flows);
    f("cm", cm);
    f("icrc", icrc);
    f("stops", stops);
  }
};

template <>
struct StateMembers::Of<HostPair> {
  static bool is_sound(const HostPair& value) {
    return value.most_buckets > 0 && value.most_buckets <= RateSeries::kMostBuckets;
  }
};

}  // namespace rocescope
