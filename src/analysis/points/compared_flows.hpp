// What two capture points saw of the directions of queue pairs, put into rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocescope/capture_point.hpp"
#include "rocescope/finding.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Counts of flows at pairs of points, the lower number first. Comparisons of packets and of messages add to them.
class ComparedFlows {
 public:
  /// Directions of queue pairs that are compared.
  static constexpr std::size_t kMost = 65'536;

  /// Two points, and what they saw of a flow.
  struct Pair {
    std::uint16_t low = 0;
    std::uint16_t high = 0;
    std::uint64_t both = 0;
    std::array<Occurrences, 2> alone{};  // seen by one of them only
    std::uint64_t uncompared = 0;
    std::array<std::uint64_t, 2> alone_bad{};  // of these, with a wrong ICRC
    std::array<std::uint64_t, 2> in_rows{};    // of those seen by one only: see FlowComparison::in_rows
    std::array<std::uint64_t, 2> further{};    // copies that one of them saw more than the other
    std::array<std::uint64_t, 2> sent{};       // of these, what the host sent again
    std::array<std::uint64_t, 2> damaged{};    // damaged there, and not at the other
    std::array<std::uint64_t, 2> late{};       // seen there second, behind one that followed at the other
    std::array<std::uint64_t, 2> highest{};    // frame at the other of those seen there second
    Delays delays;                             // from low to high
  };
  struct Flow {
    FlowKey key;
    std::vector<std::pair<std::uint16_t, std::uint32_t>> connections;  // at each point, the last
    std::vector<Pair> pairs;
  };
  /// The frames between which two points saw the same packets, at each of them.
  struct Window {
    std::array<std::uint64_t, 2> first{};
    std::array<std::uint64_t, 2> last{};
    bool one_file = true;
    /// Both saw a packet, in these frames. Frames are numbered from 1.
    void extend(const std::array<std::uint64_t, 2>& frames) noexcept;
    /// Whether the point of `side` saw the frame between two that both saw.
    [[nodiscard]] bool is_inside(std::size_t side, std::uint64_t frame) const noexcept {
      return frame > first[side] && frame < last[side];
    }
  };

  /// The number of the flow; nothing: it is new.
  [[nodiscard]] std::optional<std::uint32_t> find(const FlowKey& key) const;
  /// The same for a flow that may be new; nothing: there are too many.
  [[nodiscard]] std::optional<std::uint32_t> find_or_add(const FlowKey& key);
  [[nodiscard]] Flow& at(std::uint32_t number) { return flows_[number]; }
  [[nodiscard]] std::vector<Flow>& all() noexcept { return flows_; }
  /// A packet of the flow was seen at the point. `connection`: 0, where it is of none.
  static void note_point(Flow& flow, std::uint16_t point, std::uint32_t connection);
  /// The counts of these two points, made where there are none.
  [[nodiscard]] static Pair& pair_of(Flow& flow, std::uint16_t low, std::uint16_t high);
  [[nodiscard]] Window& window(std::uint16_t low, std::uint16_t high) { return windows_[{low, high}]; }

  /// An answer to packets of the flow took `ns` from the point with the lower number to the other one: answers pass the
  /// points the other way. If no requests pass them that way, most of the answers show how packets pass.
  void add_answer(const Flow& flow, const Pair& pair, std::int64_t ns);
  /// Only the delays of pairs that are added here show which point comes first: the others may be of different copies.
  void order_by_known_copies() { known_copies_.emplace(); }
  void add_known_copy(const Flow& flow, const Pair& pair, std::int64_t ns);

  /// For all pairs where both points saw something.
  [[nodiscard]] std::vector<FlowComparison> rows() const;

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostAnswers = 4'096;
  struct Extremes {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  using Hosts =
      std::tuple<IpAddress, IpAddress, std::uint16_t, std::uint16_t>;  // the lower address first, and two points
  using HostDelays = std::map<Hosts, std::array<std::optional<Extremes>, 2>>;
  static void extend(std::optional<Extremes>& to, const Extremes& by) noexcept;
  /// How packets of a flow pass two points.
  struct Way {
    bool low_first = true;
    bool ordered = false;  // that is known
    bool one_clock = false;
    std::optional<std::int64_t> clock_difference;
  };

  [[nodiscard]] static Hosts hosts_of(const Flow& flow, const Pair& pair) {
    return {std::min(flow.key.source, flow.key.destination), std::max(flow.key.source, flow.key.destination), pair.low,
            pair.high};
  }
  [[nodiscard]] static std::size_t direction_of(const Flow& flow) noexcept {
    return flow.key.destination < flow.key.source ? 1 : 0;
  }
  [[nodiscard]] HostDelays host_delays() const;
  [[nodiscard]] Way way_of(const Flow& flow, const Pair& pair, const HostDelays& hosts) const;
  [[nodiscard]] static FlowComparison row_of(const Flow& flow, const Pair& pair, const Way& way);

  std::vector<Flow> flows_;
  std::unordered_map<FlowKey, std::uint32_t, FlowKeyHash> numbers_;    // of flows
  std::map<std::pair<std::uint16_t, std::uint16_t>, Window> windows_;  // of pairs of points
  std::map<Hosts, std::array<std::vector<std::int64_t>, 2>> answers_;  // at most kMostAnswers of a direction
  std::optional<HostDelays> known_copies_;
};

}  // namespace rocescope
