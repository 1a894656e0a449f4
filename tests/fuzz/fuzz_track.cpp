// Fuzz target: any sequence of packets between two queue pairs, through the tracker's engine of one direction.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "tracking/requests/requester.hpp"

namespace rocescope {
namespace {

/// What must hold whatever came.
void check(const Requester& requester, std::uint64_t packets, const StreamNews& news) {
  const StreamTotals totals = requester.totals();
  const auto judged = totals.packets();
  if (std::accumulate(judged.begin(), judged.end(), std::uint64_t{0}) != packets) std::abort();
  if (std::accumulate(totals.troubles->resends.begin(), totals.troubles->resends.end(), std::uint64_t{0}) !=
      totals.of(VerdictKind::kRetransmission)) {
    std::abort();
  }
  if (std::accumulate(totals.troubles->recoveries_by_cause.begin(), totals.troubles->recoveries_by_cause.end(),
                      std::uint64_t{0}) != totals.troubles->recoveries) {
    std::abort();
  }
  for (const Measure& measure : news.measures) {
    if (measure.ns < 0) std::abort();
  }
  if (totals.troubles->stalled < totals.troubles->longest.stall ||
      (totals.troubles->stalls == 0) != (totals.troubles->stalled == 0))
    std::abort();
  if (totals.sums.new_packets > packets || totals.troubles->resent_bytes > totals.sums.payload_bytes) std::abort();
  if (totals.troubles->lost_after > totals.troubles->sequence_naks ||
      totals.troubles->rnr_too_early > totals.troubles->rnr_naks)
    std::abort();
  if (totals.troubles->credit_stalled < 0 || totals.troubles->stalled < 0) std::abort();
  if (totals.sums.messages > news.messages) std::abort();
  // READs whose requester may not have all answers are open, and count as completed until that is known.
  const auto outstanding =
      std::ranges::count(requester.open_messages(), MessageOutcome::kOutstanding, &Message::outcome);
  if (totals.sums.messages_completed + totals.troubles->messages_refused + totals.troubles->messages_lost +
          static_cast<std::uint64_t>(outstanding) !=
      totals.sums.messages) {
    std::abort();
  }
  if (!requester.conserves()) std::abort();
}

}  // namespace
}  // namespace rocescope

// Six bytes a packet: what it is, how far its PSN is from the last one, microseconds since that (two bytes; the first or
// the last time there is where the first of them is above 0xFD), a length, or credits and an MSN.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rocescope;
  constexpr std::size_t kPacket = 6;
  constexpr std::uint8_t kRequests[] = {0x00, 0x01, 0x02, 0x04, 0x06, 0x07, 0x08, 0x0A, 0x0C, 0x14, 0x1C, 0x1D};
  if (size == 0) return 0;
  Requester requester;
  if ((data[0] & 1U) != 0) requester.set_mtu(1024);
  if ((data[0] & 2U) != 0) requester.start_at(Psn(0xFFFFF0));
  if ((data[0] & 4U) != 0) requester.set_ack_timeout(67'000'000);
  const bool unreliable = (data[0] & 8U) != 0;
  requester.set_reliable(!unreliable);
  const TrackOptions options;
  StreamNews news;
  std::uint64_t frame = 0;
  std::uint64_t corrupt = 0;
  std::int64_t clock = 0;
  Psn psn(0xFFFFF0);
  for (std::size_t at = 1; at + kPacket <= size; at += kPacket) {
    const std::uint8_t* bytes = data + at;
    ++frame;
    const auto step = static_cast<std::int8_t>(bytes[1]);
    psn = step >= 0 ? psn + static_cast<std::uint32_t>(step) : psn - static_cast<std::uint32_t>(-step);
    clock += 1000 * ((bytes[2] << 8) | bytes[3]);
    std::int64_t time = clock;
    if (bytes[2] == 0xFF) time = std::numeric_limits<std::int64_t>::max();
    if (bytes[2] == 0xFE) time = std::numeric_limits<std::int64_t>::min();
    const auto length = static_cast<std::uint32_t>((bytes[4] << 8) | bytes[5]);
    if (bytes[0] == 0xFF) {
      const RequestPacket damaged{
          .opcode = &opcode_info(bytes[5]), .psn = psn, .frame = frame, .time = time, .dma_length = length};
      if (length % 3 == 0) {
        requester.corrupt_response(news);
      } else {
        static_cast<void>(requester.corrupt(damaged, news));
      }
      ++corrupt;
    } else if ((bytes[0] & 0x80U) != 0) {
      static_cast<void>(requester.response({.kind = static_cast<ResponsePacket::Kind>((bytes[0] & 0x7FU) % 6),
                                            .position = static_cast<Position>(bytes[5] & 3U),
                                            .psn = psn,
                                            .frame = frame,
                                            .time = time,
                                            .payload = length,
                                            .value = bytes[4],
                                            .msn = bytes[5]},
                                           options, news));
    } else {
      const OpcodeInfo& opcode = opcode_info(kRequests[(bytes[0] & 0x1FU) % std::size(kRequests)]);
      static_cast<void>(requester.request({.opcode = &opcode,
                                           .psn = psn,
                                           .frame = frame,
                                           .time = time,
                                           .icrc = bytes[0],
                                           .payload = opcode.has_payload ? length : 0,
                                           .dma_length = length * 4096U},
                                          options, news));
      if (unreliable) requester.settle(frame, time, news);
    }
    check(requester, frame - corrupt, news);
    news.ended.clear();
  }
  return 0;
}
