// Follows a capture from look to look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/connection_set.hpp"
#include "model/live_update.hpp"
#include "rocescope/live.hpp"
#include "rocescope/record.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

class Analysis;

/// Whether a look is the last one, after which nothing comes.
enum class LookKind : bool { kOneOfMany, kLast };

/// The part of an Analysis that finds out what is new. Its memory grows by a bit with each connection that is followed, and with
/// the findings about them.
class LiveMonitor {
 public:
  /// `start`: nanoseconds since 1970.
  explicit LiveMonitor(std::int64_t start) : last_look_(start) {}

  /// A packet that counts.
  void add(const PacketRecord& record);
  /// What the tracker evicted, as far as it is reported, and what was found in it.
  void evict(const Tracking& evicted, const std::vector<Finding>& findings);
  /// What is new in `analysis` at `time`.
  ///
  /// A finding that rests on silence, such as a missing answer, is reported after a minute of silence. Findings about more than
  /// one connection are looked for each time while flows and CM messages are few, else every ten seconds. Findings that need
  /// all connections (the numbers of queue pairs, several senders to one) are looked for in the connections that changed.
  /// The last look looks at all connections, and reports what was held back.
  [[nodiscard]] LiveUpdate look(std::int64_t time, Analysis& analysis, std::span<const LiveCounters> counters,
                                LookKind kind);

  /// What was added to `total` since the call before, and what is outstanding.
  [[nodiscard]] std::vector<LiveCommands> since_last(const std::vector<LiveCommands>& total);

  /// How many findings it remembers, as reported or as not due yet: none of what was evicted.
  [[nodiscard]] std::size_t remembered() const noexcept { return reported_.size() + waiting_.size(); }

 private:
  /// What identifies a finding: its connection, handshake, ID, side.
  using Key = std::tuple<std::uint32_t, std::uint32_t, FindingId, std::size_t>;
  [[nodiscard]] static Key key_of(const Finding& finding) {
    return {finding.connection, finding.handshake, finding.info->id, finding.side.value_or(2)};
  }
  /// The first there may be of the connection and the handshake.
  [[nodiscard]] static Key first_key(std::uint32_t connection, std::uint32_t handshake) {
    return {connection, handshake, FindingId{}, 0};
  }
  void forget(const Connection& connection);
  void forget(const Key& first, const Key& end);

  [[nodiscard]] LiveTotals totals(const Analysis& analysis) const;
  /// A packet of this connection came; 0: of none.
  void add_change(std::uint32_t connection);
  [[nodiscard]] std::vector<Finding> find_new(std::int64_t time, Analysis& analysis, LookKind kind, LiveUpdate& update);
  void find_gone(LiveUpdate& update);
  /// What a look looks at. More takes longer.
  enum class Extent : std::uint8_t {
    kChanges,   ///< what changed
    kEvidence,  ///< also the evidence that is not about one connection alone
    kAll,       ///< and all connections
  };
  [[nodiscard]] Extent extent_of_look(std::int64_t time, const Analysis& analysis, LookKind kind);
  [[nodiscard]] std::vector<std::uint32_t> connections_with_evidence(Extent extent, const Analysis& analysis,
                                                                     std::span<const MemoryRegion> regions) const;
  [[nodiscard]] std::vector<std::uint32_t> connections_to_look_at(std::vector<std::uint32_t> numbers, std::int64_t time,
                                                                  LookKind kind);
  /// Whether a finding that was not reported is to be reported at `time`.
  [[nodiscard]] bool is_due(const Finding& finding, const Key& key, std::int64_t time, LookKind kind);
  [[nodiscard]] bool was_reported(FindingId id) const { return reported_.contains({0, 0, id, 2}); }

  std::int64_t last_look_;
  LiveTotals counted_;  ///< but what the analysis counts
  LiveTotals before_;
  std::vector<LiveCommands> commands_before_;
  std::vector<std::uint32_t> changed_;
  ConnectionSet is_changed_;
  ConnectionSet is_unsure_;    ///< and looked at again: what cannot be said now may be known then
  ConnectionSet is_reported_;  ///< until it is gone
  std::set<Key> reported_;
  std::int64_t last_wide_look_ = std::numeric_limits<std::int64_t>::min();
  std::set<std::uint32_t> with_bad_icrc_;                     ///< connections, until that is reported
  std::set<Key> waiting_;                                     ///< findings that are not due
  std::deque<std::pair<std::int64_t, std::uint32_t>> again_;  ///< when to check which connection for what waits
  LiveUpdate next_;                                           ///< what evictions brought since the last look
};

}  // namespace rocescope
