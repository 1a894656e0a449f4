// Connections: the two sides of a pair of queue pairs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/breach.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/detail/box.hpp"
#include "rocescope/detail/congestion_state.hpp"
#include "rocescope/detail/stream_totals.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/message.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/times.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

/// IBTA 10.3.1, numbered as ibverbs does. Two of them are never concluded, since no packet distinguishes them from others: a send
/// queue that is drained (SQD) is silent, as one in RTS is that has nothing to send; and SQE, where a UC or UD send queue
/// goes after an error of its own (one of RC goes to ERR), sends as little, and no response shows that it still receives.
enum class QpState : std::uint8_t { kReset, kInit, kRtr, kRts, kSqd, kSqe, kErr };

[[nodiscard]] constexpr std::string_view to_string(QpState state) noexcept {
  constexpr std::string_view kNames[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
  return kNames[static_cast<std::size_t>(state)];
}

/// A state that a queue pair went to, and the packet that proves it.
struct QpTransition {
  QpState state = QpState::kReset;
  bool observed = false;     ///< a packet of its own shows it; else concluded from its peer's packets, or from silence
  std::uint64_t packet = 0;  ///< the frame's number
  std::int64_t time = 0;     ///< of that packet, nanoseconds since 1970; the queue pair went there before or then
};

/// How the two directions were found to belong together, the weakest evidence first.
enum class PairedBy : std::uint8_t {
  kNothing,   ///< one direction only
  kPort,      ///< the UDP source ports are those that both queue pair numbers give, and of no other two
  kPsn,       ///< responses of the one answer what is outstanding of the other, and of no other
  kOob,       ///< perftest, ibv_*_pingpong or SMC-R exchanged their queue pairs over TCP
  kExchange,  ///< rdmagen's set-up exchange names both queue pairs
  kCm,        ///< a REQ and its REP do
};

/// "unpaired", "port", "psn", "oob", "exchange", "cm".
[[nodiscard]] constexpr std::string_view to_string(PairedBy method) noexcept {
  constexpr std::string_view kNames[] = {"unpaired", "port", "psn", "oob", "exchange", "cm"};
  return kNames[static_cast<std::size_t>(method)];
}

/// The most READs and atomics that were outstanding at once.
struct OutstandingReads {
  std::uint32_t most = 0;
  std::uint64_t packet = 0;  ///< the number of the frame with the last of them, the first time
  std::int64_t time = 0;     ///< nanoseconds since 1970
};

/// One side: what it sends. What each packet counts in stands first, so that it is in few cache lines.
struct ConnectionSide {
  IpAddress address;
  std::optional<Qpn> qpn;                  ///< where the other side's packets go; not known while these were not seen
  Traffic traffic;                         ///< all that it sent: requests, responses, CNPs
  std::uint64_t first_packet = 0;          ///< the number of its first frame; 0: none
  std::int64_t last_data_time = 0;         ///< nanoseconds since 1970, of its last data packet
  std::optional<TrafficClass> data_class;  ///< of its last data packet, over RoCEv2
  std::uint32_t class_changes = 0;         ///< data packets in another class than the one before
  RateSeries rates;                        ///< of all that it sent
  EcnCounts ecn;                           ///< of its data packets, over RoCEv2
  Box<CongestionState> congestion;         ///< of its data, where it sends more than a packet now and then

  // Of its requests, where messages end.
  OperationTable operations;  ///< of its messages
  TimeTable times;            ///< of its requests; CNPs: of those that it sent

  Box<std::vector<std::uint64_t>> alone;  ///< the numbers of its first few frames, where the other side never sent any
  std::uint64_t cnp_packets = 0;
  std::uint64_t ce_packets = 0;             ///< marked by a switch on the way
  Box<StreamTotals> requests;               ///< its requests, and the responses to them that the other side sent
  Box<OutstandingReads> reads_outstanding;  ///< of its requests
  Sightings sightings;                ///< evidence for findings about its requests, or about other packets that it sent
  Box<std::vector<Message>> refused;  ///< the first few of its messages that the other side refused
  Breaches breaches;                  ///< rules that packets which it sent broke

  static constexpr std::size_t kMostStates = 16;
  /// Of its queue pair, in their order, as far as the wire shows them; at most kMostStates.
  std::vector<QpTransition> states;

  /// Packets that it sent most probably, damaged on their way here: see Verdict::damaged.
  [[nodiscard]] std::uint64_t damaged_packets() const {
    const Sighting* const bad = sightings.find(FindingId::kIcrcBad);
    return bad == nullptr ? 0 : bad->seen.count;
  }

  // Counts of its requests, and of the responses to them that the other side sent; 0 where there were none.
  [[nodiscard]] std::uint64_t messages() const { return requests->sums.messages; }  ///< begun
  [[nodiscard]] std::uint64_t messages_completed() const { return requests->sums.messages_completed; }
  [[nodiscard]] std::uint64_t messages_refused() const { return requests->troubles->messages_refused; }
  /// Of UC: some of it was lost, so its receiver drops all of it.
  [[nodiscard]] std::uint64_t messages_lost() const { return requests->troubles->messages_lost; }
  /// Payload of requests, capture duplicates left out.
  [[nodiscard]] std::uint64_t payload_bytes() const { return requests->sums.payload_bytes; }
  /// The part of payload_bytes() that had been seen before.
  [[nodiscard]] std::uint64_t resent_bytes() const { return requests->troubles->resent_bytes; }
  /// Requests that had not been seen before.
  [[nodiscard]] std::uint64_t new_packets() const { return requests->sums.new_packets; }
  [[nodiscard]] std::uint64_t acks() const { return requests->sums.acks; }
  /// Packets by verdict: requests, and responses to them.
  [[nodiscard]] std::array<std::uint64_t, kVerdictKinds> verdicts() const { return requests->packets(); }
  [[nodiscard]] std::uint64_t verdicts(VerdictKind kind) const { return requests->of(kind); }
  /// Retransmitted packets by cause.
  [[nodiscard]] const std::array<std::uint64_t, kResendCauses>& resends() const { return requests->troubles->resends; }
  [[nodiscard]] std::uint64_t resends(ResendCause cause) const { return requests->troubles->of(cause); }
  [[nodiscard]] std::uint64_t recoveries() const {
    return requests->troubles->recoveries;
  }  ///< runs of retransmissions
  [[nodiscard]] std::uint64_t recoveries(ResendCause cause) const {
    return requests->troubles->recoveries_by_cause[static_cast<std::size_t>(cause)];
  }
  /// Silences with requests outstanding, as TimeKind::kStall has them; the longest and the sum of all in nanoseconds.
  [[nodiscard]] std::uint64_t stalls() const { return requests->troubles->stalls; }
  [[nodiscard]] std::int64_t longest_stall() const { return requests->troubles->longest.stall; }
  [[nodiscard]] std::int64_t stalled() const { return requests->troubles->stalled; }
  [[nodiscard]] std::uint64_t missing_psns() const { return requests->troubles->missing; }  ///< PSNs in gaps
  /// Packets that must have been sent and did not come here: lost before the capture point, overtaken, or missed by the capture.
  [[nodiscard]] std::uint64_t lost_before() const { return requests->troubles->lost_before; }
  /// Of lost_before(): a NAK asked for them, so the responder did not get them.
  [[nodiscard]] std::uint64_t lost_awaited() const { return requests->troubles->lost_awaited; }
  /// Packets that were seen, and then a NAK for them: lost or overtaken after the capture point.
  [[nodiscard]] std::uint64_t lost_after() const { return requests->troubles->lost_after; }
  /// Packets that were seen, then a NAK for them, then an ACK without another copy: overtaken after the capture point.
  [[nodiscard]] std::uint64_t overtaken_after() const { return requests->troubles->overtaken_after; }
  /// Requests with a wrong ICRC: seen, and dropped by their receiver.
  [[nodiscard]] std::uint64_t corrupt() const { return requests->troubles->corrupt; }
  /// The same of responses to its requests.
  [[nodiscard]] std::uint64_t corrupt_responses() const { return requests->troubles->corrupt_responses; }
  /// PSNs that were acknowledged and never seen: the capture lost them.
  [[nodiscard]] std::uint64_t capture_lost() const { return requests->troubles->capture_lost; }
  /// Packets that had to be sent again, were not seen again and then acknowledged: the capture lost them, or its requester sends
  /// only what is missing.
  [[nodiscard]] std::uint64_t arrived_unseen() const { return requests->troubles->arrived_unseen; }
  /// Copies of packets (VerdictKind::kCaptureDuplicate) that the receiver answered as well: the network made them.
  [[nodiscard]] std::uint64_t answered_copies() const { return requests->troubles->answered_copies; }
  /// Messages that stand behind their ACKs in the capture, whose two directions are out of step.
  [[nodiscard]] std::uint64_t answered_early() const { return requests->troubles->answered_early; }
  /// By how much the time of such a message is behind that of its ACK, the most, nanoseconds: the two directions are at least so far
  /// apart. 0: only their order shows it.
  [[nodiscard]] std::int64_t most_answered_early() const { return requests->troubles->longest.answered_early; }
  /// READ responses that had not been seen when a later one of the same READ came.
  [[nodiscard]] std::uint64_t read_responses_missing() const { return requests->troubles->read_responses_missing; }
  /// READ responses that did not come here, and that the requester asked for again: lost between the responder and the capture point.
  [[nodiscard]] std::uint64_t read_responses_lost_before() const {
    return requests->troubles->read_responses_lost_before;
  }
  /// Of read_responses_lost_before(): the requester asked for them first, so it lacks them. What is behind them it asks for again
  /// whatever became of that.
  [[nodiscard]] std::uint64_t read_responses_lost_awaited() const {
    return requests->troubles->read_responses_lost_awaited;
  }
  /// READ responses that were seen, and that the requester asked for again all the same: lost between the capture point and the
  /// requester. At least so many: what followed them may be lost or dropped.
  [[nodiscard]] std::uint64_t read_responses_lost_after() const {
    return requests->troubles->read_responses_lost_after;
  }
  /// READ responses that were never seen, and that the requester has: the capture lost them. At least so many.
  [[nodiscard]] std::uint64_t read_responses_not_captured() const {
    return requests->troubles->read_responses_not_captured;
  }
  /// ACKs of requests that were carried out: the requester sent these again after a timeout, and the responder answered as it answers
  /// duplicates. The ACKs were not seen. At least so many.
  [[nodiscard]] std::uint64_t acks_lost_before() const { return requests->troubles->acks_lost_before; }
  /// ACKs that were seen, long before the requester sent what they acknowledge again. At least so many.
  [[nodiscard]] std::uint64_t acks_lost_after() const { return requests->troubles->acks_lost_after; }
  /// Three timeouts or more in a row in which nothing answered: how often, how often something answered after them, the longest in
  /// nanoseconds from the first packet that waited, and the most times that packets were sent again in one.
  [[nodiscard]] std::uint64_t silences() const { return requests->troubles->silences; }
  [[nodiscard]] std::uint64_t silences_ended() const { return requests->troubles->silences_ended; }
  [[nodiscard]] std::int64_t longest_silence() const { return requests->troubles->longest.silence; }
  [[nodiscard]] std::uint64_t most_tries_in_silence() const { return requests->troubles->longest.tries_in_silence; }
  [[nodiscard]] std::uint64_t sequence_naks() const { return requests->troubles->sequence_naks; }
  [[nodiscard]] std::uint64_t rnr_naks() const { return requests->troubles->rnr_naks; }
  /// RNR NAKs so long after their request, and copies so long after their RNR NAK, that others may have been missed between: longer than
  /// they ask to wait, and 20 ms.
  [[nodiscard]] std::uint64_t late_for_rnr() const { return requests->troubles->late_for_rnr; }
  [[nodiscard]] std::uint64_t fatal_naks() const { return requests->troubles->fatal_naks; }
  /// NAKs of all kinds.
  [[nodiscard]] std::uint64_t naks() const { return sequence_naks() + rnr_naks() + fatal_naks(); }
  /// RNR NAKs after which the requester did not wait as long as they asked for.
  [[nodiscard]] std::uint64_t rnr_too_early() const { return requests->troubles->rnr_too_early; }
  /// Responses whose MSN was lower than one before.
  [[nodiscard]] std::uint64_t msn_backwards() const { return requests->troubles->msn_backwards; }
  /// Waits for credits: it was silent after an ACK without credits, until another ACK gave some, and then sent at once. How many, and
  /// how long all of them took, in nanoseconds.
  [[nodiscard]] std::uint64_t credit_stalls() const { return requests->troubles->credit_stalls; }
  [[nodiscard]] std::int64_t credit_stalled() const { return requests->troubles->credit_stalled; }
  [[nodiscard]] const InFlight& in_flight() const { return requests->in_flight; }  ///< at the end
  /// Each at its own time; all 0 where no responses were seen.
  [[nodiscard]] const InFlight& most_in_flight() const { return requests->most_in_flight; }
};

struct Connection {
  std::uint32_t number = 0;  ///< from 1, in the order of their first packets
  Transport transport = Transport::kRc;
  PairedBy paired_by = PairedBy::kNothing;
  bool partial : 1 = false;   ///< some of its packets do not count: see Tracker::track()
  bool repeated : 1 = false;  ///< as PacketRecord has it, of its first packet
  /// Nothing distinguishes copies of its packets, seen at several capture points, from packets that were sent again:
  /// what is counted is an estimate. Known once all packets were read.
  bool unsure : 1 = false;
  /// Copies of its packets came before it was known that there are any: they count as packets that were sent again. It is unsure if they
  /// are more than a few.
  bool noticed_late : 1 = false;
  std::uint8_t counting : 2 = 0;    ///< sides, from the lowest bit on: see counts_packets()
  std::uint16_t capture_point = 1;  ///< where its packets were seen
  std::uint16_t path_mtu = 0;       ///< bytes, from the CM or from packets; 0: unknown
  std::uint32_t overlay_id = 0;     ///< innermost VNI; 0 outside tunnels
  std::uint32_t joined = 0;         ///< its number before, where its other direction was one by itself; 0: was not
  std::uint32_t handshake = 0;      ///< the number of the handshake that set it up; 0: none was seen
  std::int64_t first_time = 0;      ///< nanoseconds since 1970
  std::int64_t last_time = 0;
  /// Where several files were read: how far those reach that saw it, ns since 1970. The largest number: as far as all packets.
  std::int64_t seen_until = std::numeric_limits<std::int64_t>::max();
  std::array<ConnectionSide, 2> sides;  ///< the active side of the CM first, else the first sender

  /// Whether the requester counts its packets in their IPv4 identification: nothing else distinguishes an original that was overtaken
  /// from its copy.
  [[nodiscard]] bool counts_packets(std::size_t requester) const noexcept { return (counting >> requester & 1U) != 0; }

  /// Whether packets that `side` sent, requests or responses, were lost before the capture point.
  [[nodiscard]] bool loses_before(std::size_t side) const {
    const ConnectionSide& other = sides[1 - side];
    return sides[side].lost_before() + other.read_responses_lost_before() + other.acks_lost_before() > 0;
  }
};

/// Not of one that was set up and not used, nor of one whose packets do not count.
[[nodiscard]] inline bool has_packets(const Connection& connection) noexcept {
  return connection.sides[0].traffic.packets + connection.sides[1].traffic.packets > 0;
}

}  // namespace rocescope
