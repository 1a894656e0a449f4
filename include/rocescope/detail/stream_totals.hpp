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
  std::uint64_t late_for_rnr = 0;
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

/// The columns that documents have of these counts, in their order, given to `columns`. `Count<member>(name, help)` makes one, which
/// is summed up where rows are added; src/schema/streams.cpp does, and adds the columns that are no single number. A maximum
/// has max_of() the count of what it is the maximum: it is 0 where that count is.
template <template <auto> class Count, class Columns>
constexpr auto stream_counts(Columns columns) {
  return columns(
      Count<&StreamSums::messages>("messages", "messages that began").messages().titled("messages"),
      Count<&StreamSums::messages_completed>("messages_completed", "acknowledged, or answered in full").messages(),
      Count<&StreamTroubles::messages_refused>("messages_refused", "that a NAK ended").messages(),
      Count<&StreamSums::payload_bytes>("payload_bytes", "of requests, without copies that the capture made").bytes(),
      Count<&StreamTroubles::resent_bytes>("resent_bytes", "payload of requests that had been seen before").bytes(),
      Count<&StreamTroubles::recoveries>("recoveries", "runs of retransmissions"),
      Count<&StreamTroubles::missing>("missing_psns", "PSNs in gaps"),
      Count<&StreamTroubles::lost_before>(
          "lost_before",
          "packets that must have been sent and did not come: lost before the capture point, overtaken, or missed by the capture; findings say which")
          .packets()
          .titled("lost before"),
      Count<&StreamTroubles::lost_awaited>("lost_before_awaited",
                                           "of lost_before: a NAK asked for them, so the responder did not get them")
          .packets(),
      Count<&StreamTroubles::lost_after>(
          "lost_after",
          "packets seen here that a NAK asked for: lost or overtaken behind the capture point; findings say which")
          .packets()
          .titled("lost after"),
      Count<&StreamTroubles::overtaken_after>(
          "overtaken_after", "packets that a NAK asked for, and that an ACK covered before they came again")
          .packets(),
      Count<&StreamTroubles::capture_lost>("capture_lost", "PSNs that were acknowledged and never seen")
          .packets()
          .titled("not captured"),
      Count<&StreamTroubles::arrived_unseen>("arrived_unseen",
                                             "packets that go-back-N sends again, not seen again and then acknowledged")
          .packets(),
      Count<&StreamTroubles::answered_copies>(
          "answered_copies", "of capture_duplicate in verdicts: copies that their receiver answered as well")
          .packets(),
      Count<&StreamTroubles::answered_early>("answered_early", "messages whose ACK stands before them in the capture")
          .messages(),
      Count<&StreamTroubles::read_responses_missing>(
          "read_responses_missing", "READ responses that had not been seen when a later one of the same READ came")
          .packets()
          .titled("READ gaps"),
      Count<&StreamSums::acks>("acks", "ACKs").packets(),
      Count<&StreamTroubles::sequence_naks>("sequence_naks", "NAKs for PSN sequence errors").packets().titled("NAK"),
      Count<&StreamTroubles::rnr_naks>("rnr_naks", "RNR NAKs").packets().titled("RNR"),
      Count<&StreamTroubles::late_for_rnr>(
          "late_for_rnr",
          "RNR NAKs so long after their request, and copies so long after their RNR NAK, that others may have been missed between")
          .packets(),
      Count<&StreamTroubles::fatal_naks>("fatal_naks", "NAKs that end the queue pair").packets().titled("refused"),
      Count<&StreamSums::new_packets>("new_packets", "requests that had not been seen before").packets(),
      Count<&StreamTroubles::messages_lost>("messages_lost",
                                            "of UC: some of it was lost, so its receiver drops all of it")
          .messages(),
      Count<&StreamTroubles::corrupt>("corrupt_packets", "requests with a wrong ICRC, which their receiver drops")
          .packets(),
      Count<&StreamTroubles::corrupt_responses>("corrupt_responses",
                                                "responses with a wrong ICRC, which the requester drops")
          .packets(),
      Count<&StreamTroubles::msn_backwards>("msn_backwards", "responses whose MSN was lower than one before").packets(),
      Count<&StreamTroubles::rnr_too_early>(
          "rnr_too_early", "RNR NAKs after which the requester did not wait as long as they asked for"),
      Count<&StreamTroubles::stalls>("stalls", "silences with requests outstanding"),
      Count<&StreamTroubles::stalled>("stalled", "all stalls together").nanoseconds(),
      Count<&StreamExtremes::stall>("longest_stall", "the longest of them")
          .nanoseconds()
          .max_of(&StreamTroubles::stalls),
      Count<&StreamTroubles::credit_stalls>("credit_stalls",
                                            "silences after an ACK without credits that ended when another gave some"),
      Count<&StreamTroubles::credit_stalled>("credit_stalled", "from these ACKs to those that gave credits")
          .nanoseconds(),
      Count<&StreamTroubles::read_responses_lost_before>(
          "read_responses_lost_before",
          "READ responses that were not seen, and asked for again: lost before the capture point or missed by the capture")
          .packets()
          .titled("READ lost before"),
      Count<&StreamTroubles::read_responses_lost_after>(
          "read_responses_lost_after",
          "READ responses seen here, and asked for again: at least so many were lost behind it")
          .packets()
          .titled("READ lost after"),
      Count<&StreamTroubles::read_responses_not_captured>(
          "read_responses_not_captured", "READ responses that were not seen, and that the requester must have")
          .packets()
          .titled("READ not captured"),
      Count<&StreamTroubles::acks_lost_before>(
          "acks_lost_before", "ACKs that were not seen, of requests that were carried out: at least so many")
          .packets()
          .titled("ACK lost before"),
      Count<&StreamTroubles::acks_lost_after>(
          "acks_lost_after",
          "ACKs seen here, after which their requests came again: at least so many were lost behind it")
          .packets()
          .titled("ACK lost after"),
      Count<&StreamTroubles::silences>("silences",
                                       "three timeouts or more one after the other, and no response between them"),
      Count<&StreamTroubles::silences_ended>("silences_ended", "of silences: a response came after all"),
      Count<&StreamExtremes::silence>(
          "longest_silence",
          "the longest of silences, from the first packet that waited to the response that ended it, else to the last try")
          .nanoseconds()
          .max_of(&StreamTroubles::silences),
      Count<&StreamExtremes::tries_in_silence>("most_tries_in_silence",
                                               "the most times that packets were sent again in one of silences")
          .max_of(&StreamTroubles::silences),
      Count<&StreamExtremes::answered_early>(
          "longest_answered_early",
          "the most that the time of one of answered_early is behind that of its ACK: the clocks or the capture have the two directions at least so far apart")
          .nanoseconds()
          .max_of(&StreamTroubles::answered_early),
      Count<&StreamTroubles::read_responses_lost_awaited>(
          "read_responses_lost_before_awaited",
          "of read_responses_lost_before: the requester asked for them first, so it lacks them")
          .packets());
}

}  // namespace rocescope
