// What the tracker concludes of a packet, from the packets before it alone; and of a run of retransmissions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rocescope {

/// Where a packet stands in its stream. "Seen" always means: seen at the capture point.
enum class VerdictKind : std::uint8_t {
  kNone,  ///< not judged: no RoCE, a datagram, a CNP, damaged
  // Requests
  kInOrder,  ///< the next PSN
  kGap,      ///< PSNs before this one have not been seen
  /// Overtaken on its way: it was sent before what was seen before it, by its IPv4 identification; if that does not show it,
  /// it fills a gap soon after this opened, with nothing that asked for it.
  kOutOfOrder,
  kRetransmission,    ///< sent again
  kCaptureDuplicate,  ///< the capture has this packet twice
  kUsedPsn,           ///< another request than the one that had its PSN before
  // Responses
  kResponse,                    ///< acknowledges, refuses or answers what is outstanding
  kDuplicateAck,                ///< says again what the last one said
  kReadResponseGap,             ///< responses of the same READ before this one have not been seen
  kReadResponseRetransmission,  ///< a response to a READ that was seen before
  kStale,                       ///< of requests that were answered before
  kAckOfUnseen,                 ///< of a request that was not seen
};
inline constexpr std::size_t kVerdictKinds = static_cast<std::size_t>(VerdictKind::kAckOfUnseen) + 1;

[[nodiscard]] constexpr std::string_view to_string(VerdictKind kind) noexcept {
  constexpr std::string_view kNames[] = {"",
                                         "in_order",
                                         "gap",
                                         "out_of_order",
                                         "retransmission",
                                         "capture_duplicate",
                                         "used_psn",
                                         "response",
                                         "duplicate_ack",
                                         "read_response_gap",
                                         "read_response_retransmission",
                                         "stale",
                                         "ack_of_unseen"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// What made a requester send a packet again.
enum class ResendCause : std::uint8_t {
  kNone,
  kNak,         ///< a NAK (PSN sequence error) for it or for a packet before it
  kRnr,         ///< an RNR NAK for it or for a message before it
  kTimeout,     ///< neither, and the requester had waited for as long as its ACK timeout
  kImpliedNak,  ///< a READ asks again for what was missing of its responses
  kSpurious,    ///< its ACK was on the way when it was sent
  kAckLost,     ///< its ACK was seen here long before: it was lost behind the capture point
  kUnknown,
};
inline constexpr std::size_t kResendCauses = static_cast<std::size_t>(ResendCause::kUnknown) + 1;

[[nodiscard]] constexpr std::string_view to_string(ResendCause cause) noexcept {
  constexpr std::string_view kNames[] = {"", "nak", "rnr", "timeout", "implied_nak", "spurious", "ack_lost", "unknown"};
  return kNames[static_cast<std::size_t>(cause)];
}

/// Where a packet that was sent again, or asked for again, had been lost.
enum class LostWhere : std::uint8_t {
  kNowhere,  ///< nothing says that it was lost
  kBefore,   ///< before the place where the capture was made
  kAfter,    ///< behind it
  kCorrupt,  ///< its ICRC was wrong when it came by: its receiver dropped it
};

/// "before", "after", "corrupt"; empty where nothing says that it was lost.
[[nodiscard]] constexpr std::string_view to_string(LostWhere where) noexcept {
  constexpr std::string_view kNames[] = {"", "before", "after", "corrupt"};
  return kNames[static_cast<std::size_t>(where)];
}

struct Verdict {
  VerdictKind kind = VerdictKind::kNone;
  ResendCause cause = ResendCause::kNone;         ///< of a retransmission
  LostWhere lost = LostWhere::kNowhere;           ///< retransmission: the copy before it; NAK: the packet it asks for
  LostWhere lost_response = LostWhere::kNowhere;  ///< retransmission of a READ: the responses for which it asks again
  /// Its ICRC is wrong, and others of its sender are right: its receiver drops it, and no field of it proves anything. Its
  /// connection is then that of the packet most probably.
  bool damaged = false;
  bool acknowledged = false;         ///< of a retransmission: an ACK or a response that covers it had been seen before
  std::uint32_t connection = 0;      ///< from 1; 0: none
  std::uint32_t missing = 0;         ///< gap, read_response_gap: PSNs not seen; ack_of_unseen: PSNs skipped
  std::uint32_t lost_responses = 0;  ///< READ responses that were lost: see lost_response
  std::uint64_t message = 0;         ///< from 1, counted over the capture; 0: none
  /// The number of the frame that it relates to: of a retransmission, duplicate or NAK the original, or the corrupt one; of
  /// a response the first frame of the request; of used_psn the request that had the PSN before; 0: none.
  std::uint64_t related = 0;
  std::uint64_t evidence = 0;  ///< the number of the NAK that asked for a retransmission; 0: none
};

/// One run of packets sent again, in the order of their PSNs (go-back-N, IBTA 9.7.5.1.1). It ends with the first packet that
/// was never sent before, or where the next recovery begins.
struct Recovery {
  ResendCause cause = ResendCause::kUnknown;
  std::uint64_t trigger_frame = 0;  ///< the NAK or RNR NAK; 0: none was seen
  std::uint64_t first_frame = 0;    ///< the first packet that was sent again
  std::uint64_t last_frame = 0;
  std::int64_t first_time = 0;  ///< nanoseconds since 1970
  std::int64_t last_time = 0;
  /// Nanoseconds from the last request or response that brought the stream on to the first packet of the recovery.
  std::int64_t stall = 0;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;        ///< payload of these packets
  std::uint64_t lost_before = 0;  ///< PSNs: lost before the capture point
  std::uint64_t lost_after = 0;   ///< packets that were seen and that the trigger asked for: lost behind it
};

}  // namespace rocescope
