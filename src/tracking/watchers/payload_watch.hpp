// Whether a request that is sent again says what it said the first time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocescope/icrc.hpp"
#include "tracking/prefetch.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

struct ExpressPacket;

/// Remembers the payloads of the last SENDs and WRITEs by their ICRCs, in 2 MiB for all connections. A READ response may
/// change: its responder reads the memory again. So may headers: AckReq, or the IP identification.
class PayloadWatch {
 public:
  /// Notes payload_conflict with the sender. The amount of the sighting is the number of the frame that the first one
  /// contradicts.
  void observe(const TrackedPacket& tracked);
  /// A request of a connection with a good ICRC from the express lane.
  void remember(const ExpressPacket& packet, std::uint32_t connection, std::size_t sender);
  /// For remember().
  void prefetch(Psn psn, std::uint32_t connection, std::size_t sender) {
    rocescope::prefetch(&place_of(stream_of(connection, sender), psn));
  }
  static constexpr unsigned kWants = traits::kConnected;

 private:
  static constexpr std::size_t kPackets = 65'536;  // a power of 2

  struct Remembered {
    std::uint64_t stream = 0;  ///< connection and side; 0: nothing
    std::uint64_t frame = 0;
    std::uint32_t psn = 0;
    std::uint32_t bytes = 0;  ///< payload and pad
    std::uint32_t icrc = 0;
    std::uint32_t headers = 0;  ///< IcrcCheck::headers
  };

  [[nodiscard]] static constexpr std::uint64_t stream_of(std::uint32_t connection, std::size_t sender) noexcept {
    return std::uint64_t{connection} * 2 + sender;
  }
  /// Where a packet is remembered, or another one.
  [[nodiscard]] Remembered& place_of(std::uint64_t stream, Psn psn);

  std::vector<Remembered> packets_;  // what comes later takes the place of what is there
};

}  // namespace rocescope
