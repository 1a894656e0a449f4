// Whether a connection goes on or another has its queue pairs, while packets may mean either.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rocescope/detail/box.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/connection_state.hpp"

namespace rocescope {

/// After a pause came a request that may go on with the connection, or be the first of a new one with PSNs near the old ones.
/// All packets since then count for the connection, and are followed as those of a new one beside it, until one shows which is
/// right.
struct Doubt {
  static constexpr std::int64_t kLongest = 5'000'000'000;  ///< ns: what comes later says nothing about it
  static constexpr std::uint64_t kMostPackets = 8192;

  std::int64_t since = 0;     ///< the time of the first packet, ns since 1970
  std::uint64_t packets = 0;  ///< since then
  std::size_t first_sender = 0;
  ConnectionState fresh;               ///< the new one, which no table knows
  StreamNews news;                     ///< of it
  std::array<bool, 2> had_requests{};  ///< of each side, before
  // The connection before the first packet.
  Connection facts;
  Box<Uncounted> uncounted;
  std::array<std::optional<Requester::Mark>, 2> marks;  ///< nothing: neither requests nor responses to them were seen

  [[nodiscard]] bool is_over(std::int64_t now) const noexcept {
    return packets >= kMostPackets || elapsed(since, now) >= kLongest;
  }
  /// The side of the new connection that `side` of the old one is: its first sender comes first.
  [[nodiscard]] std::size_t side_of(std::size_t side) const noexcept { return side == first_sender ? 0 : 1; }
};

}  // namespace rocescope
