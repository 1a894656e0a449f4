// Compares what several capture points saw of the same packets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "analysis/points/capture_points.hpp"
#include "analysis/points/compared_flows.hpp"
#include "analysis/points/loss_rows.hpp"
#include "analysis/points/recent.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// Of ComparedFlows::kMost directions of queue pairs; packets of further ones are counted. Takes nothing while there is one point.
class FlowComparisons {
 public:
  /// A packet with a fingerprint, and where it was seen; one that does not count is compared with none. What is no RoCE may be a damaged
  /// copy.
  void observe(const PacketRecord& record, bool counts, const CapturePoints::Sight& sight);
  /// Returns all rows, by the numbers of connections. The object is used up then.
  [[nodiscard]] std::vector<FlowComparison> take(const std::deque<Connection>& connections);
  [[nodiscard]] std::uint64_t uncompared() const noexcept { return uncompared_; }

 private:
  friend struct StateMembers;
  static constexpr std::uint32_t kMostSeen = 262'144;
  static constexpr std::size_t kMostPoints = 4;  // that see one packet

  struct SeenAt {
    std::uint8_t point = 0;
    std::uint8_t copies = 0;
    bool bad = false;
    bool counts = false;
    bool again = false;     // nothing distinguishes it from a packet that was sent before
    std::uint8_t late = 0;  // bits, by their places in Seen::at: points that had seen a later one before
    std::uint8_t sent = 0;  // of the copies, what the host sent: the others the network made, or the capture
    std::int64_t time = 0;
    std::uint64_t frame = 0;
    LossRows::Place place;
    std::uint32_t capture = 0;
    std::uint32_t last = 0;  // microseconds from `time` to the last copy
    std::uint64_t last_frame = 0;
  };
  struct Seen {
    std::uint64_t hash = 0;
    std::uint32_t flow = 0;
    bool counted = false;  // by its sender: else all copies of it are the same, also those that were sent again
    std::uint8_t points = 0;
    bool was_renamed = false;  // its copies may have come when they had another fingerprint
    std::uint32_t uncut = 0;   // of its fingerprint
    std::uint32_t length = 0;  // as UncutLength has it
    std::array<SeenAt, kMostPoints> at{};
    [[nodiscard]] std::span<const SeenAt> all() const noexcept { return {at.data(), points}; }
  };
  /// A packet that one point saw before or behind all that both saw; or the copies of it that it saw more than the other one.
  struct Outside {
    std::uint32_t flow = 0;
    std::uint32_t pair = 0;
    std::uint32_t side = 0;
    SeenAt at;
    bool is_further = false;
  };
  /// A fingerprint by what is left of it in a damaged packet.
  struct Name {
    std::uint64_t hash = 0;
    std::uint64_t fingerprint = 0;
  };

  using Pair = ComparedFlows::Pair;
  using Flow = ComparedFlows::Flow;
  using Window = ComparedFlows::Window;

  [[nodiscard]] std::optional<std::uint32_t> flow_of(const PacketRecord& record);
  /// Whether it came late to the point that sees it now.
  static bool match_order(Pair& pair, const SeenAt& before, const SeenAt& now);
  void match(Flow& flow, Seen& seen, SeenAt& now);
  /// Counts what is known of a packet once no copy of it is expected.
  void settle(const Seen& seen);
  void settle(std::uint32_t flow, std::uint32_t pair, const Seen& seen);
  static void settle_uncounted(Pair& pair, const Seen& seen, const SeenAt& low, const SeenAt& high);
  void note_uncut(std::uint32_t uncut, std::int64_t time) noexcept;
  /// Whether another point may have seen it with another fingerprint: it was not known that packets like it are cut somewhere.
  [[nodiscard]] bool may_be_renamed(const Seen& seen) const noexcept {
    return seen.was_renamed || (seen.length > uncut_ && seen.uncut != uncut_);
  }
  /// Two points that saw the packet once each were watched at that time. Only for senders that do not count their packets.
  void extend(const Seen& seen);
  void count(const Outside& packet);
  void count_if_watched(const Outside& packet);
  [[nodiscard]] bool is_watched(const Outside& packet);
  void count_alone(std::uint32_t flow, std::uint32_t pair, std::uint32_t side, const SeenAt& at);
  void settle_outside();
  [[nodiscard]] Seen* find(const PacketRecord& record);
  /// Between which packets from the sender of the flow both points were watched. Packets in the other direction do not
  /// show it: they come earlier to one point and later to the other.
  [[nodiscard]] Window& watched(const Flow& flow, std::uint16_t low, std::uint16_t high) {
    return watched_[{low, high, flow.key.source}];
  }

  ComparedFlows flows_;
  Recent<Seen> seen_{kMostSeen};
  Recent<Name> names_{kMostSeen};
  std::vector<Outside> outside_;  // at most kMostSeen
  LossRows rows_;
  std::map<std::tuple<std::uint16_t, std::uint16_t, IpAddress>, Window> watched_;
  std::uint64_t uncompared_ = 0;
  std::uint32_t uncut_ = 0;                 // 0: of none yet
  std::optional<std::int64_t> renamed_at_;  // when it was known last that shorter packets are cut
};

}  // namespace rocescope
