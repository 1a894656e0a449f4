// How the express lane judges packets while earlier ones still wait to be counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/express/express_packet.hpp"

namespace rocescope {

/// The READs of one side that did not end, while it is previewed.
struct alignas(64) ExpressReads {
  static constexpr std::size_t kMost = 16;

  std::array<Psn, kMost> first{};  ///< PSN of each, as a ring
  std::array<std::uint16_t, kMost> spans{};
  std::uint64_t likeness = 0;         ///< of READ Requests
  std::uint64_t answer_likeness = 0;  ///< of responses to them
  Psn next_response;                  ///< if there are any
  std::uint16_t mtu = 0;              ///< as ExpressSide::read_mtu
  std::uint16_t answer_mtu = 0;       ///< as ExpressSide::mtu of the responder
  std::uint8_t oldest = 0;
  std::uint8_t count = 0;
  bool takes_answers : 1 = false;
  bool answers_full : 1 = false;  ///< as sends_full
  bool is_answering : 1 = false;  ///< the oldest, but for its end

  [[nodiscard]] Psn oldest_psn() const noexcept { return first[oldest]; }
  [[nodiscard]] Psn last_response() const noexcept { return first[oldest] + (spans[oldest] - 1U); }
  /// There are fewer than kMost.
  void add(Psn psn, std::uint32_t span) noexcept;
  void remove_oldest() noexcept;
};
static_assert(sizeof(ExpressReads) == 128);

/// What the next request of one side, or the response to one, is judged by: the values that ExpressSide and
/// ExpressStream will have once all packets before it are counted. Most packets need only two cache lines, this one and
/// the one where the packet waits; many of a connection are counted together. The lane may still take a packet that the
/// preview does not take.
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
  bool has_reads : 1 = false;  ///< that did not end

  /// Whether the packet is expected, and no other packet must be counted before it. If so, the preview moves on to the
  /// packet after it. `reads`: of the same side.
  [[nodiscard]] bool take(const ExpressPacket& packet, ExpressReads& reads) noexcept;
  /// Whether the response ends a silence that may be a stall: then it does not wait.
  [[nodiscard]] bool may_stall(const ExpressPacket& response) const noexcept;

 private:
  [[nodiscard]] bool take_send_or_write(const ExpressPacket& packet) noexcept;
  [[nodiscard]] bool take_read(const ExpressPacket& packet, ExpressReads& reads) noexcept;
  [[nodiscard]] bool take_ack(const ExpressPacket& packet, const ExpressReads& reads) noexcept;
  [[nodiscard]] bool take_answer(const ExpressPacket& packet, ExpressReads& reads) noexcept;
  [[nodiscard]] std::uint32_t outstanding() const noexcept {
    return static_cast<std::uint32_t>(unacknowledged.distance_to(next));
  }
};
static_assert(sizeof(ExpressPreview) == 64);

/// PSNs that a READ of `bytes` takes, by the MTU of the responses; 0: not known.
[[nodiscard]] inline std::uint32_t span_of_read(std::uint32_t bytes, std::uint32_t mtu) noexcept {
  if (bytes <= kSmallestMtu) return 1;
  return mtu == 0 ? 0 : packets_for(bytes, mtu);
}

/// Whether the payload is as long as the position of the packet in its message asks for. `mtu`: of its sender's packets; 0: not known.
/// `sends_full`: packets of just the MTU were seen, and others may pass.
[[nodiscard]] inline bool has_usual_length(const ExpressPacket& packet, bool begins, bool ends, std::uint32_t mtu,
                                           bool sends_full) noexcept {
  if (!ends) return sends_full && packet.payload == mtu && packet.pad() == 0;
  return packet.payload <= (mtu != 0 ? mtu : kLargestMtu) && (begins || packet.payload > 0);
}

}  // namespace rocescope
