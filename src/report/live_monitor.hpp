// Follows a capture from look to look.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "capture_counter.hpp"
#include "live_update.hpp"
#include "report_builder.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/live.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// Whether a look is the last one, after which nothing comes.
enum class LookKind : bool { kOneOfMany, kLast };

/// Beside a ReportBuilder, which is shown the same packets. What it takes grows with the connections by a bit each, and with the
/// findings.
class LiveMonitor {
 public:
  /// `start`: nanoseconds since 1970.
  explicit LiveMonitor(std::int64_t start) : last_look_(start) {}

  void add(const PacketRecord& record);
  /// What is new at `time`. `tracker` gave the records their verdicts, and `builder` was shown them.
  ///
  /// A finding that rests on what did not come, such as an answer, is told when it did not come for a minute. What is about
  /// more than one connection is looked for each time while flows and CM messages are few; else every ten seconds, and what
  /// takes all connections (the numbers of queue pairs, who else sends to one) in those that changed.
  /// The last look tells what was held back.
  [[nodiscard]] LiveUpdate look(std::int64_t time, const Tracker& tracker, const ReportBuilder& builder,
                                const CaptureInfo& capture, std::span<const LiveCounters> counters,
                                LookKind kind = LookKind::kOneOfMany);

 private:
  /// A finding as the looks tell them apart: its ID, connection, side, handshake.
  using Key = std::tuple<FindingId, std::uint32_t, std::size_t, std::uint32_t>;

  [[nodiscard]] LiveTotals totals() const;
  void find_gone(LiveUpdate& update);
  /// What a look looks at. More takes longer.
  enum class Extent : std::uint8_t {
    kChanges,   ///< what changed
    kEvidence,  ///< also the evidence that is not about one connection alone
    kAll,       ///< and all connections
  };
  [[nodiscard]] Extent extent_of_look(std::int64_t time, const ReportBuilder& builder, LookKind kind);
  [[nodiscard]] std::vector<std::uint32_t> connections_with_evidence(Extent extent,
                                                                     std::span<const MemoryRegion> regions) const;
  [[nodiscard]] std::vector<std::uint32_t> connections_to_look_at(std::vector<std::uint32_t> numbers, std::int64_t time,
                                                                  LookKind kind);
  /// Whether a finding that was not told is to be told at `time`.
  [[nodiscard]] bool is_due(const Finding& finding, const Key& key, std::int64_t time, LookKind kind);
  [[nodiscard]] bool was_told(FindingId id) const { return told_.contains({id, 0, 2, 0}); }

  std::int64_t last_look_;
  CaptureCounter counter_;
  LiveTotals counted_;  ///< but traffic and roce, which counter_ has
  LiveTotals before_;
  std::vector<std::uint32_t> changed_;
  std::vector<bool> is_changed_;  ///< by number
  std::vector<bool> is_told_;     ///< by number, until it is gone
  std::set<Key> told_;
  std::int64_t last_wide_look_ = std::numeric_limits<std::int64_t>::min();
  std::set<std::uint32_t> with_bad_icrc_;                     ///< connections, until that is told
  std::set<Key> waiting_;                                     ///< findings that are not due
  std::deque<std::pair<std::int64_t, std::uint32_t>> again_;  ///< when to look at which connection for their sake
};

}  // namespace rocescope
