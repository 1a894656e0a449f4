// Compares what several capture points saw of the same packets.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/points/recent.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/record.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// Takes nothing while there is one point.
class FlowComparisons {
 public:
  /// Directions of queue pairs that are compared; packets of further ones are counted.
  static constexpr std::size_t kMostFlows = 65'536;

  /// A packet with a fingerprint; one that does not count is compared with none. What is no RoCE may be a damaged copy.
  void observe(const PacketRecord& record, bool counts);
  /// All, by the connections' numbers; nothing can be asked then.
  [[nodiscard]] std::vector<FlowComparison> take(const std::deque<Connection>& connections);
  [[nodiscard]] std::uint64_t uncompared() const noexcept { return uncompared_; }

 private:
  friend struct StateMembers;
  static constexpr std::uint32_t kMostSeen = 262'144;
  static constexpr std::size_t kMostPoints = 4;  // that see one packet

  /// Two points, the lower number first, and what they saw of a flow.
  struct Pair {
    std::uint8_t low = 0;
    std::uint8_t high = 0;
    std::uint64_t both = 0;
    std::array<Occurrences, 2> alone{};  // seen by one of them only
    std::uint64_t uncompared = 0;
    std::array<std::uint64_t, 2> alone_bad{};  // of these, with a wrong ICRC
    std::array<std::uint64_t, 2> further{};    // copies that one of them saw more than the other
    std::array<std::uint64_t, 2> damaged{};    // there, and not at the other
    std::array<std::uint64_t, 2> late{};       // seen there second, behind one that followed at the other
    std::array<std::uint64_t, 2> highest{};    // frame at the other of those seen there second
    Delays delays;                             // from low to high
  };
  struct Flow {
    FlowKey key;
    std::vector<std::pair<std::uint8_t, std::uint32_t>> connections;  // at each point, the last
    std::vector<Pair> pairs;
  };
  struct SeenAt {
    std::uint8_t point = 0;
    std::uint8_t copies = 0;
    bool bad = false;
    bool counts = false;
    bool again = false;     // nothing tells it from a packet that was sent before
    std::uint8_t late = 0;  // bits, by their places in Seen::at: points that had seen a later one before
    std::int64_t time = 0;
    std::uint64_t frame = 0;
    std::uint32_t capture = 0;
  };
  struct Seen {
    std::uint64_t hash = 0;
    std::uint32_t flow = 0;
    bool counted = false;  // by its sender: else all copies of it are the same, also those that were sent again
    std::uint8_t points = 0;
    std::array<SeenAt, kMostPoints> at{};
    [[nodiscard]] std::span<const SeenAt> all() const noexcept { return {at.data(), points}; }
  };
  /// The frames between which two points saw the same packets, at each of them.
  struct Window {
    std::array<std::uint64_t, 2> first{};
    std::array<std::uint64_t, 2> last{};
    bool one_file = true;
  };
  /// A packet that one point saw before or behind all that both saw.
  struct Outside {
    std::uint32_t flow = 0;
    std::uint32_t pair = 0;
    std::uint32_t side = 0;
    SeenAt at;
  };
  /// A fingerprint by what is left of it in a damaged packet.
  struct Name {
    std::uint64_t hash = 0;
    std::uint64_t fingerprint = 0;
  };

  struct Extremes {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  using Hosts =
      std::tuple<IpAddress, IpAddress, std::uint8_t, std::uint8_t>;  // the lower address first, and two points
  using HostDelays = std::map<Hosts, std::array<std::optional<Extremes>, 2>>;
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
  [[nodiscard]] FlowComparison row_of(const Flow& flow, const Pair& pair, const Way& way) const;
  [[nodiscard]] Flow* flow_of(const PacketRecord& record, std::uint32_t& number);
  static void note_point(Flow& flow, const PacketRecord& record);
  static Pair& pair_of(Flow& flow, std::uint8_t low, std::uint8_t high);
  /// Whether it came late to the point that sees it now.
  static bool match_order(Pair& pair, const SeenAt& before, const SeenAt& now);
  void match(Flow& flow, Seen& seen, SeenAt& now);
  /// Counts what is known of a packet once no copy of it is expected.
  void settle(const Seen& seen);
  void settle(std::uint32_t flow, std::uint32_t pair, const Seen& seen);
  static void settle_uncounted(Pair& pair, const Seen& seen, const SeenAt& low, const SeenAt& high);
  static void count_alone(Pair& pair, std::size_t side, const SeenAt& at);
  [[nodiscard]] static bool is_inside(const Window& window, std::size_t side, const SeenAt& at) noexcept;
  void settle_outside();
  [[nodiscard]] Seen* find(const PacketRecord& record);

  std::vector<Flow> flows_;
  std::unordered_map<FlowKey, std::uint32_t, FlowKeyHash> numbers_;  // of flows
  std::map<std::pair<std::uint8_t, std::uint8_t>, Window> windows_;  // of pairs of points
  Recent<Seen> seen_{kMostSeen};
  Recent<Name> names_{kMostSeen};
  std::vector<Outside> outside_;  // at most kMostSeen
  std::uint64_t uncompared_ = 0;
};

}  // namespace rocescope
