#include "rocescope/tracker.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tracking/connections/connection_table.hpp"
#include "tracking/connections/eviction_plan.hpp"
#include "tracking/connections/lookout.hpp"
#include "tracking/engine_packets.hpp"
#include "tracking/handshakes/handshake_follower.hpp"
#include "tracking/handshakes/setup_watcher.hpp"
#include "tracking/observers.hpp"
#include "tracking/requests/requester.hpp"
#include "tracking/tracked_packet.hpp"
#include "tracking/watchers/conformance.hpp"
#include "tracking/watchers/payload_watch.hpp"
#include "tracking/watchers/read_depth.hpp"
#include "tracking/watchers/state_watcher.hpp"
#include "tracking/watchers/trouble.hpp"

namespace rocescope {
namespace {

bool is_connected(Transport transport) {
  return transport == Transport::kRc || transport == Transport::kXrc || transport == Transport::kUc;
}

void count_ended(std::span<const Message> ended, ConnectionSide& side) {
  for (const Message& message : ended) {
    OperationTotals& totals = side.operations.at(message.operation);
    ++totals.messages;
    totals.bytes += message.bytes;
    totals.sizes.add(message.bytes);
    if (message.outcome == MessageOutcome::kCompleted) ++totals.completed;
    if (message.outcome == MessageOutcome::kRefused) ++totals.refused;
  }
}

}  // namespace

class Tracker::Implementation {
 public:
  explicit Implementation(const TrackOptions& options)
      : options_(options),
        plan_(options),
        table_(plan_.evicts() ? std::numeric_limits<std::size_t>::max() : options.max_connections, plan_.evicts()),
        observers_(options) {}

  Verdict track(const PacketRecord& record) {
    TrackedPacket tracked{.record = record};
    last_time_ = std::max(last_time_, record.packet->frame.timestamp);
    news_.ended.clear();
    if (plan_.evicts()) {
      plan_.see(record.packet->frame.timestamp);
      make_room(0);
    }
    if (std::vector<HandshakeNews> news = setups_.add(*record.packet); !news.empty()) set_up(news, *record.packet);
    const std::uint32_t hint = lookout_.place_of(*record.packet);
    if (record.packet->is_roce()) place(tracked, hint);
    observe(tracked);
    return tracked.verdict;
  }

  void look_ahead(const Packet& packet) noexcept { lookout_.show(packet); }

  void on_message(MessageVisitor visitor) { visitor_ = std::move(visitor); }

  void on_eviction(EvictionVisitor visitor) { eviction_visitor_ = std::move(visitor); }

  void expire(std::int64_t quiet) {
    plan_.wait(quiet);
    if (plan_.is_due(table_, quiet)) evict(quiet, 0);
  }

  [[nodiscard]] std::size_t followed() const noexcept { return table_.size(); }

  [[nodiscard]] std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> numbers;
    for (const ConnectionState* state : table_.all()) numbers.push_back(state->facts.number);
    return numbers;
  }

  void visit_open_messages(const MessageVisitor& visitor) const {
    for (const ConnectionState* state : table_.all()) {
      for (std::size_t i = 0; i < 2; ++i) {
        for (const Message& open : state->requesters[i]->open_messages()) visitor(state->facts, i, open);
      }
    }
  }

  [[nodiscard]] Tracking snapshot(std::span<const std::uint32_t> numbers) const {
    Tracking result = totals();
    for (const std::uint32_t number : numbers) {
      const ConnectionState* const state = table_.own(number);
      if (state != nullptr) complete(result.connections.emplace_back(state->facts), *state, last_time_);
    }
    observers_.tell_totals(result);
    return result;
  }

  [[nodiscard]] std::vector<MemoryRegion> memory_regions() const { return observers_.memory_regions(); }

  [[nodiscard]] Tracking finish() {
    Tracking result = totals();
    for (std::unique_ptr<ConnectionState>& state : table_.take_all()) {
      Connection& connection = result.connections.emplace_back(std::move(state->facts));
      end(connection, *state, last_time_);
      state.reset();  // so that no connection is here twice
    }
    observers_.tell(result);
    return result;
  }

 private:
  /// What is known of no connection in particular.
  [[nodiscard]] Tracking totals() const {
    Tracking result;
    result.untracked_packets = untracked_;
    result.sightings = sightings_;
    result.breaches = breaches_;
    setups_.table().add_last_sightings(result.sightings);
    result.handshakes = setups_.table().handshakes();
    for (Handshake& handshake : result.handshakes) {
      if (const ConnectionState* joined = table_.at(handshake.connection)) handshake.connection = joined->facts.number;
    }
    result.unlisted_handshakes = setups_.table().unlisted();
    return result;
  }

  void set_up(std::vector<HandshakeNews>& all_news, const Packet& packet) {
    for (HandshakeNews& news : all_news) {
      if (news.setup) connect(*news.handshake, *news.setup);
      states_.add(news, packet);
    }
    make_room(0);
  }

  /// A connection that its DREQ was taken to tear down before its REP was seen is another one's.
  void connect(Handshake& handshake, const ConnectionSetup& setup) {
    ConnectionState* const guessed = table_.at(handshake.connection);
    if (guessed != nullptr && guessed->facts.paired_by < PairedBy::kOob) guessed->facts.handshake = 0;
    handshake.connection = table_.set_up(setup);
  }

  /// As time goes on, and after connections were made. That with the number `except` stays.
  void make_room(std::uint32_t except) {
    if (plan_.is_due(table_, 0)) evict(0, except);
  }

  /// When nothing came for `quiet` ns.
  void evict(std::int64_t quiet, std::uint32_t except) {
    const EvictionPlan::Evictees evictees = plan_.look(table_, quiet, except);
    Eviction eviction{.idle_since = evictees.idle_since, .connections = {}, .handshakes = {}, .memory_regions = {}};
    const std::size_t idle = evictees.numbers.size() - evictees.crowded;
    for (const std::uint32_t number : evictees.numbers) {
      const std::unique_ptr<ConnectionState> state = table_.take(number);
      EvictedConnection& evicted = eviction.connections.emplace_back();
      evicted.connection = std::move(state->facts);
      evicted.crowded = eviction.connections.size() > idle;
      end(evicted.connection, *state, evictees.now);
      observers_.settle(evicted.connection);
      for (std::size_t i = 0; i < 2; ++i) {
        const std::span<const Message> open = state->requesters[i]->open_messages();
        evicted.open_messages[i].assign(open.begin(), open.end());
      }
      states_.forget(number);
      if (evicted.connection.joined != 0) states_.forget(evicted.connection.joined);
      if (!setups_.table().has(evicted.connection.handshake)) continue;
      eviction.handshakes.push_back(setups_.table().take(evicted.connection.handshake));
      eviction.handshakes.back().connection = number;
    }
    if (eviction.idle_since) {
      evict_handshakes(eviction);
      eviction.memory_regions = observers_.evict(*eviction.idle_since);
    }
    if (!eviction.handshakes.empty()) setups_.forget_taken();
    if (eviction_visitor_) eviction_visitor_(std::move(eviction));
  }

  void evict_handshakes(Eviction& eviction) {
    std::unordered_set<std::uint32_t> needed;
    for (const ConnectionState* state : table_.all()) needed.insert(state->facts.handshake);
    auto idle = setups_.table().take_idle(*eviction.idle_since, [&](const Handshake& handshake) {
      return needed.contains(handshake.number) || table_.at(handshake.connection) != nullptr;
    });
    std::ranges::move(idle, std::back_inserter(eviction.handshakes));
    table_.forget_announced([this](std::uint32_t handshake) { return setups_.table().has(handshake); });
  }

  /// `connection` has the facts of `state`, which goes no further than `time`.
  void end(Connection& connection, const ConnectionState& state, std::int64_t time) {
    complete(connection, state, time);
    for (std::size_t i = 0; i < 2; ++i) {
      for (const Message& open : state.requesters[i]->open_messages()) observers_.see_open(open, connection, i);
    }
  }

  /// Adds to the facts of a connection what `state` knows beside them, and what silence until `end` tells.
  void complete(Connection& connection, const ConnectionState& state, std::int64_t end) const {
    states_.finish(connection, state, end);
    for (std::size_t i = 0; i < 2; ++i) {
      if (state.requesters[i].get() == nullptr) continue;
      const Requester& requester = *state.requesters[i];
      connection.sides[i].requests.make() = requester.totals();
      if (connection.path_mtu == 0) connection.path_mtu = requester.mtu();
      for (const Message& open : requester.open_messages()) {
        OperationTotals& totals = connection.sides[i].operations.at(open.operation);
        ++totals.messages;
        totals.bytes += open.bytes;
        totals.sizes.add(open.bytes);
      }
    }
  }

  /// Finds the connection of a RoCE packet and what the packet says in it.
  void place(TrackedPacket& tracked, std::uint32_t hint) {
    const Packet& packet = tracked.packet();
    const OpcodeInfo& opcode = *packet.roce.opcode;
    const bool cnp = opcode.operation == Operation::kCnp;
    if (!cnp && !is_connected(opcode.transport)) return;
    // These are packets of a connection where there is one, and make none.
    const bool follower = cnp || opcode.operation == Operation::kReserved;
    const auto place =
        follower ? table_.find_existing(FlowKey::of(packet), hint) : table_.find(flow_packet_of(tracked.record), hint);
    if (place.connection == nullptr) {
      if (!follower) ++untracked_;
      return;
    }
    tracked.connection = &place.connection->facts;
    tracked.state = place.connection;
    tracked.sender = tracked.requester = place.sender;
    tracked.verdict.connection = place.connection->facts.number;
    if (!follower) judge(tracked, *place.connection);
  }

  void judge(TrackedPacket& tracked, ConnectionState& connection) {
    const PacketRecord& record = tracked.record;
    const OpcodeInfo& opcode = *record.packet->roce.opcode;
    if (is_stray(opcode.transport, connection)) return;
    if (!opcode.request) tracked.requester = 1 - tracked.sender;
    bool& had_good = connection.had_good_icrc[tracked.sender];
    if (record.icrc.status == IcrcStatus::kGood) had_good = true;
    // Its receiver drops a packet with a wrong ICRC. Where every one of a sender is wrong, its NIC fills it in later.
    Requester& requester = connection.requester(tracked.requester);
    if (record.icrc.status == IcrcStatus::kBad && had_good) {
      if (opcode.request) requester.corrupt(record.packet->roce.psn, record.packet->frame.number, news_);
      return;
    }
    requester.set_reliable(opcode.transport != Transport::kUc);
    if (opcode.request) {
      tracked.seen_before = requester.has_seen(record.packet->roce.psn);
      const bool arrived = requester.has_arrived(record.packet->roce.psn);
      tracked.verdict = requester.request(request_of(tracked), options_, news_);
      tracked.answered_before = arrived && tracked.verdict.kind != VerdictKind::kCaptureDuplicate;
      const Recovery* recovery = requester.recovery();
      tracked.began_recovery = recovery != nullptr && recovery->first_frame == record.packet->frame.number;
      if (opcode.transport == Transport::kUc) {
        requester.settle(record.packet->frame.number, record.packet->frame.timestamp, news_);
      }
    } else {
      tracked.verdict = requester.response(response_of(tracked), news_);
    }
    tracked.verdict.connection = connection.facts.number;
    tracked.measures = news_.measures;
    tracked.ended = news_.ended;
    share_mtu(requester, connection, 1 - tracked.requester);
  }

  /// The path MTU that one direction showed is that of the other as well.
  static void share_mtu(const Requester& known, ConnectionState& connection, std::size_t other) {
    if (connection.shares_mtu || known.mtu() == 0) return;
    Requester* const its = connection.requesters[other].get();
    if (its == nullptr) return;
    if (its->mtu() == 0) its->set_mtu(known.mtu());
    connection.shares_mtu = true;
  }

  /// Whether a packet is of another transport than its queue pair, which drops it. Where nobody told the transport, a
  /// second one in a row means that another queue pair has the number now.
  static bool is_stray(Transport transport, ConnectionState& connection) {
    Connection& facts = connection.facts;
    const auto used = [&] { return facts.sides[0].traffic.packets + facts.sides[1].traffic.packets > 0; };
    const bool other = transport != facts.transport;
    if (other && (facts.paired_by == PairedBy::kCm || (!connection.stray && used()))) return connection.stray = true;
    connection.stray = false;
    facts.transport = transport;
    return false;
  }

  /// Shows the packet to all who count, in any order.
  void observe(const TrackedPacket& tracked) {
    observers_.see(tracked, sightings_);
    Conformance::see(tracked, breaches_);
    payloads_.see(tracked);
    ReadDepth::see(tracked);
    note_trouble(tracked, sightings_);
    if (tracked.connection == nullptr) return;
    states_.add(tracked);
    follower_.add(tracked);
    note_stale(tracked);
    note_traffic(tracked);
    count_ended(tracked.ended, tracked.connection->sides[tracked.requester]);
    if (!visitor_) return;
    for (const Message& message : tracked.ended) visitor_(*tracked.connection, tracked.requester, message);
  }

  /// Requests on a connection that both sides closed; not those that were still on their way then.
  void note_stale(const TrackedPacket& tracked) {
    const Packet& packet = tracked.packet();
    const ConnectionState& state = *tracked.state;
    if (!state.closed || !packet.roce.opcode->request) return;
    if (elapsed(state.closed_at, packet.frame.timestamp) < options_.reorder_window) return;
    tracked.connection->sides[tracked.sender].sightings.add(FindingId::kStaleConnection, packet.frame.number,
                                                            packet.frame.timestamp);
  }

  void note_traffic(const TrackedPacket& tracked) {
    const Packet& packet = tracked.packet();
    Connection& facts = *tracked.connection;
    ConnectionSide& side = facts.sides[tracked.sender];
    if (packet.roce.opcode->operation == Operation::kCnp) ++side.cnp_packets;
    if (side.first_packet == 0) {
      side.first_packet = packet.frame.number;
      setups_.table().set_up(facts.handshake, facts.number);
      make_room(facts.number);
    }
    if (facts.paired_by == PairedBy::kNothing && side.alone->size() < Occurrences::kPackets) {
      side.alone.make().push_back(packet.frame.number);
    }
    side.traffic.add(packet.wire_length);
    constexpr unsigned kEcnMask = 3;
    if ((packet.traffic_class & kEcnMask) == kEcnMask) ++side.ce_packets;
    facts.first_time = std::min(facts.first_time, packet.frame.timestamp);
    facts.last_time = std::max(facts.last_time, packet.frame.timestamp);
  }

  TrackOptions options_;
  EvictionPlan plan_;
  ConnectionTable table_;
  Lookout lookout_{table_};
  Sightings sightings_;
  SetupWatcher setups_{sightings_};
  StateWatcher states_{table_, setups_.table()};
  HandshakeFollower follower_{setups_.table()};
  StreamNews news_;  // of the packet at hand
  Observers observers_;
  MessageVisitor visitor_;
  EvictionVisitor eviction_visitor_;
  PayloadWatch payloads_;
  Breaches breaches_;
  std::int64_t last_time_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t untracked_ = 0;
};

Tracker::Tracker(const TrackOptions& options) : implementation_(std::make_unique<Implementation>(options)) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;

void Tracker::look_ahead(const Packet& packet) noexcept { implementation_->look_ahead(packet); }
Verdict Tracker::track(const PacketRecord& record) { return implementation_->track(record); }
void Tracker::on_message(MessageVisitor visitor) { implementation_->on_message(std::move(visitor)); }
void Tracker::visit_open_messages(const MessageVisitor& visitor) const {
  implementation_->visit_open_messages(visitor);
}
void Tracker::on_eviction(EvictionVisitor visitor) { implementation_->on_eviction(std::move(visitor)); }
void Tracker::expire(std::int64_t quiet) { implementation_->expire(quiet); }
std::size_t Tracker::followed() const noexcept { return implementation_->followed(); }
std::vector<std::uint32_t> Tracker::numbers() const { return implementation_->numbers(); }
Tracking Tracker::snapshot(std::span<const std::uint32_t> connections) const {
  return implementation_->snapshot(connections);
}
std::vector<MemoryRegion> Tracker::memory_regions() const { return implementation_->memory_regions(); }
Tracking Tracker::finish() && { return implementation_->finish(); }

}  // namespace rocescope
