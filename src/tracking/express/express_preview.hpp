// By what the express lane judges packets that come before those before them are counted.
#pragma once

#include <cstdint>

#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/express/express_packet.hpp"

namespace rocescope {

/// What the next SEND or WRITE of one side, or the ACK that it gets, is judged by: what ExpressSide and ExpressStream will say once all
/// before it was counted. Two lines of the cache are all that such a packet needs, this one and that where it waits: many of a
/// connection are counted together. Whatever it does not take may be taken by the lane all the same.
struct alignas(64) ExpressPreview {
  std::uint64_t likeness = 0;      ///< of SENDs and WRITEs
  std::uint64_t ack_likeness = 0;  ///< of ACKs to them
  std::int64_t last_request = 0;
  std::int64_t progress_at = 0;
  Psn next;
  Psn unacknowledged;
  Psn msn;
  std::uint32_t r_key = 0;
  std::uint32_t message_bytes = 0;
  std::uint32_t dma_length = 0;
  std::uint32_t mtu = 0;
  Operation operation{};            ///< of the message under way
  bool takes_requests : 1 = false;  ///< otherwise it takes none
  bool takes_acks : 1 = false;
  bool is_open : 1 = false;  ///< a message is under way
  bool sends_full : 1 = false;
  bool has_key : 1 = false;  ///< nothing but the R_Key above is used
  bool has_dma_length : 1 = false;

  /// Whether they are expected, and wait for nothing else to be counted; then what comes next is expected behind them.
  [[nodiscard]] bool take_request(const ExpressPacket& packet) noexcept;
  [[nodiscard]] bool take_ack(const ExpressPacket& packet) noexcept;
};
static_assert(sizeof(ExpressPreview) == 64);

/// Whether the payload is as long as the position of the packet in its message asks for. `mtu`: of its sender's packets; 0: not known.
/// `sends_full`: packets of just the MTU were seen, and others may pass.
[[nodiscard]] inline bool has_usual_length(const ExpressPacket& packet, bool begins, bool ends, std::uint32_t mtu,
                                           bool sends_full) noexcept {
  if (!ends) return sends_full && packet.payload == mtu && packet.pad() == 0;
  return packet.payload <= (mtu != 0 ? mtu : kLargestMtu) && (begins || packet.payload > 0);
}

}  // namespace rocescope
