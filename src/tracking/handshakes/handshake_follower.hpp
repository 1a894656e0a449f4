// What the packets of a connection show of the handshake that set it up.
#pragma once

#include <cstdint>
#include <vector>

#include "rocescope/headers/extended_transport.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Its first data, and what its private data meant.
class HandshakeFollower {
 public:
  /// RETHs of each side that are looked for in the other side's private data.
  static constexpr std::uint8_t kMostTries = 8;

  explicit HandshakeFollower(HandshakeTable& table) : table_(table) {}

  static constexpr unsigned kWants = traits::kConnected;
  void observe(const TrackedPacket& tracked);

 private:
  void search(const TrackedPacket& tracked, const Reth& reth, Handshake& handshake);

  HandshakeTable& table_;
};

/// The address of `size` bytes or more that reach from there to `address` + `length`, followed by `r_key`, in private data;
/// nothing where there is none.
[[nodiscard]] std::optional<AnnouncedRegion> find_region(const std::vector<std::uint8_t>& private_data,
                                                         std::uint64_t address, std::uint32_t r_key,
                                                         std::uint32_t length) noexcept;

}  // namespace rocescope
