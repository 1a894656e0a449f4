// What is counted in each side of a connection, packet by packet and message by message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "rocescope/tracker.hpp"
#include "tracking/connections/connection_state.hpp"
#include "tracking/elapsed.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Times that a packet ended.
struct TimeCounter {
  static constexpr unsigned kWants = traits::kMeasured;
  static void observe(const TrackedPacket& tracked) {
    TimeTable& times = tracked.connection->sides[tracked.requester].times;
    for (const Measure& measure : tracked.measures) times.add(measure.kind, measure.ns);
  }
  /// Those of READs that count as completed, though the requester might still have asked again.
  static void settle(Connection& connection, const ConnectionState& state, std::int64_t /*end*/) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (const Message& open : state.requesters[i]->open_messages()) {
        const auto ns = open.counts ? time_of(open) : std::nullopt;
        if (ns) connection.sides[i].times.add(TimeKind::kMessageTime, *ns);
      }
    }
  }
};

/// Messages by operation.
struct MessageCounter {
  static constexpr unsigned kWants = traits::kEnded;
  static void observe(const TrackedPacket& tracked) {
    ConnectionSide& side = tracked.connection->sides[tracked.requester];
    for (const Message& message : tracked.ended) count(message, side);
  }
  /// Those that did not end.
  static void settle(Connection& connection, const ConnectionState& state, std::int64_t /*end*/) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (const Message& open : state.requesters[i]->open_messages()) {
        if (open.counts) count(open, connection.sides[i]);
      }
    }
  }

 private:
  static void count(const Message& message, ConnectionSide& side) {
    OperationTotals& totals = side.operations.at(message.operation);
    ++totals.messages;
    totals.bytes += message.bytes;
    totals.sizes.add(message.bytes);
    if (message.outcome == MessageOutcome::kCompleted) ++totals.completed;
    if (message.outcome == MessageOutcome::kRefused) ++totals.refused;
  }
};

/// Requests on a connection that both sides closed; not those that were still on their way then.
class StaleWatch {
 public:
  /// `reorder_window` in nanoseconds.
  explicit StaleWatch(std::int64_t reorder_window) : reorder_window_(reorder_window) {}

  static constexpr unsigned kWants = traits::kConnected;
  void observe(const TrackedPacket& tracked) const {
    const Packet& packet = tracked.packet();
    const Lifetime* const life = tracked.state->life.get();
    if (life == nullptr || !life->closed || !packet.roce.opcode->request) return;
    if (elapsed(life->closed_at, packet.frame.timestamp) < reorder_window_) return;
    tracked.connection->sides[tracked.sender].sightings.add(FindingId::kStaleConnection, packet.frame.number,
                                                            packet.frame.timestamp);
  }

 private:
  std::int64_t reorder_window_;
};

/// Packets and bytes of each sender.
struct TrafficCounter {
  static constexpr unsigned kWants = traits::kConnected | traits::kDamaged;
  static void observe(const TrackedPacket& tracked) {
    if (tracked.connection == nullptr) return;  // damaged
    const Packet& packet = tracked.packet();
    Connection& facts = *tracked.connection;
    ConnectionSide& side = facts.sides[tracked.sender];
    const bool damaged = tracked.verdict.damaged;
    if (packet.roce.opcode->operation == Operation::kCnp && !damaged) ++side.cnp_packets;
    if (side.first_packet == 0) side.first_packet = packet.frame.number;
    if (facts.paired_by == PairedBy::kNothing && side.alone->size() < Occurrences::kPackets) {
      side.alone.make().push_back(packet.frame.number);
    }
    side.traffic.add(packet.wire_length);
    constexpr unsigned kEcnMask = 3;
    if ((packet.traffic_class & kEcnMask) == kEcnMask && !damaged) ++side.ce_packets;
    facts.first_time = std::min(facts.first_time, packet.frame.timestamp);
    facts.last_time = std::max(facts.last_time, packet.frame.timestamp);
  }
};

/// Shows each message that ends to the visitor.
class MessageVisits {
 public:
  void call(MessageVisitor visitor) { visitor_ = std::move(visitor); }

  static constexpr unsigned kWants = traits::kEnded;
  void observe(const TrackedPacket& tracked) const {
    if (!visitor_ || !tracked.counts) return;
    for (const Message& message : tracked.ended) visitor_(*tracked.connection, tracked.requester, message);
  }

 private:
  MessageVisitor visitor_;
};

}  // namespace rocescope
