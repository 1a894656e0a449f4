// What the express lane keeps of a connection.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "messages/payload.hpp"
#include "model/express_reason.hpp"
#include "rocescope/address.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/times.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/express/counted_times.hpp"
#include "tracking/express/express_packet.hpp"
#include "tracking/express/express_preview.hpp"
#include "tracking/express/express_run.hpp"
#include "tracking/express/express_stream.hpp"
#include "tracking/express/express_waiting.hpp"
#include "tracking/watchers/read_depth.hpp"

namespace rocescope {

struct ConnectionState;

/// What one side sends. It replaces a part of the full state, which is brought up to date when the connection is
/// settled. With many connections, each cache line that a packet needs costs more than all work on it, so members that
/// a kind of packet needs stand together.
struct alignas(64) ExpressSide {
  std::array<std::uint64_t, kExpressKinds> likenesses{};  ///< by kind, as seen or supposed; 0: not known
  std::array<std::uint64_t, kExpressKinds> packets{};     ///< since it was settled, by kind

  // Since the bucket of the rates began.
  std::uint64_t bucket = 0;      ///< its start, ns since 1970
  std::int64_t bucket_time = 0;  ///< of the last packet in it
  Sent sent;

  // Since it was settled.
  PsnRun responses;
  PsnRun requests;
  std::int64_t packet_time = 0;  ///< of the last packet
  std::uint64_t writes = 0;      ///< that began

  // Of its data.
  std::int64_t last_data_time = 0;
  RateMeter* meter = nullptr;    ///< null: nothing was metered yet
  std::uint64_t slot = 0;        ///< of the meter: its start, ns since 1970
  std::int64_t slot_time = 0;    ///< of the last packet in it
  std::uint64_t slot_bytes = 0;  ///< since it began
  std::uint32_t mtu = 0;         ///< of its packets; 0: not known
  bool sends_full = false;       ///< packets of just the MTU were seen, and others may pass
  bool is_metered = false;       ///< its data may pass
  bool takes_keys = false;       ///< HandshakeFollower needs its R_Keys no more
  bool passes = false;           ///< its requests may
  ExpressReason refusal{};       ///< why its requests, or responses to them, may not pass
  bool has_dma_length = false;   ///< of the message under way
  std::uint32_t dma_length = 0;
  std::uint32_t message_bytes = 0;  ///< payload of the message under way, or of the last one
  std::uint8_t last_opcode = 0;     ///< of its requests
  std::uint8_t last_answer = 0;     ///< opcode of its last READ response; 0: there was none
  Psn next_answer;                  ///< behind that

  ExpressStream stream;

  // Where responses to its requests count.
  static constexpr std::size_t kTimes = static_cast<std::size_t>(TimeKind::kMessageTime) + 1;
  std::array<Histogram*, kTimes> times{};  ///< by kind; null: there is none yet
  static constexpr std::size_t kOperations = 3;
  std::array<OperationTotals*, kOperations> operations{};  ///< of SENDs, WRITEs and READs; the same

  Occurrences* bad_icrcs =
      nullptr;  ///< where its ACKs with a wrong ICRC count; null: there was none since it was armed

  std::uint32_t read_mtu = 0;    ///< of the responses to its READs; 0: not known
  std::uint32_t most_reads = 0;  ///< as OutstandingReads has it
  ReadDepth::Side reads;
  std::uint64_t wire_bytes = 0;  ///< since it was settled, before the bucket
  std::uint64_t payload_bytes = 0;
  static constexpr std::size_t kCounted = 4;
  using Counted = std::array<CountedTimes, kCounted>;
  std::unique_ptr<Counted> counted;  ///< by counted_of(), in no histogram yet; null: there was no time

  [[nodiscard]] bool knows(const ExpressPacket& packet) const noexcept {
    return packet.likeness == likenesses[static_cast<std::size_t>(packet.kind)];
  }
  /// Packets with a wrong ICRC: here only ACKs may have one.
  [[nodiscard]] std::uint64_t bad_packets() const noexcept {
    constexpr auto kAcks = static_cast<std::size_t>(ExpressKind::kAck);
    return ExpressPacket::icrc_of(likenesses[kAcks]) == IcrcStatus::kBad ? packets[kAcks] : 0;
  }
  [[nodiscard]] static constexpr std::size_t index_of(Operation operation) noexcept {
    static_assert(static_cast<std::size_t>(Operation::kReadRequest) + 1 == kOperations);
    return static_cast<std::size_t>(operation);
  }
  /// Whether a READ response that does not begin may have this PSN.
  [[nodiscard]] bool goes_on_answering(Psn psn) const noexcept {
    const Position last = opcode_info(last_answer).position;
    return last_answer != 0 && next_answer == psn && (last == Position::kFirst || last == Position::kMiddle);
  }
  /// Counts in `facts`.
  void add_time(ConnectionSide& facts, TimeKind kind, std::int64_t ns) {
    Histogram* const histogram = times[static_cast<std::size_t>(kind)];
    if (histogram == nullptr || counted == nullptr) [[unlikely]]
      return add_first_time(facts, kind, ns);
    (*counted)[counted_of(kind)].add(static_cast<std::uint64_t>(ns), *histogram);
  }
  /// The place among those counted. Takes all kinds but those of atomics, which never take the lane.
  [[nodiscard]] static constexpr std::size_t counted_of(TimeKind kind) noexcept {
    return std::min(static_cast<std::size_t>(kind), kCounted - 1);
  }
  /// Moves the times to their histograms.
  void move_times();
  void add_messages(ConnectionSide& facts, Operation operation, std::uint64_t bytes, std::uint64_t messages);
  void add_first_time(ConnectionSide& facts, TimeKind kind, std::int64_t ns);
  /// Finds where `facts` count; the places change when the first of another kind is counted.
  void find_counts(ConnectionSide& facts);
};

struct alignas(64) ExpressConnection {
  // One cache line with all that each packet needs.
  std::array<IpAddress, 2> addresses;  ///< of the sides
  std::array<Qpn, 2> qpns;
  std::uint64_t identity = 0;  ///< PayloadWatch::identity_of() it
  std::int64_t last_time = 0;  ///< of its last packet
  std::uint32_t block = 0;     ///< where packets wait, if some do
  std::uint16_t capture_point = 1;
  bool armed : 1 = false;
  bool is_outdated : 1 = false;                             ///< the previews are
  bool goes_on : 1 = false;                                 ///< it filled a small block
  bool has_large_block : 1 = false;                         ///< `block` is one
  PayloadInterest payload : 4 = PayloadInterest::kUnasked;  ///< of those who want payload
  std::uint8_t waits = 0;                                   ///< packets that passed, to be counted together

  std::array<ExpressPreview, 2> previews;  ///< by requester
  std::array<ExpressReads, 2> reads;       ///< the same
  std::array<ExpressSide, 2> sides;
  ConnectionState* state = nullptr;
  std::uint32_t number = 0;    ///< of the connection; 0: none
  std::uint16_t path_mtu = 0;  ///< that the handshake announced; 0: none did

  /// Whether the packet is one of those that `sender` sends.
  [[nodiscard]] bool sends(const ExpressPacket& packet, std::size_t sender) const noexcept {
    return packet.source == addresses[sender] && packet.destination == addresses[1 - sender] &&
           packet.dest_qp == qpns[1 - sender] && packet.capture_point == capture_point;
  }
  /// The key of the packets that `sender` sends.
  [[nodiscard]] FlowKey key_of(std::size_t sender) const noexcept {
    return {addresses[sender], addresses[1 - sender], qpns[1 - sender], 0, capture_point};
  }
};
static_assert(offsetof(ExpressConnection, previews) == 64, "what each packet needs is in two lines");
static_assert(ExpressLargeBlocks::kPackets <= std::numeric_limits<decltype(ExpressConnection::waits)>::max());

}  // namespace rocescope
