// What findings rest on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "model/command_troubles.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/eviction.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// The comparisons of a connection, by its number at one of the two points.
class ComparisonsByConnection {
 public:
  explicit ComparisonsByConnection(std::span<const FlowComparison> comparisons);
  /// By their places among all.
  [[nodiscard]] std::span<const FlowComparison* const> of(std::uint32_t connection) const;

 private:
  std::vector<std::uint32_t> numbers_;  // sorted
  std::vector<const FlowComparison*> rows_;
};

/// The input of the rules: a whole report, the changes since the last look at a live capture, or what was evicted.
struct Evidence {
  const Tracking& tracking;
  std::uint64_t dropped = 0;  ///< packets that the capture reports as lost
  bool verifies_icrc = true;
  CaptureTotals totals{};                         ///< of all packets
  std::span<const StopCount> stops{};             ///< as Report has them, and so on
  const std::deque<Flow>* flows = nullptr;        ///< null: none
  const std::deque<Flow>* other_flows = nullptr;  ///< of packets that do not count, for rules about all flows of a host
  std::span<const CmEvent> cm_events{};
  const EvictedTotals* evicted = nullptr;
  std::span<const FlowComparison> comparisons{};
  const ComparisonsByConnection* compared = nullptr;  ///< find_findings() sets it
  const TroublesByConnection* commands = nullptr;     ///< null: none
  const CommandReport* listed = nullptr;              ///< all commands; null: these are not all
};

/// The time of the last packet that could have been one of the connection's; none where that is not known.
[[nodiscard]] inline std::optional<std::int64_t> end_of(const Connection& connection, const Evidence& evidence) {
  if (!evidence.totals.last_time) return std::nullopt;
  return std::min(*evidence.totals.last_time, connection.seen_until);
}

/// Packets that the capture reports as lost.
[[nodiscard]] std::uint64_t dropped_packets(const CaptureInfo& capture) noexcept;

}  // namespace rocescope
