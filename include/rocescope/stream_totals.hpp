// What happened to the requests of one side of a connection.
#pragma once

#include <array>
#include <cstdint>

#include "rocescope/box.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

/// Requests on their way or in work: sent and not acknowledged, as far as was seen.
struct InFlight {
  std::uint64_t bytes = 0;  ///< payload
  std::uint32_t messages = 0;
  std::uint32_t packets = 0;
  std::uint32_t reads = 0;  ///< READs and ATOMICs: what the initiator depth limits (IBTA 9.4.4)
};

/// What went wrong with them.
struct StreamTroubles {
  static constexpr std::size_t kKinds = static_cast<std::size_t>(VerdictKind::kAckOfUnseen) + 1;
  static constexpr std::size_t kCauses = static_cast<std::size_t>(ResendCause::kUnknown) + 1;

  std::array<std::uint64_t, kKinds> packets{};   ///< by verdict, without those that tell of no trouble
  std::array<std::uint64_t, kCauses> resends{};  ///< retransmissions by cause
  std::uint64_t recoveries = 0;                  ///< runs of retransmissions
  std::array<std::uint64_t, kCauses> recoveries_by_cause{};
  std::uint64_t stalls = 0;         ///< silences with requests outstanding, as TimeKind::kStall has them
  std::int64_t longest_stall = 0;   ///< ns
  std::int64_t stalled = 0;         ///< ns, of all of them
  std::uint64_t rnr_too_early = 0;  ///< RNR NAKs after which the requester did not wait as long as they asked for
  std::uint64_t resent_bytes = 0;   ///< payload of requests that had been seen before, capture duplicates left out
  std::uint64_t missing = 0;        ///< PSNs in gaps
  std::uint64_t lost_before = 0;    ///< packets that were sent and did not come here: lost before the capture point
  std::uint64_t lost_after = 0;     ///< packets that were seen, and then a NAK for them: lost behind it
  std::uint64_t corrupt = 0;        ///< packets with a wrong ICRC: seen and dropped by their receiver
  std::uint64_t capture_lost = 0;   ///< PSNs that were acknowledged and never seen
  std::uint64_t sequence_naks = 0;
  std::uint64_t rnr_naks = 0;
  std::uint64_t fatal_naks = 0;
  std::uint64_t messages_refused = 0;
  std::uint64_t messages_lost = 0;  ///< of UC: some of it was lost, so its receiver drops all of it
  std::uint64_t msn_backwards = 0;  ///< responses whose MSN was lower than one before
  std::uint64_t credit_stalls = 0;  ///< times that an ACK took the last credit
  std::int64_t credit_stalled = 0;  ///< ns until ACKs gave some again

  [[nodiscard]] std::uint64_t of(ResendCause cause) const noexcept { return resends[static_cast<std::size_t>(cause)]; }
};

struct StreamTotals {
  std::uint64_t in_order = 0;       ///< packets with the verdict kInOrder
  std::uint64_t responses = 0;      ///< packets with the verdict kResponse
  std::uint64_t new_packets = 0;    ///< requests that had not been seen before
  std::uint64_t payload_bytes = 0;  ///< of requests, capture duplicates left out
  std::uint64_t acks = 0;
  std::uint64_t messages = 0;  ///< begun
  std::uint64_t messages_completed = 0;
  InFlight in_flight;            ///< at the end
  InFlight most_in_flight;       ///< each at its own time; all 0 where no responses were seen
  Box<StreamTroubles> troubles;  ///< most have none

  void add(VerdictKind kind) {
    switch (kind) {
      case VerdictKind::kInOrder:
        ++in_order;
        return;
      case VerdictKind::kResponse:
        ++responses;
        return;
      default:
        ++troubles.make().packets[static_cast<std::size_t>(kind)];
    }
  }
  /// Packets by verdict: requests, and responses to them.
  [[nodiscard]] std::array<std::uint64_t, StreamTroubles::kKinds> packets() const {
    std::array<std::uint64_t, StreamTroubles::kKinds> all = troubles->packets;
    all[static_cast<std::size_t>(VerdictKind::kInOrder)] = in_order;
    all[static_cast<std::size_t>(VerdictKind::kResponse)] = responses;
    return all;
  }
  [[nodiscard]] std::uint64_t of(VerdictKind kind) const { return packets()[static_cast<std::size_t>(kind)]; }
};

}  // namespace rocescope
