// What is known of a connection, and what following it takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/connection.hpp"
#include "rocescope/detail/box.hpp"
#include "tracking/connections/uncounted.hpp"
#include "tracking/requests/requester.hpp"
#include "tracking/watchers/conformance.hpp"
#include "tracking/watchers/read_depth.hpp"

namespace rocescope {

/// Side `i` sends the packets to the queue pair of side `1 - i`.
struct ConnectionState {
  Connection facts;
  std::array<Box<Requester>, 2> requesters;  ///< of the sides that requested something, or whose handshake was seen
  Conformance::State conformance;
  Box<ReadDepth::State> reads;
  std::array<bool, 2> had_good_icrc{};    ///< then a wrong one means a packet that its receiver dropped
  std::array<std::uint8_t, 2> reached{};  ///< by each side, as StateWatcher ranks states: at least so much
  bool shares_mtu = false;                ///< both requesters are there and know the path MTU
  bool stray = false;                     ///< the last packet was of another transport
  bool closed = false;                    ///< both sides said so
  std::int64_t closed_at = 0;             ///< when, ns

  /// What HandshakeFollower has seen of it.
  struct Progress {
    bool has_data = false;
    std::array<std::uint8_t, 2> tries{};  ///< of each side
  };
  Progress progress;
  std::uint32_t slot = 0;    ///< where the table keeps it: at most as many as there are at once
  Box<Uncounted> uncounted;  ///< where some of its packets do not count

  /// Packets that `side` sent, whether they count or not.
  [[nodiscard]] std::uint64_t packets(std::size_t side) const {
    return facts.sides[side].traffic.packets + uncounted->sides[side].traffic.packets;
  }

  /// The requester of `side`, made where there is none.
  [[nodiscard]] Requester& requester(std::size_t side) {
    if (Requester* known = requesters[side].get()) return *known;
    requesters[side].make().set_mtu(requesters[1 - side]->mtu());
    return *requesters[side].get();
  }
};

}  // namespace rocescope
