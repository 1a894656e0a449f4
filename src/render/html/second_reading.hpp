// A second reading of a capture for some of its connections: which frames it needs, and how its numbers become those of the report.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "rocescope/capture.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/psn.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope::render {

/// Where the packets of some connections go: the senders, receivers and queue pairs of both sides.
class FlowSet {
 public:
  FlowSet() = default;
  explicit FlowSet(std::span<const Connection* const> connections);

  /// The connection, and the side that sent it, of a packet that goes there at `time`; null: of none of them. Of a queue pair that
  /// several connections had one after the other, the connection of that time, or the next one.
  struct Place {
    const Connection* connection = nullptr;
    std::size_t sender = 0;
  };
  [[nodiscard]] Place find(const IpAddress& source, const IpAddress& destination, Qpn dest_qp, std::uint32_t overlay_id,
                           std::int64_t time) const;
  /// Whether such a packet is one of theirs.
  [[nodiscard]] bool contains(const IpAddress& source, const IpAddress& destination, Qpn dest_qp) const {
    return queue_pairs_[low_bits(dest_qp)] && places_.contains(key_of(source, destination, dest_qp));
  }

 private:
  [[nodiscard]] static FlowKey key_of(const IpAddress& source, const IpAddress& destination, Qpn dest_qp) noexcept {
    return {source, destination, dest_qp, 0, 0};
  }
  static constexpr std::size_t kLowBits = 16;
  [[nodiscard]] static std::size_t low_bits(Qpn qpn) noexcept { return qpn.value() % (std::size_t{1} << kLowBits); }

  std::unordered_map<FlowKey, std::vector<Place>, FlowKeyHash> places_;  // without overlay and capture point
  std::bitset<std::size_t{1} << kLowBits> queue_pairs_;  // low bits of those that have a place: quickly seen
};

/// The frames of `source` without packets that are surely of connections not among `flows`: those that the express lane can read,
/// which are nearly all of a large capture. Frames keep their numbers.
[[nodiscard]] std::unique_ptr<FrameSource> frames_of(std::unique_ptr<FrameSource> source, FlowSet flows);

}  // namespace rocescope::render
