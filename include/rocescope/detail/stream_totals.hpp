// How the counts of a connection's side are kept, so that a quiet one takes little memory. Functions of ConnectionSide read
// them, and say what each counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/detail/box.hpp"
#include "rocescope/message.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

/// The longest of what went wrong with the requests of one side of a connection: maxima, where StreamTroubles has sums.
struct StreamExtremes {
  std::int64_t stall = 0;
  std::int64_t silence = 0;
  std::uint64_t tries_in_silence = 0;
  std::int64_t answered_early = 0;
};

/// What went wrong with the requests of one side of a connection. All but longest are sums, each of 64 bits: those of packets that
/// do not count are taken off without a list of them.
struct StreamTroubles {
  std::array<std::uint64_t, kVerdictKinds> packets{};  ///< by verdict, without kInOrder and kResponse
  std::array<std::uint64_t, kResendCauses> resends{};
  std::uint64_t recoveries = 0;
  std::array<std::uint64_t, kResendCauses> recoveries_by_cause{};
  std::uint64_t stalls = 0;
  std::int64_t stalled = 0;
  std::uint64_t rnr_too_early = 0;
  std::uint64_t resent_bytes = 0;
  std::uint64_t missing = 0;
  std::uint64_t lost_before = 0;
  std::uint64_t lost_awaited = 0;
  std::uint64_t lost_after = 0;
  std::uint64_t overtaken_after = 0;
  std::uint64_t corrupt = 0;
  std::uint64_t corrupt_responses = 0;
  std::uint64_t capture_lost = 0;
  std::uint64_t arrived_unseen = 0;
  std::uint64_t answered_copies = 0;
  std::uint64_t answered_early = 0;
  std::uint64_t read_responses_missing = 0;
  std::uint64_t read_responses_lost_before = 0;
  std::uint64_t read_responses_lost_awaited = 0;
  std::uint64_t read_responses_lost_after = 0;
  std::uint64_t read_responses_not_captured = 0;
  std::uint64_t sequence_naks = 0;
  std::uint64_t rnr_naks = 0;
  std::uint64_t fatal_naks = 0;
  std::uint64_t messages_refused = 0;
  std::uint64_t messages_lost = 0;
  std::uint64_t msn_backwards = 0;
  std::uint64_t credit_stalls = 0;
  std::int64_t credit_stalled = 0;
  std::uint64_t acks_lost_before = 0;
  std::uint64_t acks_lost_after = 0;
  std::uint64_t silences = 0;
  std::uint64_t silences_ended = 0;
  StreamExtremes longest;

  [[nodiscard]] std::uint64_t of(ResendCause cause) const noexcept { return resends[static_cast<std::size_t>(cause)]; }
};

/// What the requests of every side of a connection add up to.
struct StreamSums {
  std::uint64_t in_order = 0;
  std::uint64_t responses = 0;
  std::uint64_t new_packets = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t acks = 0;
  std::uint64_t messages = 0;
  std::uint64_t messages_completed = 0;
};

/// What happened to the requests of one side of a connection.
struct StreamTotals {
  StreamSums sums;
  InFlight in_flight;
  InFlight most_in_flight;
  Box<StreamTroubles> troubles;  ///< most have none

  void add(VerdictKind kind) {
    switch (kind) {
      case VerdictKind::kInOrder:
        ++sums.in_order;
        return;
      case VerdictKind::kResponse:
        ++sums.responses;
        return;
      default:
        ++troubles.make().packets[static_cast<std::size_t>(kind)];
    }
  }
  /// Packets by verdict: requests, and responses to them.
  [[nodiscard]] std::array<std::uint64_t, kVerdictKinds> packets() const {
    std::array<std::uint64_t, kVerdictKinds> all = troubles->packets;
    all[static_cast<std::size_t>(VerdictKind::kInOrder)] = sums.in_order;
    all[static_cast<std::size_t>(VerdictKind::kResponse)] = sums.responses;
    return all;
  }
  [[nodiscard]] std::uint64_t of(VerdictKind kind) const { return packets()[static_cast<std::size_t>(kind)]; }
};

}  // namespace rocescope
