// What is counted in each side of a connection, packet by packet and message by message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "rocescope/detail/elapsed.hpp"
#include "rocescope/tracker.hpp"
#include "tracking/connections/connection_state.hpp"
#include "tracking/tracked_packet.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope {

/// Times that a packet ended.
struct TimeCounter {
  static constexpr unsigned kWants = traits::kMeasured | traits::kApart;
  static void observe(const TrackedPacket& tracked) {
    for (const Measure& measure : tracked.measures) {
      if (measure.withdrawn) continue;
      // Where the READ ended before, another packet counts than this one.
      const bool elsewhere = measure.read != 0 && measure.counts != tracked.counts;
      auto& sides = elsewhere ? tracked.state->uncounted.make().sides : tracked.connection->sides;
      sides[tracked.requester].times.add(measure.kind, measure.ns);
    }
  }
  /// Those of READs that count as completed, though the requester might still have asked again.
  static void settle(Connection& connection, const ConnectionState& state, std::int64_t /*end*/) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (const Message& open : state.requesters[i]->open_messages()) {
        const auto ns = open.counts ? time_of(open) : std::nullopt;
        if (ns) connection.sides[i].times.add(TimeKind::kMessageTime, *ns);
      }
      for (const Message& read : state.requesters[i]->answered_reads()) {
        const std::int64_t ns = elapsed(read.first_time, read.completion_time);
        if (read.counts && read.has_first && ns >= 0) connection.sides[i].times.add(TimeKind::kMessageTime, ns);
      }
    }
  }
};

/// Messages by operation.
struct MessageCounter {
  static constexpr unsigned kWants = traits::kEnded | traits::kApart;
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
  /// Counts `messages` of `bytes` each. `unsure_bytes` of these may be of other messages.
  static void count(OperationTotals& totals, std::uint64_t bytes, MessageOutcome outcome, std::uint64_t messages = 1,
                    std::uint32_t unsure_bytes = 0) {
    totals.messages += messages;
    totals.bytes += bytes * messages;
    totals.sizes.add(bytes - unsure_bytes, messages);
    if (outcome == MessageOutcome::kCompleted) totals.completed += messages;
    if (outcome == MessageOutcome::kRefused) totals.refused += messages;
  }

 private:
  static void count(const Message& message, ConnectionSide& side) {
    OperationTotals& totals = side.operations.at(message.operation);
    if (message.reopened) {  // it counts already, as completed
      if (message.outcome == MessageOutcome::kRefused) ++totals.refused;
      if (message.outcome != MessageOutcome::kCompleted)
        totals.completed -= std::min<std::uint64_t>(totals.completed, 1);
      return;
    }
    count(totals, message.bytes, message.outcome, 1, message.unsure_bytes);
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
  static constexpr unsigned kWants = traits::kConnected | traits::kDamaged | traits::kApart;
  static void observe(const TrackedPacket& tracked) {
    if (tracked.connection == nullptr) return;  // damaged
    const Packet& packet = tracked.packet();
    Connection& facts = *tracked.connection;
    ConnectionSide& side = facts.sides[tracked.sender];
    const bool damaged = tracked.verdict.damaged;
    if (packet.roce.opcode->operation == Operation::kCnp && !damaged) ++side.cnp_packets;
    if (side.first_packet == 0) side.first_packet = packet.frame.number;
    tracked.state->captures[tracked.sender] = packet.frame.capture_id;
    if (facts.paired_by == PairedBy::kNothing && side.alone->size() < Occurrences::kPackets) {
      side.alone.make().push_back(packet.frame.number);
    }
    side.traffic.add(packet.wire_length);
    if (is_ce_marked(packet) && !damaged) ++side.ce_packets;
    facts.first_time = std::min(facts.first_time, packet.frame.timestamp);
    facts.last_time = std::max(facts.last_time, packet.frame.timestamp);
  }
};

/// Shows each message that ends to the visitor: READs once their requester does not ask for them again.
class MessageVisits {
 public:
  void call(MessageVisitor visitor, MessageChoice choice) {
    visitor_ = std::move(visitor);
    choice_ = choice;
  }

  static constexpr unsigned kWants = traits::kEnded | traits::kMeasured;
  void observe(const TrackedPacket& tracked) {
    if (!visitor_) return;
    for (const Measure& measure : tracked.measures) {
      if (measure.withdrawn) withdraw(measure.read, reads_of(*tracked.connection, tracked.requester));
    }
    if (!tracked.counts) return;
    for (const Message& message : tracked.ended) visit(*tracked.connection, tracked.requester, message);
  }
  /// Whether the visitor is shown messages that end well.
  [[nodiscard]] bool shows_all() const noexcept { return visitor_ && choice_ == MessageChoice::kAll; }
  /// A message of `requester` that ended.
  void visit(const Connection& connection, std::size_t requester, const Message& message) {
    if (!visitor_ || (choice_ == MessageChoice::kTroubled && ends_well(message))) return;
    if (message.is_read() && message.outcome == MessageOutcome::kCompleted) {
      hold(message, connection, requester);
    } else {
      visitor_(connection, requester, message);
    }
  }
  /// The connection is followed no longer.
  void forget(const Connection& connection) {
    for (const std::uint32_t number : {connection.number, connection.joined}) {
      for (std::size_t side = 0; side < 2; ++side) {
        const auto held = reads_.extract({number, side});
        if (held.empty()) continue;
        for (const Message& read : held.mapped()) visitor_(connection, side, read);
      }
    }
  }

 private:
  friend struct StateMembers;
  using Reads = std::vector<Message>;

  static void withdraw(std::uint64_t read, Reads& held) {
    std::erase_if(held, [=](const Message& message) { return message.number == read; });
  }
  [[nodiscard]] Reads& reads_of(const Connection& connection, std::size_t requester) {
    return reads_[{connection.number, requester}];
  }
  void hold(const Message& read, const Connection& connection, std::size_t requester) {
    Reads& held = reads_of(connection, requester);
    if (held.size() == AnsweredReads::kMost) {
      visitor_(connection, requester, held.front());
      held.erase(held.begin());
    }
    held.push_back(read);
  }

  MessageVisitor visitor_;
  MessageChoice choice_ = MessageChoice::kAll;
  std::map<std::pair<std::uint32_t, std::size_t>, Reads> reads_;  // by connection and side; the oldest first
};

}  // namespace rocescope
