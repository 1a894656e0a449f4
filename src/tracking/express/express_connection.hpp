// What the express lane keeps of a connection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/address.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/times.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/express/express_packet.hpp"
#include "tracking/express/express_run.hpp"
#include "tracking/express/express_stream.hpp"
#include "tracking/watchers/read_depth.hpp"

namespace rocescope {

struct ConnectionState;

/// What one side sends. Stands in the place of what the full state has, which is brought up to date when it is settled.
struct ExpressSide {
  IpAddress address;
  Qpn qpn;
  std::array<std::uint64_t, kExpressKinds> likenesses{};  ///< by kind; 0: not known
  std::int64_t last_data_time = 0;

  // Since it was settled.
  std::array<std::uint64_t, kExpressKinds> packets{};  ///< by kind
  PsnRun requests;
  PsnRun responses;
  std::uint64_t wire_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t writes = 0;      ///< that began
  std::int64_t packet_time = 0;  ///< of the last packet

  // Since the bucket of the rates began.
  std::uint64_t bucket = 0;      ///< its start, ns since 1970
  std::int64_t bucket_time = 0;  ///< of the last packet in it
  Sent sent;

  // Since the slot of the meter of its data began.
  RateMeter* meter = nullptr;  ///< null: there is none
  std::uint64_t slot = 0;      ///< its start, ns since 1970
  std::int64_t slot_time = 0;  ///< of the last packet in it
  std::uint64_t slot_bytes = 0;

  // Of its READ responses.
  Psn next_answer;               ///< behind the last one
  std::uint8_t last_answer = 0;  ///< its opcode; 0: there was none

  // Of its requests.
  std::uint32_t mtu = 0;         ///< of its packets; 0: not known
  std::uint32_t read_mtu = 0;    ///< of the responses to its READs; the same
  bool is_metered = false;       ///< its data may pass
  bool takes_keys = false;       ///< nothing is looked for with its R_Keys
  bool passes = false;           ///< its requests may
  bool is_answered = false;      ///< responses to them may
  std::uint8_t last_opcode = 0;  ///< of its requests
  bool has_dma_length = false;   ///< of the message under way
  std::uint32_t dma_length = 0;
  std::uint32_t message_bytes = 0;  ///< payload of the message under way, or of the last one
  static constexpr std::size_t kTimes = static_cast<std::size_t>(TimeKind::kMessageTime) + 1;
  std::array<Histogram*, kTimes> times{};        ///< by kind; null: there is none yet
  std::array<OperationTotals*, 3> operations{};  ///< of SENDs, WRITEs and READs; the same
  ReadDepth::Side reads;
  std::uint32_t most_reads = 0;  ///< as OutstandingReads has it
  ExpressStream stream;

  [[nodiscard]] bool knows(const ExpressPacket& packet) const noexcept {
    return packet.likeness == likenesses[static_cast<std::size_t>(packet.kind)];
  }
  /// With a wrong ICRC, which only ACKs may have here.
  [[nodiscard]] std::uint64_t bad_packets() const noexcept {
    constexpr auto kAcks = static_cast<std::size_t>(ExpressKind::kAck);
    return ExpressPacket::icrc_of(likenesses[kAcks]) == IcrcStatus::kBad ? packets[kAcks] : 0;
  }
  [[nodiscard]] static constexpr std::size_t index_of(Operation operation) noexcept {
    return operation == Operation::kSend ? 0 : operation == Operation::kWrite ? 1 : 2;
  }
  /// PSNs that a READ of `bytes` takes; 0: not known.
  [[nodiscard]] std::uint32_t span_of_read(std::uint32_t bytes) const noexcept {
    if (bytes <= kSmallestMtu) return 1;
    return read_mtu == 0 ? 0 : packets_for(bytes, read_mtu);
  }
  /// Counts in `facts`.
  void add_time(ConnectionSide& facts, TimeKind kind, std::int64_t ns);
  void add_message(ConnectionSide& facts, const ExpressMessage& message);
  /// Where `facts` count: elsewhere once the first of another kind is counted.
  void find_counts(ConnectionSide& facts);
};

struct ExpressConnection {
  ConnectionState* state = nullptr;
  std::uint32_t number = 0;  ///< of the connection; 0: none
  std::uint32_t overlay_id = 0;
  std::uint8_t capture_point = 1;
  bool armed = false;
  std::uint32_t path_mtu = 0;  ///< that the handshake told; 0: none did
  std::int64_t last_time = 0;  ///< of its last packet
  std::array<ExpressSide, 2> sides;
};

}  // namespace rocescope
