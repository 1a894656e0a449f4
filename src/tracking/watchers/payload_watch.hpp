// Whether a request that is sent again says what it said the first time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/detail/shard.hpp"
#include "rocescope/icrc.hpp"
#include "tracking/prefetch.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

struct ExpressPacket;

/// Remembers the payloads of the last SENDs and WRITEs by their ICRCs: of each part of the host pairs (host_part()) 512 to 16,384 packets
/// of 32 bytes, so that no pair of another part takes the place of what is remembered: shards find the same. A READ response may change:
/// its responder reads the memory again. So may headers: AckReq, or the IP identification.
class PayloadWatch {
 public:
  /// Notes payload_conflict with the sender. The amount of the sighting is the number of the frame that the first one
  /// contradicts.
  void observe(const TrackedPacket& tracked);
  /// A request of the connection with this identity_of(), with a good ICRC, from the express lane.
  void remember(const ExpressPacket& packet, std::uint64_t identity, std::size_t sender);
  /// For remember().
  void prefetch(Psn psn, std::uint64_t identity, std::size_t sender) {
    rocescope::prefetch(&place_of(stream_of(identity, sender), psn));
  }
  /// What distinguishes a connection from others, in all shards alike, as its number does not. In its last bits host_part().
  [[nodiscard]] static std::uint64_t identity_of(const Connection& connection) noexcept;
  static constexpr unsigned kWants = traits::kConnected;

 private:
  friend struct StateMembers;
  // Powers of 2.
  static constexpr std::size_t kFewest = 512;
  static constexpr std::size_t kMost = 16'384;

  struct Remembered {
    std::uint64_t stream = 0;  ///< connection and side; 0: nothing
    std::uint64_t frame = 0;
    std::uint32_t psn = 0;
    std::uint32_t bytes = 0;  ///< payload and pad
    std::uint32_t icrc = 0;
    std::uint32_t headers = 0;  ///< IcrcCheck::headers
  };

  [[nodiscard]] static constexpr std::uint64_t stream_of(std::uint64_t identity, std::size_t sender) noexcept {
    return identity * 2 + sender;
  }
  /// Of the host pair.
  [[nodiscard]] static constexpr std::size_t part_of(std::uint64_t stream) noexcept {
    return static_cast<std::size_t>(stream / 2 % kHostParts);
  }
  /// Where a packet is remembered, or another one.
  [[nodiscard]] Remembered& place_of(std::uint64_t stream, Psn psn);
  void put(const Remembered& packet);
  /// A stream comes to places that its own packets have, or a packet was looked for that is not there any more. False: it has its full size.
  bool grow(std::vector<Remembered>& packets);

  /// By part of the host pairs. What comes later takes the place of what is there.
  std::array<std::vector<Remembered>, kHostParts> parts_;
};

}  // namespace rocescope
