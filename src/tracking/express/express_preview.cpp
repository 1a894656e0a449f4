#include "tracking/express/express_preview.hpp"

#include <algorithm>

#include "tracking/connections/path_mtu.hpp"
#include "tracking/elapsed.hpp"
#include "tracking/express/express_stream.hpp"
#include "tracking/requests/response_watch.hpp"

namespace rocescope {

bool ExpressPreview::take_request(const ExpressPacket& packet) noexcept {
  constexpr std::uint32_t kLongest = std::uint32_t{1} << 31;
  if (!takes_requests || packet.likeness != likeness || packet.psn != next) return false;
  const OpcodeInfo& opcode = packet.opcode();
  const bool begins = opcode.position == Position::kFirst || opcode.position == Position::kOnly;
  const bool ends = opcode.position == Position::kLast || opcode.position == Position::kOnly;
  if (begins == is_open || (!begins && opcode.operation != operation)) return false;
  if (static_cast<std::uint32_t>(unacknowledged.distance_to(next)) >= ExpressStream::kMostOutstanding) return false;
  if (!has_usual_length(packet, begins, ends, mtu, sends_full)) return false;
  const bool has_reth = packet.has_reth();
  if (has_reth && (!has_key || packet.r_key() != r_key)) return false;
  const std::uint32_t bytes = packet.payload + (begins ? 0 : message_bytes);
  const bool has_length = begins ? has_reth : has_dma_length;
  const std::uint32_t length = begins ? packet.dma_length : dma_length;
  if (bytes >= kLongest || (ends && has_length && bytes != length)) return false;
  operation = opcode.operation;
  is_open = !ends;
  message_bytes = bytes;
  has_dma_length = has_length;
  dma_length = length;
  next = packet.psn + 1;
  last_request = packet.time;
  return true;
}

bool ExpressPreview::take_ack(const ExpressPacket& packet) noexcept {
  if (!takes_acks || packet.likeness != ack_likeness) return false;
  if (packet.psn.before(unacknowledged) || !packet.psn.before(next) || packet.msn().before(msn)) return false;
  const std::int64_t silence = elapsed(std::max(last_request, progress_at), packet.time);
  if (silence >= ResponseWatch::kShortestStall) return false;
  unacknowledged = packet.psn + 1;
  msn = packet.msn();
  progress_at = packet.time;
  return true;
}

}  // namespace rocescope
