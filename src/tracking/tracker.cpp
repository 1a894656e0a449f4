#include "rocescope/tracker.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "messages/messages.hpp"
#include "tracking/connections/connection_table.hpp"
#include "tracking/connections/eviction_plan.hpp"
#include "tracking/connections/lookout.hpp"
#include "tracking/handshakes/setup_watcher.hpp"
#include "tracking/observers.hpp"
#include "tracking/requests/judge.hpp"
#include "tracking/requests/requester.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {
namespace {

bool is_connected(Transport transport) {
  return transport == Transport::kRc || transport == Transport::kXrc || transport == Transport::kUc;
}

/// A packet before its connection is known.
FlowPacket flow_packet_of(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  return {.key = FlowKey::of(packet),
          .transport = packet.roce.opcode->transport,
          .request = packet.roce.opcode->request,
          .psn = packet.roce.psn,
          .source_port = record.true_source_port.value_or(packet.roce.udp_source_port),
          .frame = packet.frame.number,
          .time = packet.frame.timestamp};
}

}  // namespace

class Tracker::Implementation {
 public:
  explicit Implementation(const TrackOptions& options)
      : options_(options),
        plan_(options),
        table_(plan_.evicts() ? std::numeric_limits<std::size_t>::max() : options.max_connections, plan_.evicts()),
        observers_(options, unplaced_, table_, setups_.table()) {}

  Verdict track(const PacketRecord& record, bool counts) {
    TrackedPacket tracked{.record = record, .counts = counts};
    const Packet& packet = *record.packet;
    last_time_ = std::max(last_time_, packet.frame.timestamp);
    news_.ended.clear();
    if (plan_.evicts()) {
      plan_.observe(packet.frame.timestamp);
      make_room(0);
    }
    if (!counts) std::swap(unplaced_, uncounted_);
    const std::uint32_t hint = lookout_.place_of(packet);
    if (packet.is_roce()) {
      place(tracked, hint);
      show_payload(tracked);
    }
    std::vector<HandshakeNews> handshakes = setups_.observe(packet);
    if (!handshakes.empty()) connect(handshakes);
    tracked.handshakes = handshakes;
    const Connection* const facts = tracked.connection;
    const bool is_first = facts != nullptr && facts->sides[tracked.sender].first_packet == 0;
    counts ? observers_.observe(tracked) : observe_uncounted(tracked);
    if (!counts) std::swap(unplaced_, uncounted_);
    if (is_first) setups_.table().set_up(facts->handshake, facts->number);
    if (is_first || !handshakes.empty()) make_room(facts != nullptr ? facts->number : 0);
    return tracked.verdict;
  }

  void look_ahead(const Packet& packet) noexcept { lookout_.show(packet); }

  void on_message(MessageVisitor visitor) { observers_.on_message(std::move(visitor)); }

  void subscribe(PayloadSubscriber& subscriber) {
    messages_.subscribe(subscriber);
    has_subscribers_ = true;
  }

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

  [[nodiscard]] std::vector<std::uint32_t> counted_numbers() const {
    std::vector<std::uint32_t> numbers;
    for (const ConnectionState* state : table_.all()) {
      if (has_packets(state->facts)) numbers.push_back(state->facts.number);
    }
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
    observers_.report_totals(result, last_time_);
    return result;
  }

  [[nodiscard]] std::vector<MemoryRegion> memory_regions() const { return observers_.memory_regions(); }

  [[nodiscard]] Tracking finish() {
    Tracking result = totals();
    for (std::unique_ptr<ConnectionState>& state : table_.take_all()) {
      Connection& connection = result.connections.emplace_back(std::move(state->facts));
      complete(connection, *state, last_time_);
      forget(connection, *state);
      state.reset();  // so that no connection is here twice
    }
    observers_.report(result, last_time_);
    return result;
  }

 private:
  /// What belongs to no connection.
  [[nodiscard]] Tracking totals() const {
    Tracking result;
    result.untracked_connection_packets = untracked_;
    result.sightings = unplaced_.sightings;
    result.breaches = unplaced_.breaches;
    setups_.table().add_last_sightings(result.sightings);
    result.handshakes = setups_.table().handshakes();
    for (Handshake& handshake : result.handshakes) {
      if (const ConnectionState* joined = table_.at(handshake.connection)) handshake.connection = joined->facts.number;
    }
    result.unlisted_handshakes = setups_.table().unlisted();
    return result;
  }

  /// Gives those who subscribed the payload of a RoCE packet.
  void show_payload(const TrackedPacket& tracked) {
    const OpcodeInfo& opcode = *tracked.packet().roce.opcode;
    if (opcode.transport == Transport::kUd) {
      if (opcode.operation == Operation::kSend) messages_.observe(tracked.record);
    } else if (has_subscribers_ && tracked.connection != nullptr) {
      messages_.observe({.record = tracked.record,
                         .connection = *tracked.connection,
                         .handshake = setups_.table().find(tracked.connection->handshake),
                         .sender = tracked.sender,
                         .requester = tracked.requester,
                         .verdict = tracked.verdict.kind,
                         .seen_before = tracked.seen_before,
                         .ended = tracked.ended});
    }
  }

  /// The connection is followed no longer.
  void forget(const Connection& connection, const ConnectionState& state) {
    observers_.forget(connection, state);
    if (has_subscribers_) messages_.forget(connection);
  }

  void connect(std::vector<HandshakeNews>& all_news) {
    for (HandshakeNews& news : all_news) {
      if (news.setup) connect(*news.handshake, *news.setup);
    }
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
      complete(evicted.connection, *state, evictees.now);
      forget(evicted.connection, *state);
      for (std::size_t i = 0; i < 2; ++i) {
        const std::span<const Message> open = state->requesters[i]->open_messages();
        evicted.open_messages[i].assign(open.begin(), open.end());
      }
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

  /// Adds to the facts of a connection what `state` knows beside them, and what silence until `end` shows.
  void complete(Connection& connection, const ConnectionState& state, std::int64_t end) const {
    observers_.settle(connection, state, end);
    if (connection.partial) {
      connection.first_time = state.uncounted->first_counted.value_or(connection.first_time);
      connection.last_time = state.uncounted->last_counted.value_or(connection.last_time);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (state.requesters[i].get() == nullptr) continue;
      const Requester& requester = *state.requesters[i];
      connection.sides[i].requests.make() =
          connection.partial ? counted_of(requester.totals(), state.uncounted->requests[i]) : requester.totals();
      if (connection.path_mtu == 0) connection.path_mtu = requester.mtu();
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
      if (!follower && tracked.counts) ++untracked_;
      return;
    }
    tracked.connection = &place.connection->facts;
    tracked.state = place.connection;
    tracked.sender = tracked.requester = place.sender;
    tracked.verdict.connection = place.connection->facts.number;
    if (follower) return;
    if (tracked.counts) return judge(tracked, options_, news_);
    const std::size_t requester = opcode.request ? place.sender : 1 - place.sender;
    const StreamTotals before = place.connection->requesters[requester]->totals();
    judge(tracked, options_, news_);
    const StreamTotals after = place.connection->requesters[requester]->totals();
    add_change(before, after, uncounted(*place.connection).requests[requester]);
  }

  void observe_uncounted(const TrackedPacket& tracked) {
    if (tracked.connection == nullptr) return observers_.observe(tracked);
    Uncounted& aside = uncounted(*tracked.state);
    const auto swap = [&] {
      for (std::size_t i = 0; i < 2; ++i) swap_counts(tracked.connection->sides[i], aside.sides[i]);
    };
    swap();
    observers_.observe(tracked);
    swap();
  }

  /// Made with the first packet that does not count.
  static Uncounted& uncounted(ConnectionState& connection) {
    if (Uncounted* const known = connection.uncounted.get()) return *known;
    Uncounted& made = connection.uncounted.make();
    connection.facts.partial = true;
    if (!has_packets(connection.facts)) return made;
    made.add_counted(connection.facts.first_time);
    made.add_counted(connection.facts.last_time);
    return made;
  }

  TrackOptions options_;
  EvictionPlan plan_;
  ConnectionTable table_;
  Lookout lookout_{table_};
  Unplaced unplaced_;
  Unplaced uncounted_;  // the same of packets that do not count, in its place while one of them is observed
  Messages messages_;
  bool has_subscribers_ = false;  // beside the set-up exchange's, which wants datagrams only
  SetupWatcher setups_{unplaced_.sightings, messages_};
  StreamNews news_;  // of the packet at hand
  Observers observers_;
  EvictionVisitor eviction_visitor_;
  std::int64_t last_time_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t untracked_ = 0;
};

Tracker::Tracker(const TrackOptions& options) : implementation_(std::make_unique<Implementation>(options)) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;

void Tracker::look_ahead(const Packet& packet) noexcept { implementation_->look_ahead(packet); }
Verdict Tracker::track(const PacketRecord& record, bool counts) { return implementation_->track(record, counts); }
void Tracker::on_message(MessageVisitor visitor) { implementation_->on_message(std::move(visitor)); }
void Tracker::visit_open_messages(const MessageVisitor& visitor) const {
  implementation_->visit_open_messages(visitor);
}
void Tracker::subscribe(PayloadSubscriber& subscriber) { implementation_->subscribe(subscriber); }
void Tracker::on_eviction(EvictionVisitor visitor) { implementation_->on_eviction(std::move(visitor)); }
void Tracker::expire(std::int64_t quiet) { implementation_->expire(quiet); }
std::size_t Tracker::followed() const noexcept { return implementation_->followed(); }
std::vector<std::uint32_t> Tracker::numbers() const { return implementation_->numbers(); }
std::vector<std::uint32_t> Tracker::counted_numbers() const { return implementation_->counted_numbers(); }
Tracking Tracker::snapshot(std::span<const std::uint32_t> connections) const {
  return implementation_->snapshot(connections);
}
std::vector<MemoryRegion> Tracker::memory_regions() const { return implementation_->memory_regions(); }
Tracking Tracker::finish() && { return implementation_->finish(); }

}  // namespace rocescope
