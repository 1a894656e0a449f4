#include "tracking/express/express_preview.hpp"

#include <algorithm>

#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/express/express_stream.hpp"
#include "tracking/requests/response_watch.hpp"

namespace rocescope {

void ExpressReads::add(Psn psn, std::uint32_t span) noexcept {
  const std::size_t place = (oldest + count) % kMost;
  first[place] = psn;
  spans[place] = static_cast<std::uint16_t>(span);
  next_response = count == 0 ? psn : next_response;
  ++count;
}

void ExpressReads::remove_oldest() noexcept {
  oldest = static_cast<std::uint8_t>((oldest + 1U) % kMost);
  --count;
  next_response = oldest_psn();
  is_answering = false;
}

bool ExpressPreview::take(const ExpressPacket& packet, ExpressReads& reads) noexcept {
  switch (packet.kind) {
    case ExpressKind::kSendOrWrite:
      return take_send_or_write(packet);
    case ExpressKind::kReadRequest:
      return take_read(packet, reads);
    case ExpressKind::kAck:
      return take_ack(packet, reads);
    case ExpressKind::kReadResponse:
      return take_answer(packet, reads);
  }
  return false;
}

bool ExpressPreview::take_send_or_write(const ExpressPacket& packet) noexcept {
  constexpr std::uint32_t kLongest = std::uint32_t{1} << 31;
  if (!takes_requests || packet.likeness != likeness || packet.psn != next) return false;
  const OpcodeInfo& opcode = packet.opcode();
  const bool begins = packet.begins();
  const bool ends = packet.ends();
  if (begins == is_open || (!begins && opcode.operation != operation)) return false;
  if (outstanding() >= ExpressStream::kMostPsns) return false;
  if (!has_usual_length(packet, begins, ends, mtu, sends_full)) return false;
  const bool has_reth = packet.has_reth();
  // One branch that is hardly ever taken: nobody could foresee which packets have a RETH.
  const std::uint32_t if_reth = 0U - static_cast<std::uint32_t>(has_reth);
  const std::uint32_t unknown = static_cast<std::uint32_t>(!has_key) | (packet.r_key() ^ r_key);
  if ((unknown & if_reth) != 0) return false;
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

bool ExpressPreview::take_read(const ExpressPacket& packet, ExpressReads& reads) noexcept {
  if (!takes_requests || packet.likeness != reads.likeness || packet.psn != next || is_open) return false;
  if (!has_key || packet.r_key() != r_key || reads.count == ExpressReads::kMost) return false;
  const std::uint32_t span = span_of_read(packet.dma_length, reads.mtu);
  if (span == 0 || span > UINT16_MAX || outstanding() + span > ExpressStream::kMostPsns) return false;
  reads.add(packet.psn, span);
  has_reads = true;
  message_bytes = 0;
  has_dma_length = false;
  next = packet.psn + span;
  last_request = packet.time;
  return true;
}

bool ExpressPreview::may_stall(const ExpressPacket& response) const noexcept {
  return elapsed(std::max(last_request, progress_at), response.time) >= ResponseWatch::kShortestStall;
}

bool ExpressPreview::take_ack(const ExpressPacket& packet, const ExpressReads& reads) noexcept {
  if (!takes_acks || packet.likeness != ack_likeness) return false;
  if (packet.psn.before(unacknowledged) || !packet.psn.before(next) || packet.msn().before(msn)) return false;
  if (has_reads && !packet.psn.before(reads.oldest_psn())) return false;
  if (may_stall(packet)) return false;
  unacknowledged = packet.psn + 1;
  msn = packet.msn();
  progress_at = packet.time;
  return true;
}

bool ExpressPreview::take_answer(const ExpressPacket& packet, ExpressReads& reads) noexcept {
  if (!has_reads || !reads.takes_answers || packet.likeness != reads.answer_likeness) return false;
  const bool begins = packet.begins();
  const bool ends = packet.ends();
  if (packet.psn != reads.next_response || begins == reads.is_answering) return false;
  if (ends != (packet.psn == reads.last_response()) || (!ends && reads.mtu == 0)) return false;
  if (packet.has_msn() && packet.msn().before(msn)) return false;
  if (!has_usual_length(packet, begins, ends, reads.answer_mtu, reads.answers_full)) return false;
  const bool shows_silence = reads.is_answering || unacknowledged.before(reads.oldest_psn());
  if (shows_silence & may_stall(packet)) return false;
  if (ends) {
    unacknowledged = packet.psn + 1;
    reads.remove_oldest();
    has_reads = reads.count > 0;
  } else {
    unacknowledged = reads.oldest_psn();
    reads.next_response = packet.psn + 1;
    reads.is_answering = true;
  }
  if (packet.has_msn()) msn = packet.msn();
  progress_at = packet.time;
  return true;
}

}  // namespace rocescope
