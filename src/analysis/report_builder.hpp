// Makes a report from packets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/capture_counter.hpp"
#include "analysis/cm_log.hpp"
#include "analysis/connection_set.hpp"
#include "analysis/flow_table.hpp"
#include "analysis/icrc_counter.hpp"
#include "analysis/operation_counter.hpp"
#include "analysis/protocol_tree.hpp"
#include "analysis/stop_counter.hpp"
#include "analysis/ud_flows.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// What only the reader of a capture knows of it.
struct ReadFacts {
  std::span<const CaptureInfo> captures;  ///< Frame::capture_id indexes it
  std::uint64_t packets_read = 0;         ///< before narrowing
  bool icrc_verified = true;
  std::uint64_t icrc_unsearched = 0;  ///< IcrcVerifier::unsearched_packets()
  /// That gave the records their verdicts; the report takes what it knows. Null: the report has no connections.
  Tracker* tracker = nullptr;
};

/// Shows each packet to all trackers. Its memory is bounded by their limits, whatever the capture holds, and by a bit for each
/// connection of which a packet was added.
class ReportBuilder {
 public:
  void add(const PacketRecord& record) {
    count(record);
    tell(record);
  }
  /// The two halves of add(), for a packet that is read in one thread and tracked in another: what it says by itself, of which
  /// the verdict is no part,
  void count(const PacketRecord& record);
  /// and what it has to do with others.
  void tell(const PacketRecord& record);

  /// Whether a packet of this connection was added.
  [[nodiscard]] bool is_told(std::uint32_t connection) const { return connections_.contains(connection); }
  /// Takes from a report what a tracker knows of connections and handshakes that none of the packets which were added belong to.
  void narrow(Report& report, const ReadFacts& facts) const;
  /// Adds what findings rest on beside what a tracker knows: of the packets so far.
  void tell_evidence(Report& report) const;
  /// How many parts it has: its cost grows with them.
  [[nodiscard]] std::size_t evidence() const noexcept { return flows_.size() + cm_.events().size(); }
  /// What the tracker evicted; `facts` as they are now, whose tracker is not asked.
  void evict(const Eviction& eviction, const ReadFacts& facts);
  /// The report of the packets. Takes what was counted.
  [[nodiscard]] Report finish(const ReadFacts& facts) &&;

 private:
  static constexpr std::size_t kMostFindings = 4096;  ///< about what was evicted: the worst

  /// Whether packets were read that were not added.
  [[nodiscard]] bool is_narrowed(const ReadFacts& facts) const;
  /// Whether a packet of its connection was added, or one of its CM messages.
  [[nodiscard]] bool is_told(const Handshake& handshake) const;
  void keep_findings(const Report& evicted);
  void trim_findings();

  CaptureCounter all_;
  std::optional<std::int64_t> start_;
  std::vector<CaptureCounter> by_capture_;
  ProtocolTree protocols_;
  OperationCounter operations_;
  FlowTable flows_;
  UdFlows ud_flows_;
  CmLog cm_;
  IcrcCounter icrc_;
  StopCounter stops_;
  ConnectionSet connections_;  // evicted ones as well: handshakes and regions that are here still may be theirs
  EvictedTotals evicted_;
  std::vector<Finding> evicted_findings_;
};

}  // namespace rocescope
