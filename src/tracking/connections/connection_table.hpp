// Which packets belong to which connection.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tracking/connections/connection_setup.hpp"
#include "tracking/connections/connection_state.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/connections/flow_packet.hpp"
#include "tracking/connections/index_table.hpp"
#include "tracking/connections/unpaired_flows.hpp"
#include "tracking/prefetch.hpp"

namespace rocescope {

class ConnectionTable {
 public:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  /// Set-ups that wait for their first packet; then they are all forgotten.
  static constexpr std::size_t kMostAnnounced = 65'536;

  /// With `reuses` those that were taken leave room for others.
  explicit ConnectionTable(std::size_t max_connections, bool reuses = false)
      : max_connections_(max_connections), reuses_(reuses) {}

  /// Keeps some of what a connection's state has, while that is `on_express_lane`.
  class Settler {
   public:
    virtual void settle(ConnectionState& connection) = 0;

   protected:
    ~Settler() = default;
  };
  /// Whoever asks for a connection from now on gets it settled.
  void settle_with(Settler& settler) noexcept { settler_ = &settler; }

  /// The packet that find() and set_up() are called for is in this frame.
  void at_frame(std::uint64_t number) noexcept { frame_ = number; }
  /// From now on order() is kept.
  void note_order() noexcept { notes_order_ = true; }
  /// Of each connection that was made, by number: what sorts it among those of other tables that were shown other packets of the same
  /// frames.
  [[nodiscard]] const std::vector<std::uint64_t>& order() const noexcept { return order_; }

  struct Place {
    ConnectionState* connection = nullptr;  ///< null: there are too many
    std::size_t sender = 0;                 ///< the side that sent the packet
    Fit fit = Fit::kUsual;                  ///< kNone: the Doubt about it is right
  };
  /// The connection of a packet, a new one where there is none. A response goes where its PSN is outstanding.
  /// `hint`: a place that Lookout found in this version of the table, or kNowhere.
  [[nodiscard]] Place find(const FlowPacket& packet, std::uint32_t hint = kNowhere);
  /// The same without making one.
  [[nodiscard]] Place find_existing(const FlowKey& key, std::uint32_t hint = kNowhere);

  /// Makes both directions of a connection, and returns its number. Where a queue pair is connected again, this is a
  /// new connection. Returns 0 where there are too many connections, or where the queue pairs may be ones that send
  /// datagrams: then the first packet makes the connection.
  std::uint32_t set_up(const ConnectionSetup& setup);

  /// What the connection asked for may have changed.
  void note_requests(const ConnectionState& connection) {
    if (connection.facts.paired_by == PairedBy::kNothing) note_unpaired_requests(connection);
  }

  /// The Doubt about a connection was right: it ended, and another has its queue pairs, unless there are too many.
  void divide(ConnectionState& old);
  /// Packets that do not go on from here are of a new connection.
  void close(std::uint32_t number, std::int64_t time);

  /// The connection with this number, or the one that it was joined with; null: it is not here any more.
  [[nodiscard]] ConnectionState* at(std::uint32_t number) const;
  /// The connection that has this number itself; null: none.
  [[nodiscard]] ConnectionState* own(std::uint32_t number) const;
  /// All, by number.
  [[nodiscard]] std::vector<ConnectionState*> all() const {
    return those([](const Connection&) { return true; });
  }
  /// Those for which `is_wanted(facts)` is true, by number; the others are not settled.
  template <class IsWanted>
  [[nodiscard]] std::vector<ConnectionState*> those(IsWanted is_wanted) const {
    std::vector<ConnectionState*> found;
    for (const auto& connection : connections_) {
      if (connection && is_wanted(std::as_const(connection->facts))) found.push_back(settled(connection.get()));
    }
    const auto number_of = [](const ConnectionState* connection) { return connection->facts.number; };
    if (reuses_) std::ranges::sort(found, {}, number_of);
    return found;
  }
  /// Shows the facts of all, in no order. They are not settled: what they count may be more.
  template <class Use>
  void visit_facts(Use use) const {
    for (const auto& connection : connections_) {
      if (connection) use(std::as_const(connection->facts));
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Forgets the connection with this number, which is here: packets of its queue pairs are of new ones.
  [[nodiscard]] std::unique_ptr<ConnectionState> take(std::uint32_t number);
  /// Gives away all, by number, each settled when its turn comes: nothing can be asked any more.
  template <class Use>
  void give_away(Use use) {
    for (std::unique_ptr<ConnectionState>& connection : take_all()) {
      (void)settled(connection.get());
      use(std::move(connection));
    }
  }
  /// Forgets set-ups of handshakes for which `is_known(handshake)` is false.
  template <class IsKnown>
  void forget_announced(IsKnown is_known) {
    std::erase_if(announced_, [&](const auto& entry) { return !is_known(entry.second.handshake); });
  }

  /// Whether the packets of both its directions are found to be its own, and not those of another life of its queue pairs.
  [[nodiscard]] bool leads_to(const ConnectionState& connection) const {
    return look_up(key_of(connection, 0)) == pack(connection.slot, 0) &&
           look_up(key_of(connection, 1)) == pack(connection.slot, 1);
  }

  // For Lookout: where the packets of a flow most probably belong, by the hash of its key.
  /// Changes whenever a flow comes or goes.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_; }
  void prefetch_entry(std::uint64_t hash) const noexcept { flows_.prefetch(hash); }
  [[nodiscard]] std::uint32_t place_of(std::uint64_t hash) const noexcept {
    return flows_.find(hash, [](std::uint32_t) { return true; }).value_or(kNowhere);
  }
  void prefetch_pointer(std::uint32_t place) const noexcept {
    if (place != kNowhere) rocescope::prefetch(&connections_[place >> 1]);
  }
  [[nodiscard]] const ConnectionState* at_place(std::uint32_t place) const noexcept {
    return place == kNowhere ? nullptr : connections_[place >> 1].get();
  }

 private:
  friend struct StateMembers;
  /// As they are, by number.
  [[nodiscard]] std::vector<std::unique_ptr<ConnectionState>> take_all();
  [[nodiscard]] ConnectionState* settled(ConnectionState* connection) const {
    if (connection != nullptr && connection->on_express_lane) settler_->settle(*connection);
    return connection;
  }
  // One side of a connection, as the tables know it: the connection's slot and the side.
  static constexpr std::uint32_t pack(std::uint32_t slot, std::size_t side) noexcept {
    return slot << 1 | static_cast<std::uint32_t>(side);
  }
  [[nodiscard]] std::optional<std::uint32_t> look_up(const FlowKey& key) const;
  void enter(const FlowKey& key, const ConnectionState& connection, std::size_t sender);
  [[nodiscard]] bool is_sent_by(const FlowKey& key, std::uint32_t packed) const noexcept;

  /// Of the capture point and the overlay network of `key`.
  ConnectionState* add(Transport transport, const FlowKey& key, std::int64_t time);
  [[nodiscard]] static FlowKey key_of(const ConnectionSetup& setup, std::size_t sender) noexcept;
  [[nodiscard]] static FlowKey key_of(const ConnectionState& connection, std::size_t sender) noexcept;
  std::uint32_t make(const ConnectionSetup& setup);
  std::uint32_t announce(const ConnectionSetup& setup);
  /// Its other direction is not known.
  void add_unpaired(const ConnectionState& connection, std::uint16_t source_port);
  void note_unpaired_requests(const ConnectionState& connection);
  /// Its packets belong to it no longer.
  void detach(const ConnectionState& connection);
  /// A new connection with this packet. Null: there are too many.
  [[nodiscard]] ConnectionState* begin(const FlowPacket& packet);
  void pair(ConnectionState& connection, const FlowKey& key, PairedBy method);
  // connection_lives.cpp
  [[nodiscard]] [[gnu::cold]] Place find_life(const Place& known, const FlowPacket& packet);
  [[nodiscard]] Place find_other(const Place& known, const FlowPacket& packet, Fit fit);
  [[nodiscard]] static std::optional<std::size_t> sender_in(const ConnectionState& other, const Place& known,
                                                            const FlowKey& key) noexcept;
  void replace(ConnectionState& old, ConnectionState& begun);
  void admit(ConnectionState& old, ConnectionState& begun);

  void note_made();
  std::unique_ptr<ConnectionState> vacate(std::uint32_t slot);
  void rename(std::uint32_t number, std::uint32_t slot);
  void forget_number(std::uint32_t number);

  std::size_t max_connections_;
  bool reuses_;
  Settler* settler_ = nullptr;
  std::vector<std::unique_ptr<ConnectionState>> connections_;  // by slot; null: the slot is free
  std::vector<std::uint32_t> vacant_;                          // of them, where they are reused
  std::size_t size_ = 0;
  std::uint32_t made_ = 0;
  std::uint64_t frame_ = 0;
  std::uint64_t last_made_ = 0;  // frame and place within it, of the last connection
  bool notes_order_ = false;
  std::vector<std::uint64_t> order_;
  IndexTable numbers_;         // slots, by the number itself: of connections, and of those that were joined with them
  IndexTable flows_;           // senders
  std::uint32_t version_ = 0;  // of flows_
  std::unordered_map<FlowKey, ConnectionSetup, FlowKeyHash> announced_;
  UnpairedFlows unpaired_;
};

}  // namespace rocescope
