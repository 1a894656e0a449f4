// Datagrams, counted by the queue pairs that they go from and to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rocescope/flow.hpp"
#include "rocescope/record.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Counts the UD SENDs of applications; those to the management queue pairs 0 and 1 are left out. Takes about 200 bytes a
/// flow.
class UdFlows {
 public:
  static constexpr std::size_t kDefaultMaxFlows = 131'072;

  explicit UdFlows(std::size_t max_flows = kDefaultMaxFlows) : max_flows_(max_flows) {}

  void add(const PacketRecord& record);

  /// Forgets flows without packets since `idle_since`, and if there are many the oldest others.
  void evict(std::int64_t idle_since);

  /// In a fixed order: those with the most messages first.
  [[nodiscard]] std::vector<UdFlow> flows() const;
  static void sort(std::vector<UdFlow>& flows);
  /// Messages that came when the table was full and are of none of its flows.
  [[nodiscard]] const Traffic& untracked() const noexcept { return untracked_; }
  [[nodiscard]] const EvictedUdFlows& evicted() const noexcept { return evicted_; }

 private:
  friend struct StateMembers;
  struct Key {
    FlowKey flow;
    Qpn source_qp;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      return mix(FlowKeyHash{}(key.flow), key.source_qp.value());
    }
  };

  std::unordered_map<Key, UdFlow, KeyHash> flows_;
  std::size_t max_flows_;
  Traffic untracked_;
  EvictedUdFlows evicted_;
};

}  // namespace rocescope
