// Follows a capture from look to look.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "capture_counter.hpp"
#include "live_update.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/live.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// Beside a ReportBuilder, which is shown the same packets. What it takes grows with the connections by a bit each, and with the
/// findings.
class LiveMonitor {
 public:
  /// `start`: nanoseconds since 1970.
  explicit LiveMonitor(std::int64_t start) : last_look_(start) {}

  void add(const PacketRecord& record);
  /// What is new at `time`. `tracker` gave the records their verdicts.
  [[nodiscard]] LiveUpdate look(std::int64_t time, const Tracker& tracker, const CaptureInfo& capture,
                                std::span<const LiveCounters> counters);

 private:
  /// A finding as the looks tell them apart: its ID, connection, side, handshake.
  using Key = std::tuple<FindingId, std::uint32_t, std::size_t, std::uint32_t>;

  [[nodiscard]] LiveTotals totals() const;
  void find_gone(LiveUpdate& update);
  void find_new(const Report& report, LiveUpdate& update);

  std::int64_t last_look_;
  CaptureCounter counter_;
  LiveTotals counted_;  ///< but traffic and roce, which counter_ has
  LiveTotals before_;
  std::vector<std::uint32_t> changed_;
  std::vector<bool> is_changed_;  ///< by number
  std::vector<bool> is_told_;     ///< by number, until it is gone
  std::set<Key> told_;
};

}  // namespace rocescope
