// The connections of a capture, found by the packets that belong to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "flow_key.hpp"
#include "requester.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

/// A connection and the state of its engines. Side `i` sends the packets to the queue pair of side `1 - i`.
struct ConnectionState {
  Connection facts;
  std::array<Requester, 2> requesters;
  std::array<bool, 2> had_good_icrc{};  ///< then a wrong one means a packet that its receiver dropped
  bool stray = false;                   ///< the last packet was of another transport
  std::uint64_t cm_ids = 0;             ///< of a connection that the CM set up: both communication IDs
  bool merged = false;                  ///< its packets belong to another connection now
};

/// What a CM or exchange says of a connection.
struct ConnectionSetup {
  PairedBy method = PairedBy::kCm;
  Transport transport = Transport::kRc;
  std::uint32_t overlay_id = 0;
  std::array<IpAddress, 2> addresses;  ///< the active side first
  std::array<Qpn, 2> qpns;
  std::array<std::optional<Psn>, 2> first_psns;  ///< of the requests of each side
  std::uint32_t path_mtu = 0;                    ///< bytes; 0: not told
  std::array<std::int64_t, 2> ack_timeouts{};    ///< ns; 0: not told
  std::uint64_t cm_ids = 0;
  std::int64_t time = 0;
};

class ConnectionTable {
 public:
  explicit ConnectionTable(std::size_t max_connections) : max_connections_(max_connections) {}

  struct Place {
    ConnectionState* connection = nullptr;  ///< null: there are too many
    std::size_t sender = 0;                 ///< the side that sent the packet
  };
  /// The connection of a packet, a new one where there is none. A response goes where `psn` is outstanding.
  [[nodiscard]] Place find(const FlowKey& key, Transport transport, std::optional<Psn> answers, std::int64_t time);
  /// The same without making one.
  [[nodiscard]] Place find_existing(const FlowKey& key) noexcept;

  /// Both directions of a connection. A queue pair that is connected again begins a new one.
  void set_up(const ConnectionSetup& setup);

  [[nodiscard]] const std::deque<ConnectionState>& connections() const noexcept { return connections_; }

 private:
  struct Index {
    std::uint32_t connection = 0;
    std::uint32_t sender = 0;
  };
  /// Those who send to each other, without queue pairs.
  struct HostPair {
    IpAddress source;
    IpAddress destination;
    std::uint32_t overlay_id = 0;
    friend bool operator==(const HostPair&, const HostPair&) noexcept = default;
  };
  struct HostPairHash {
    [[nodiscard]] std::size_t operator()(const HostPair& pair) const noexcept {
      return mix(mix(mix(hash_seed(), pair.source), pair.destination), pair.overlay_id);
    }
  };
  /// More candidates than this are not tried for one packet: the oldest ones are.
  static constexpr std::size_t kMostCandidates = 4096;

  ConnectionState* add(Transport transport, std::uint32_t overlay_id, std::int64_t time);
  /// The only connection between the addresses of `key`, of one direction, of which `psn` answers a request.
  [[nodiscard]] std::optional<std::uint32_t> partner(const FlowKey& key, Psn psn);
  /// Whether the set-up of `connection` was seen once more.
  [[nodiscard]] static bool is_repeated(const ConnectionSetup& setup, const ConnectionState& connection) noexcept;
  void forget_unpaired(const ConnectionState& connection);
  void pair(std::uint32_t with, const FlowKey& key);

  std::size_t max_connections_;
  std::deque<ConnectionState> connections_;
  std::unordered_map<FlowKey, Index, FlowKeyHash> flows_;
  std::unordered_map<HostPair, std::vector<std::uint32_t>, HostPairHash> unpaired_;
};

}  // namespace rocescope
