// The states that queue pairs go through (IBTA 10.3.1), as far as packets show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "tracking/connections/connection_setup.hpp"
#include "tracking/connections/connection_table.hpp"
#include "tracking/connections/strays.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Fills in ConnectionSide::states.
class StateWatcher {
 public:
  static constexpr std::size_t kMostRuns = 65'536;

  StateWatcher(ConnectionTable& table, HandshakeTable& handshakes, const Strays& strays)
      : table_(table), handshakes_(handshakes), strays_(strays) {}

  static constexpr unsigned kWants = traits::kConnected | traits::kHandshake | traits::kApart;
  void observe(const TrackedPacket& tracked);
  /// Whether the next requests of `requester` and their responses show nothing new.
  [[nodiscard]] bool is_plain(const ConnectionState& connection, std::size_t requester) const;
  /// Adds to `connection`, a copy of what `state` has, what silence until `end` (ns since 1970) shows, and what was outstanding then.
  void settle(Connection& connection, const ConnectionState& state, std::int64_t end) const;
  /// The connection with this number is followed no longer.
  void forget(std::uint32_t connection) {
    for (std::uint64_t side = 0; side < 2; ++side) runs_.erase(std::uint64_t{connection} << 1 | side);
  }

 private:
  friend struct StateMembers;
  /// A packet of a handshake whose connection is known.
  void on_handshake(const HandshakeNews& news, const Packet& packet);
  /// A packet and what it proves.
  struct Proof {
    std::uint64_t packet = 0;
    std::int64_t time = 0;
    bool counts = true;  ///< whether it counts: see Tracker::track()
  };
  /// The same request again and again, and no answer, or always the same: RNR NAK.
  struct Run {
    Psn psn;
    bool rnr = false;
    std::uint32_t count = 0;
    Proof last;
    std::int64_t gap = 0;  ///< ns between the last two
  };

  static void reach(ConnectionState& connection, std::size_t side, QpState state, const Proof& proof);
  static void advance(ConnectionSide& side, QpState state, bool observed, const Proof& proof);
  [[nodiscard]] static const Run& count(Run& run, Psn psn, bool rnr, const Proof& proof);
  static void exhaust(ConnectionSide& requester, const Run& run);
  void on_response(const TrackedPacket& tracked, const Proof& proof);
  void on_request(const TrackedPacket& tracked, const Proof& proof);
  void give_up(ConnectionState& connection, std::size_t side);
  /// Reports the requests of `side` that were outstanding when the connection ended.
  void report_outstanding(Connection& connection, std::size_t side, const Requester& requester, std::int64_t end) const;
  /// The last try of a side whose peer is silent; none where it is not.
  [[nodiscard]] std::optional<Proof> try_into_silence(const Connection& connection, std::size_t side,
                                                      std::int64_t end) const;
  [[nodiscard]] Run* run_of(const TrackedPacket& tracked);
  /// Times that a requester may repeat a request; 7, the most there is, where that is unknown.
  [[nodiscard]] std::uint32_t retries_of(const Connection& connection) const;
  [[nodiscard]] static std::uint64_t key_of(const Connection& connection, std::size_t side) noexcept {
    return (std::uint64_t{connection.number} << 1) | side;
  }

  ConnectionTable& table_;
  HandshakeTable& handshakes_;
  const Strays& strays_;
  std::unordered_map<std::uint64_t, Run> runs_;  // by connection and side; of few at any time
};

}  // namespace rocescope
