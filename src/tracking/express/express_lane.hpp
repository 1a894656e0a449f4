// The express lane: packets that are exactly what comes next of their connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "messages/messages.hpp"
#include "model/express_reason.hpp"
#include "rocescope/frame.hpp"
#include "rocescope/message.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/record.hpp"
#include "tracking/connections/connection_table.hpp"
#include "tracking/connections/eviction_plan.hpp"
#include "tracking/express/express_connection.hpp"
#include "tracking/express/express_packet.hpp"
#include "tracking/express/express_run.hpp"
#include "tracking/express/express_waiting.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/observers.hpp"

namespace rocescope {

class EndedMessages;

/// Most packets of most captures are expected ones. An expected packet changes few members, which stand here together.
/// When another packet comes, the connection is settled: its full state becomes as if all packets had gone the full
/// way. It then goes the full way until nothing about it is unusual. The lane checks no rule that a packet could break:
/// what an expected packet looks like follows from the packets before it, which went the full way.
class ExpressLane final : public ConnectionTable::Settler {
 public:
  ExpressLane(const TrackOptions& options, EvictionPlan& plan, const ConnectionTable& table, Unplaced& unplaced,
              Observers& observers, StreamNews& news, Messages& payloads, const HandshakeTable& handshakes)
      : interval_(static_cast<std::uint64_t>(options.rate_interval)),
        window_(options.cnp_window),
        slot_(static_cast<std::uint64_t>(RateMeter::width_of(options.cnp_window))),
        plan_(plan),
        table_(table),
        unplaced_(unplaced),
        observers_(observers),
        news_(news),
        payloads_(payloads),
        handshakes_(handshakes) {}

  /// The place of the flow of a packet in the table, by the hash of its key. place_of() is quicker some time after
  /// prefetch_entry().
  void prefetch_entry(const ExpressPacket& packet) const noexcept { table_.prefetch_entry(packet.hash); }
  [[nodiscard]] std::uint32_t place_of(const ExpressPacket& packet) const noexcept {
    return table_.place_of(packet.hash);
  }
  /// Counts the packet in `frame`, if it is what comes next of the flow at `place`; else says why not.
  [[nodiscard]] ExpressReason pass(const ExpressPacket& packet, std::uint32_t place, const Frame& frame);
  /// A packet went the full way: finds out whether the next ones can take the lane.
  void arm(const TrackedPacket& tracked) {
    if (tracked.connection != nullptr) tracked.state->refusal = try_to_arm(tracked);
  }
  /// Brings the full state up to date.
  void settle(ConnectionState& state) override;

  /// The next packet of each direction goes the full way: idle flows were evicted. All connections are settled.
  void forget_likeness();

  /// Shows `visitor` what a settled connection counted since.
  void on_settled(ExpressVisitor visitor) { visitor_ = std::move(visitor); }
  /// The latest time of a packet that it took.
  [[nodiscard]] std::int64_t latest() const noexcept { return latest_; }
  /// Whether the memory that packets need may be in no cache. That of a few connections, some kilobytes each, is in
  /// one.
  [[nodiscard]] bool is_far() const noexcept { return connections_.size() > kNear; }
  // Fetch into the cache what a later packet will need, in steps: on the lane, or if its connection is not armed, the full way. `place`:
  // that of the packet's flow.
  void prefetch(std::uint32_t place, ExpressKind kind) const noexcept;
  /// The second step. `before`: packets of the connection directly before this one whose turn has not come. Returns whether the packet
  /// needs the further steps.
  [[nodiscard]] bool prefetch_counts(std::uint32_t place, const ExpressPacket& packet, std::uint32_t before);
  void prefetch_parts(std::uint32_t place, const ExpressPacket& packet);
  void prefetch_contents(std::uint32_t place, const ExpressPacket& packet) const noexcept;

 private:
  static constexpr std::size_t kNear = 96;  // connections

  [[nodiscard]] ExpressConnection* at(std::uint32_t slot) const noexcept {
    return slot < connections_.size() ? connections_[slot].get() : nullptr;
  }
  [[nodiscard]] std::span<const ExpressFacts> all_waiting(const ExpressConnection& connection) const noexcept {
    if (connection.waits == 0) return {};
    return {block_of(connection), connection.waits};
  }
  [[nodiscard]] ExpressFacts* block_of(const ExpressConnection& connection) const noexcept {
    return connection.has_large_block ? large_blocks_.at(connection.block) : small_blocks_.at(connection.block);
  }
  /// Packets in its block.
  [[nodiscard]] static std::size_t room_of(const ExpressConnection& connection) noexcept {
    return connection.has_large_block ? ExpressLargeBlocks::kPackets : ExpressSmallBlocks::kPackets;
  }
  /// Why a request, or a response, of the flow at `place` does not pass: its connection is not armed.
  [[nodiscard]] ExpressReason refusal_of(std::uint32_t place, bool request) const;
  [[nodiscard]] bool is_worth(const ConnectionState& state);
  [[nodiscard]] ExpressReason try_to_arm(const TrackedPacket& tracked);
  [[nodiscard]] ExpressReason pass_request(ExpressConnection& connection, std::size_t sender,
                                           const ExpressPacket& packet);
  [[nodiscard]] ExpressReason pass_response(ExpressConnection& connection, std::size_t sender,
                                            const ExpressPacket& packet);
  [[nodiscard]] bool is_next_answer(const ExpressSide& side, const ExpressSide& requester, const ExpressMessage& read,
                                    const ExpressPacket& packet) const noexcept;
  void take_block(ExpressConnection& connection);
  void wait(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet);
  void note(const ExpressPacket& packet, std::uint64_t identity, std::size_t sender);
  void show(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet, const Frame& frame);
  void show_payload(ExpressConnection& connection, std::size_t sender, const ExpressPacket& packet, const Frame& frame);
  [[nodiscard]] static PayloadInterest interest_in(const ConnectionState& state) noexcept;
  void preview(ExpressConnection& connection);
  void preview(ExpressConnection& connection, std::size_t requester);
  // express_counting.cpp
  void count_waiting(ExpressConnection& connection);
  void count(ExpressConnection& connection, std::span<const ExpressFacts> packets);
  [[nodiscard]] std::span<const ExpressFacts> run_at(ExpressConnection& connection,
                                                     std::span<const ExpressFacts> packets);
  void count_requests(ExpressConnection& connection, std::size_t sender, std::span<const ExpressFacts> run);
  void count_outstanding_read(ExpressConnection& connection, std::size_t sender, const ExpressFacts& read);
  void count_responses(ExpressConnection& connection, std::size_t sender, std::span<const ExpressFacts> run,
                       EndedMessages& ended);
  void count_answer(ExpressConnection& connection, std::size_t sender, const ExpressFacts& facts, ExpressMessage& read);
  void add_data(std::span<const ExpressFacts> data, std::uint64_t bytes, ConnectionSide& facts,
                ExpressSide& side) const;
  [[nodiscard]] std::span<const ExpressFacts> start_meter(std::span<const ExpressFacts> data, ConnectionSide& facts,
                                                          ExpressSide& side) const;
  static void acknowledge(ExpressStream& stream, Psn psn);
  void end_messages(ExpressConnection& connection, std::size_t requester, const ExpressFacts& by, EndedMessages& ended);
  [[nodiscard]] Sent& bucket_at(ExpressConnection& connection, std::size_t side, std::int64_t time);
  void report(const ExpressConnection& connection, std::size_t sender) const;
  void flush(ExpressConnection& connection, std::size_t sender);
  void settle_side(ExpressConnection& connection, std::size_t sender);
  [[nodiscard]] ExpressReason look_at(const ConnectionState& state) const;
  [[nodiscard]] ExpressConnection& make(ConnectionState& state);
  [[nodiscard]] ExpressReason arm_side(ConnectionState& state, ExpressConnection& connection, std::size_t side);

  std::uint64_t interval_;
  std::int64_t window_;
  std::uint64_t slot_;
  EvictionPlan& plan_;
  const ConnectionTable& table_;
  Unplaced& unplaced_;
  Observers& observers_;
  StreamNews& news_;
  Messages& payloads_;
  const HandshakeTable& handshakes_;
  Packet shown_;  // what those who want payload see of a packet
  PacketRecord shown_record_{.packet = &shown_};
  Message ended_;                                                // what they see of a message
  std::vector<std::unique_ptr<ExpressConnection>> connections_;  // by slot of the table
  ExpressSmallBlocks small_blocks_;
  ExpressLargeBlocks large_blocks_;
  bool are_many_ = false;  // connections
  ExpressVisitor visitor_;
  std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace rocescope
