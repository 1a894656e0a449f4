// Which packets belong to which connection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

#include "connection_setup.hpp"
#include "flow_key.hpp"
#include "requester.hpp"
#include "rocescope/connection.hpp"
#include "unpaired_flows.hpp"

namespace rocescope {

/// A connection and the state of its engines. Side `i` sends the packets to the queue pair of side `1 - i`.
struct ConnectionState {
  Connection facts;
  std::array<Requester, 2> requesters;
  std::array<bool, 2> had_good_icrc{};  ///< then a wrong one means a packet that its receiver dropped
  bool stray = false;                   ///< the last packet was of another transport
  bool merged = false;                  ///< its packets belong to another connection now
  bool closed = false;                  ///< both sides said so
  std::int64_t closed_at = 0;           ///< when, ns
  /// Of a flow to a queue pair that somebody else is connected to: that connection's number; 0: of none.
  std::uint32_t intrudes = 0;
  std::uint64_t intruded_by = 0;  ///< the flow's first frame
};

/// What finds a packet's connection.
struct FlowPacket {
  FlowKey key;
  Transport transport = Transport::kRc;
  bool request = false;
  Psn psn;
  std::uint16_t source_port = 0;  ///< UDP's; 0: none
  std::uint64_t frame = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
};

class ConnectionTable {
 public:
  /// Set-ups that wait for their first packet; then they are all forgotten.
  static constexpr std::size_t kMostAnnounced = 65'536;

  explicit ConnectionTable(std::size_t max_connections) : max_connections_(max_connections) {}

  struct Place {
    ConnectionState* connection = nullptr;  ///< null: there are too many
    std::size_t sender = 0;                 ///< the side that sent the packet
  };
  /// The connection of a packet, a new one where there is none. A response goes where its PSN is outstanding.
  [[nodiscard]] Place find(const FlowPacket& packet);
  /// The same without making one.
  [[nodiscard]] Place find_existing(const FlowKey& key) noexcept;

  /// Both directions of a connection. A queue pair that is connected again begins a new one. Its number; 0: there are too many, or
  /// it is made with its first packet, which shows that these are no datagrams.
  std::uint32_t set_up(const ConnectionSetup& setup);

  /// Packets that do not go on from here are of a new connection.
  void close(std::uint32_t number, std::int64_t time) noexcept;

  [[nodiscard]] ConnectionState& at(std::uint32_t number) noexcept { return connections_[number - 1]; }
  [[nodiscard]] const std::deque<ConnectionState>& connections() const noexcept { return connections_; }
  /// Whether somebody sent packets to a queue pair whose rightful peer was there before and after them.
  [[nodiscard]] bool is_intruder(const ConnectionState& connection) const noexcept;

 private:
  struct Index {
    std::uint32_t connection = 0;
    std::uint32_t sender = 0;
  };
  struct Owner {
    IpAddress address;
    Qpn qpn;
    std::uint32_t overlay_id = 0;
    friend bool operator==(const Owner&, const Owner&) noexcept = default;
  };
  struct OwnerHash {
    [[nodiscard]] std::size_t operator()(const Owner& owner) const noexcept {
      return mix(mix(hash_seed(), owner.address), (std::uint64_t{owner.overlay_id} << 32) | owner.qpn.value());
    }
  };

  ConnectionState* add(Transport transport, std::uint32_t overlay_id, std::int64_t time);
  [[nodiscard]] static FlowKey key_of(const ConnectionSetup& setup, std::size_t sender) noexcept;
  [[nodiscard]] static FlowKey key_of(const ConnectionState& connection, std::size_t sender) noexcept;
  std::uint32_t make(const ConnectionSetup& setup);
  void announce(const ConnectionSetup& setup);
  void own(const ConnectionState& connection);
  void note_intrusion(ConnectionState& connection, const FlowPacket& packet);
  /// Its packets belong to it no longer.
  void detach(const ConnectionState& connection);
  [[nodiscard]] static bool begins_anew(const Place& place, const FlowPacket& packet) noexcept;
  void pair(std::uint32_t with, const FlowKey& key, PairedBy method);

  std::size_t max_connections_;
  std::deque<ConnectionState> connections_;
  std::unordered_map<FlowKey, Index, FlowKeyHash> flows_;
  std::unordered_map<FlowKey, ConnectionSetup, FlowKeyHash> announced_;
  std::unordered_map<Owner, std::uint32_t, OwnerHash> owners_;
  UnpairedFlows unpaired_;
};

}  // namespace rocescope
