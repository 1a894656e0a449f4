// The parts of a Tracker, and the order in which a packet passes them. tracker.cpp has what each packet needs; the other files
// have the rest, by subject.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "messages/messages.hpp"
#include "rocescope/tracker.hpp"
#include "tracking/connections/capture_ends.hpp"
#include "tracking/connections/connection_table.hpp"
#include "tracking/connections/eviction_plan.hpp"
#include "tracking/connections/icrc_senders.hpp"
#include "tracking/connections/lookout.hpp"
#include "tracking/connections/strays.hpp"
#include "tracking/express/express_lane.hpp"
#include "tracking/handshakes/setup_watcher.hpp"
#include "tracking/observers.hpp"
#include "tracking/requests/judge.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// rocescope/tracker.hpp documents the members of Tracker.
class Tracker::Implementation {
 public:
  explicit Implementation(const TrackOptions& options)
      : options_(options),
        plan_(options),
        table_(plan_.evicts() ? std::numeric_limits<std::size_t>::max() : options.max_connections, plan_.evicts()),
        observers_(options, unplaced_, table_, setups_.table(), strays_) {}

  Verdict track(const PacketRecord& record, bool counts);
  [[nodiscard]] ExpressLane& open_express_lane() {
    is_express_ = true;
    table_.settle_with(express_);
    return express_;
  }
  void look_ahead(const Packet& packet) noexcept { lookout_.show(packet); }
  void on_message(MessageVisitor visitor, MessageChoice choice) { observers_.on_message(std::move(visitor), choice); }
  void subscribe(PayloadSubscriber& subscriber) {
    messages_.subscribe(subscriber);
    has_subscribers_ = true;
  }

  [[nodiscard]] const std::uint64_t& moment() const noexcept { return news_.moment; }
  void set_moment(std::uint64_t moment) noexcept { news_.moment = moment; }
  void note_order(BegunMessages* begun) {
    news_.begun = begun;
    table_.note_order();
  }
  [[nodiscard]] const std::vector<std::uint64_t>& order() const noexcept { return table_.order(); }
  void settle() const { static_cast<void>(table_.all()); }
  void pass_time(std::uint32_t capture, std::int64_t time) {
    last_time_ = std::max(last_time_, time);
    ends_.pass(capture, time);
  }
  void name_captures(const std::vector<std::string>& paths) { ends_.name(paths); }

  // tracker_evictions.cpp
  void on_eviction(EvictionVisitor visitor) { eviction_visitor_ = std::move(visitor); }
  void expire(std::int64_t quiet);

  // tracker_results.cpp
  [[nodiscard]] std::size_t followed() const noexcept { return table_.size(); }
  [[nodiscard]] std::optional<rocescope::Progress> progress(std::uint32_t connection, const IpAddress& requester,
                                                            std::optional<Qpn> responder) const;
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;
  [[nodiscard]] std::vector<std::uint32_t> counted_numbers() const;
  [[nodiscard]] FinalNumbers final_numbers() const;
  void visit_open_messages(const MessageVisitor& visitor, const ConnectionChoice& is_wanted);
  [[nodiscard]] Tracking snapshot(std::span<const std::uint32_t> numbers) const;
  [[nodiscard]] std::vector<MemoryRegion> memory_regions() const { return observers_.memory_regions(); }
  [[nodiscard]] Tracking finish();

 private:
  friend struct StateMembers;
  static void join_pieces(ConnectionState& state);
  /// Finds the connection of a RoCE packet and what the packet says in it.
  inline void place(TrackedPacket& tracked, std::uint32_t hint);
  /// Gives the subscribers the payload of a RoCE packet.
  inline void show_payload(const TrackedPacket& tracked);
  /// Of a connection.
  void show_to_subscribers(const TrackedPacket& tracked);
  /// Of a connection that is followed no longer.
  void show_open_messages(const ConnectionState& state);
  void connect(std::vector<HandshakeNews>& all_news);
  void connect(Handshake& handshake, const ConnectionSetup& setup);

  // tracker_damage.cpp
  /// Whether a packet with a wrong ICRC was damaged on its way.
  [[nodiscard, gnu::cold, gnu::noinline]] bool is_damaged(const Packet& packet, std::uint32_t hint);
  [[nodiscard]] bool is_of_other_sender(const Packet& packet);
  [[gnu::cold, gnu::noinline]] void place_damaged(TrackedPacket& tracked, std::uint32_t hint);
  /// A request or response shows that packets before it are missing: those that came by damaged in their addresses or queue pair.
  [[gnu::cold, gnu::noinline]] void adopt_strays(const TrackedPacket& tracked);
  /// A packet with a right ICRC came, of `sender` of `current`, or null: of no connection.
  [[gnu::noinline]] void note_good_icrc(const Packet& packet, ConnectionState* current, std::size_t sender);
  /// Takes back what packets with a wrong ICRC of the same host showed.
  void retract(const Packet& packet, const ConnectionState* current);
  void retract_handshakes(const Packet& packet, const ConnectionState* current);
  void drop(ConnectionState& connection);

  /// Whether such a packet belongs to a connection that is there, and never begins one.
  [[nodiscard]] static bool is_follower(const OpcodeInfo& opcode) noexcept {
    return opcode.operation == Operation::kCnp || opcode.operation == Operation::kReserved;
  }
  static void put(TrackedPacket& tracked, const ConnectionTable::Place& place) {
    tracked.connection = &place.connection->facts;
    tracked.state = place.connection;
    tracked.sender = tracked.requester = place.sender;
    tracked.verdict.connection = place.connection->facts.number;
  }
  /// The verdict on a packet of a connection, whether it counts or not.
  void follow(TrackedPacket& tracked, StreamNews& news) {
    tracked.counts ? judge(tracked, options_, news) : judge_uncounted(tracked, news);
  }

  // tracker_doubts.cpp
  /// Begins a Doubt: this packet may continue its connection, or begin another one.
  [[gnu::cold]] void begin_doubt(const TrackedPacket& tracked);
  /// Takes a packet, which fits its connection by `fit`, as evidence in the Doubt about it. If that shows that the connection has ended,
  /// `tracked` is changed to the new one.
  [[gnu::cold]] void settle_doubt(TrackedPacket& tracked, Fit fit);
  /// Follows the packet in the new connection of the Doubt as well.
  [[gnu::cold]] void follow_apart(const TrackedPacket& tracked);

  // tracker_uncounted.cpp
  /// What judge() does to a packet that counts.
  void judge_uncounted(TrackedPacket& tracked, StreamNews& news);
  /// Puts what packets that do not count show of the connection in the place of its counts; called again, the other way round.
  void swap_counts(const TrackedPacket& tracked);

  // tracker_evictions.cpp
  /// As time goes on, and after connections were made. The connection with the number `except` stays.
  void make_room(std::uint32_t except) {
    if (plan_.is_due(table_, 0)) evict(0, except);
  }
  /// When nothing came for `quiet` ns.
  void evict(std::int64_t quiet, std::uint32_t except);
  void take_tries_before(std::vector<Handshake>& taken, const std::map<std::uint32_t, std::uint32_t>& next_tries);
  void evict_handshakes(Eviction& eviction, const std::map<std::uint32_t, std::uint32_t>& next_tries);
  /// The connection is followed no longer.
  void forget(const Connection& connection, const ConnectionState& state);

  // tracker_results.cpp
  /// What belongs to no connection, but for the handshakes.
  [[nodiscard]] Tracking totals() const;
  /// Adds to the facts of a connection what `state` knows beside them, and what silence until `end` shows.
  void complete(Connection& connection, const ConnectionState& state, std::int64_t end) const;

  /// When the captures end that saw its packets, as far as that is before other captures do.
  [[nodiscard]] std::int64_t end_of(const Connection& connection, const ConnectionState& state) const;

  [[nodiscard]] std::int64_t last_time() const noexcept { return std::max(last_time_, express_.latest()); }

  TrackOptions options_;
  EvictionPlan plan_;
  ConnectionTable table_;
  IcrcSenders senders_;
  Strays strays_;
  Unplaced unplaced_;
  /// The same of packets that do not count or are repeated, in its place while one of them is observed.
  Unplaced uncounted_;
  Messages messages_;
  bool has_subscribers_ = false;  // beside the set-up exchange's, which wants datagrams only
  SetupWatcher setups_{unplaced_, messages_};
  StreamNews news_;           // of the packet at hand
  std::uint32_t doubts_ = 0;  // begun so far
  Observers observers_;
  bool is_express_ = false;  // packets may take the express lane
  ExpressLane express_{options_, plan_, table_, unplaced_, observers_, news_, messages_, setups_.table()};
  Lookout lookout_{table_};
  EvictionVisitor eviction_visitor_;
  std::int64_t last_time_ = std::numeric_limits<std::int64_t>::min();
  CaptureEnds ends_;
};

}  // namespace rocescope
