// The flows of a capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "rocescope/flow.hpp"
#include "rocescope/record.hpp"
#include "tracking/connections/by_connection.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/connections/index_table.hpp"
#include "tracking/express/express_run.hpp"

namespace rocescope {

/// Counts packets, bytes and PSNs per flow. Takes about 250 bytes a flow.
class FlowTable {
 public:
  static constexpr std::size_t kDefaultMaxFlows = 131'072;

  explicit FlowTable(std::size_t max_flows = kDefaultMaxFlows) : max_flows_(max_flows) {}

  /// `record` is of a RoCE packet; others are ignored.
  void add(const PacketRecord& record);

  /// Packets of a flow that had packets before.
  void add(const ExpressRun& run);

  [[nodiscard]] std::size_t size() const noexcept { return states_.size() - vacant_.size(); }
  /// Forgets flows without packets since `idle_since`, and if there are many the oldest others.
  void evict(std::int64_t idle_since);

  /// Removes and returns the flows, those with the most bytes first.
  [[nodiscard]] std::deque<Flow> flows() &&;
  static void sort(std::deque<Flow>& flows);
  /// Packets of flows that came when the table was full.
  [[nodiscard]] const Traffic& untracked() const noexcept { return untracked_; }
  [[nodiscard]] const EvictedFlows& evicted() const noexcept { return evicted_; }

 private:
  friend struct StateMembers;
  /// Where a stream stands in PSNs counted from its first, without wrapping round.
  struct Course {
    std::int64_t position = 0;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
  };
  struct State {
    Flow flow;
    Course requests;
    Course responses;
  };

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;  // the VNI of what is no flow: they have 24 bits

  [[nodiscard]] static bool is(const Flow& flow, const FlowKey& key) noexcept;
  [[nodiscard]] std::optional<std::uint32_t> find(const FlowKey& key, const Packet& packet);
  static void count(State& state, const PacketRecord& record);
  static void advance(PsnRange& range, Course& course, const PsnRun& run) noexcept;

  /// A flow that several capture points see counts where it is not repeated: that is one of them.
  [[nodiscard]] static FlowKey key_of(const Packet& packet) noexcept {
    FlowKey key = FlowKey::of(packet);
    key.capture_point = {};
    return key;
  }
  [[nodiscard]] static FlowKey key_of(const Flow& flow) noexcept {
    return {flow.source, flow.destination, flow.dest_qp, flow.overlay_id, {}};
  }

  std::deque<State> states_;
  std::vector<std::uint32_t> vacant_;  // of states_
  IndexTable index_;                   // of states_
  ByConnection<std::uint32_t, kNone> by_connection_;
  std::size_t max_flows_;
  Traffic untracked_;
  EvictedFlows evicted_;
};

}  // namespace rocescope
