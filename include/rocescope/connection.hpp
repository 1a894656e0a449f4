// Connections: the two sides of a pair of queue pairs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/detail/box.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/message.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/times.hpp"
#include "rocescope/verdict.hpp"

namespace rocescope {

/// IBTA 10.3.1, numbered as ibverbs does. Two of them are never concluded, since no packet tells them from others: a send
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

/// What happened to the requests of one side of a connection.
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

/// How the two directions were found to belong together, the weakest evidence first.
enum class PairedBy : std::uint8_t {
  kNothing,   ///< one direction only
  kPort,      ///< the UDP source ports are those that both queue pair numbers give, and of no other two
  kPsn,       ///< responses of the one answer what is outstanding of the other, and of no other
  kOob,       ///< perftest or ibv_*_pingpong told each other their queue pairs over TCP
  kExchange,  ///< rdmagen's set-up exchange names both queue pairs
  kCm,        ///< a REQ and its REP do
};

/// "unpaired", "port", "psn", "oob", "exchange", "cm".
[[nodiscard]] constexpr std::string_view to_string(PairedBy method) noexcept {
  constexpr std::string_view kNames[] = {"unpaired", "port", "psn", "oob", "exchange", "cm"};
  return kNames[static_cast<std::size_t>(method)];
}

/// Sizes of messages by powers of two.
class SizeTable {
 public:
  /// Messages of at least `at_least` bytes, and less than twice as many; 0 is its own.
  struct Row {
    std::uint64_t at_least = 0;
    std::uint64_t messages = 0;
  };

  void add(std::uint64_t bytes) { ++at(std::bit_floor(bytes)).messages; }
  void merge(const SizeTable& other) {
    for (const Row& row : other.rows_) at(row.at_least).messages += row.messages;
  }
  /// The sizes that occurred, smallest first.
  [[nodiscard]] std::span<const Row> rows() const noexcept { return rows_; }

 private:
  [[nodiscard]] Row& at(std::uint64_t at_least) {
    auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& other) { return other.at_least >= at_least; });
    if (row == rows_.end() || row->at_least != at_least) row = rows_.insert(row, {at_least, 0});
    return *row;
  }

  std::vector<Row> rows_;
};

/// What is known of one operation's messages.
struct OperationTotals {
  Operation operation = Operation::kSend;
  std::uint64_t messages = 0;
  std::uint64_t completed = 0;
  std::uint64_t refused = 0;
  std::uint64_t bytes = 0;
  SizeTable sizes;

  /// Those of `other` as well, which are of the same operation.
  void merge(const OperationTotals& other) {
    messages += other.messages;
    completed += other.completed;
    refused += other.refused;
    bytes += other.bytes;
    sizes.merge(other.sizes);
  }
};

/// By operation; takes memory only for those that occurred, which are one or two as a rule.
class OperationTable {
 public:
  /// The totals of `operation`, made where there are none. Lasts until the next call.
  [[nodiscard]] OperationTotals& at(Operation operation) {
    for (OperationTotals& totals : totals_) {
      if (totals.operation == operation) return totals;
    }
    return totals_.emplace_back(OperationTotals{.operation = operation});
  }
  [[nodiscard]] OperationTotals of(Operation operation) const noexcept {
    for (const OperationTotals& totals : totals_) {
      if (totals.operation == operation) return totals;
    }
    return {.operation = operation};
  }
  /// In the order of their first messages.
  [[nodiscard]] std::span<const OperationTotals> all() const noexcept { return totals_; }

 private:
  std::vector<OperationTotals> totals_;
};

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
  Box<Congestion> congestion;              ///< of its data, where it sends more than a packet now and then

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
};

struct Connection {
  std::uint32_t number = 0;  ///< from 1, in the order of their first packets
  Transport transport = Transport::kRc;
  PairedBy paired_by = PairedBy::kNothing;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels
  std::uint32_t joined = 0;      ///< its number before, where its other direction was one by itself; 0: was not
  std::uint32_t path_mtu = 0;    ///< bytes, from the CM or from packets; 0: unknown
  std::uint32_t handshake = 0;   ///< the number of the handshake that set it up; 0: none was seen
  std::int64_t first_time = 0;   ///< nanoseconds since 1970
  std::int64_t last_time = 0;
  std::array<ConnectionSide, 2> sides;  ///< the active side of the CM first, else whoever sent first
};

}  // namespace rocescope
