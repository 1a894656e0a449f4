// From frames to a report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/connection_set.hpp"
#include "analysis/live_monitor.hpp"
#include "analysis/losing_ways.hpp"
#include "analysis/observations.hpp"
#include "analysis/packet_counters.hpp"
#include "analysis/points/flow_comparisons.hpp"
#include "analysis/points/unsure_hosts.hpp"
#include "analysis/read_options.hpp"
#include "model/express_reason.hpp"
#include "model/live_update.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/live.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

class PacketReader;

struct AnalysisOptions : ReadOptions {
  /// What the source says about itself, such as packets it lost, is true of the packet at hand.
  bool is_live = false;
};

/// Unless the environment variable ROCESCOPE_EXPRESS is `off`. Then all packets go the full way; the reports are the same.
[[nodiscard]] bool is_express_lane_wanted() noexcept;

/// Reads packets until its user wants no more, and reports on those that are selected; on a live capture there may be looks in
/// between. Memory is bounded by the limits of tables, and by a bit for each connection.
///
/// Everything in the report is about the packets that the selection admits: what is counted, rates, hosts, congestion, and findings.
/// The others are followed, since verdicts and the numbers of connections and messages are those of the whole capture: what is
/// missing from the selection is never taken for lost. Each fact counts with the packet that shows it: a loss with the packet that
/// was sent again, a message with the one that ends it. What comes with a connection that has packets in the report is whole: who
/// its sides are, how it was set up and with which handshake, its states.
class Analysis {
 public:
  /// `source` must outlive it.
  Analysis(FrameSource& source, const AnalysisOptions& options);
  ~Analysis();
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  /// Shows `visitor` each message of the report, when it ends, is given up, or at the end; of kTroubled none that ends_well().
  void on_message(MessageVisitor visitor, MessageChoice choice = MessageChoice::kAll);
  /// Makes ready for look(). `start`: nanoseconds since 1970.
  void watch(std::int64_t start) { monitor_.emplace(start); }

  /// Where the report alone is wanted, or a selection that no packet passes which is just what comes next of its connection, next()
  /// does not give these packets. So it may not return for long: `on_batch` is called before every hundred packets or so. Does
  /// nothing where a report is made of a part of the packets, or once some were read.
  void take_express_lane(std::function<void()> on_batch = [] {});

  /// The next packet, selected or not; otherwise as PacketReader::next().
  [[nodiscard]] const PacketRecord* next();
  /// Whether the packet that next() gave last counts.
  [[nodiscard]] bool is_selected() const noexcept;
  /// What is new at `time`, after watch(); `counters` are those of the interfaces.
  [[nodiscard]] LiveUpdate look(std::int64_t time, std::span<const LiveCounters> counters,
                                LookKind kind = LookKind::kOneOfMany);
  /// As PacketReader has them; noted_captures() are its captures().
  void stop();
  void expire(std::int64_t quiet);
  void hold_back() noexcept;
  void go_on();
  void mark_displayed() noexcept;
  [[nodiscard]] std::span<const std::string> comments() const;
  [[nodiscard]] std::span<const CaptureInfo> noted_captures() const;
  [[nodiscard]] std::vector<CapturePoint> capture_points() const;
  [[nodiscard]] PacketReader& reader() noexcept { return *reader_; }
  /// All that was counted of the packets that next() gave stands where it belongs.
  void settle();
  /// The report of all packets that next() gave; nothing more can be asked then.
  [[nodiscard]] Report finish();
  /// The same, before anything is concluded.
  [[nodiscard]] Observations observations();

  [[nodiscard]] Tracker& tracker() noexcept;
  [[nodiscard]] const Tracker& tracker() const noexcept;
  [[nodiscard]] const PacketCounters& counters() const noexcept { return counters_; }
  [[nodiscard]] const EvictedTotals& evicted() const noexcept { return evicted_; }
  /// Of the commands so far, of connections that are followed.
  [[nodiscard]] const TroublesByConnection& command_troubles() const noexcept;
  /// Of the packets so far; before finish(). A live capture's evicted connections are left out: there is no end of them.
  [[nodiscard]] FinalNumbers final_numbers() const;
  [[nodiscard]] std::span<const CaptureInfo> captures() const { return source_.info(); }
  [[nodiscard]] std::uint64_t packets_read() const noexcept;
  [[nodiscard]] bool is_express_lane_open() const noexcept;
  /// Packets that next() did not give, and others.
  [[nodiscard]] const ExpressTotals& express() const noexcept;
  /// That the source gave, also those that are yet to be looked at.
  [[nodiscard]] std::uint64_t frames() const noexcept;
  /// As the report of the packets so far has them. Takes as long as it takes to copy the packets that are waited for.
  [[nodiscard]] std::vector<FlowComparison> comparisons(const std::deque<Connection>& connections) const {
    return FlowComparisons(comparisons_).take(connections);
  }
  /// Packets that the captures say they lost, by now.
  [[nodiscard]] std::uint64_t dropped() const;
  /// How many findings live updates remember.
  [[nodiscard]] std::size_t remembered() const noexcept { return monitor_ ? monitor_->remembered() : 0; }
  /// Takes away the connections and handshakes that none of the packets which count belong to.
  void narrow(Tracking& tracking);
  /// Marks connections whose counts are estimates, since nobody knows at which points their packets were seen (CapturePoints), as
  /// far as was known at the last look. There is nothing to compare of them.
  void mark_unsure(std::deque<Connection>& connections, std::vector<FlowComparison>& comparisons) const;

 private:
  friend struct StateMembers;
  static constexpr std::size_t kMostFindings = 4096;  ///< about what was evicted: the worst

  /// Whether a packet of this connection counts.
  [[nodiscard]] bool is_reported(std::uint32_t connection) const { return connections_.contains(connection); }
  /// Whether a packet of its connection counts, or one of its CM messages.
  [[nodiscard]] bool is_reported(const Handshake& handshake) const;
  void evict(Eviction&& eviction);
  [[nodiscard]] ShardFacts shard_facts();
  /// No packet comes any more: all commands are over, or known to be open.
  void finish_commands();
  void trim_findings();

  FrameSource& source_;
  bool is_live_;
  bool reports_;
  bool verifies_icrc_;
  bool counts_when_read_;  ///< in the thread that reads, where there is one
  TrackOptions track_;
  std::uint64_t packets_read_ = 0;
  PacketCounters counters_;
  /// The connections with packets that count, where not all packets do. Evicted ones too: their handshakes may still be here.
  ConnectionSet connections_;
  EvictedTotals evicted_;
  FinalNumbers evicted_numbers_;
  LosingWays losing_ways_;
  FlowComparisons comparisons_;
  UnsureHosts unsure_hosts_;  ///< at the last look, and at the end
  std::vector<Finding> evicted_findings_;
  MessageVisitor visitor_;
  std::optional<LiveMonitor> monitor_;
  std::unique_ptr<PacketReader> reader_;  ///< whoever uses a report needs to know nothing of how packets are read
};

}  // namespace rocescope
