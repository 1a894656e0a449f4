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
#include "tracking/express/express_reason.hpp"
#include "tracking/express/express_stream.hpp"

namespace rocescope {

struct ConnectionState;

/// What one side sends. Stands in the place of what the full state has, which is brought up to date when it is settled.
struct ExpressSide {
  IpAddress address;
  Qpn qpn;
  std::uint64_t request_likeness = 0;   ///< 0: not known
  std::uint64_t response_likeness = 0;  ///< the same
  std::int64_t last_data_time = 0;

  // Since it was settled.
  std::uint64_t requests = 0;
  std::uint64_t responses = 0;
  std::uint64_t wire_bytes = 0;
  std::uint64_t writes = 0;      ///< that began
  std::int64_t packet_time = 0;  ///< of the last packet
  Psn first_request;
  Psn first_response;
  Psn last_response;
  std::uint64_t response_psns = 0;  ///< from the first to the last

  // Since the bucket of the rates began.
  std::uint64_t bucket = 0;      ///< its start, ns since 1970
  std::int64_t bucket_time = 0;  ///< of the last packet in it
  Sent sent;

  // Since the slot of the meter of its data began.
  RateMeter* meter = nullptr;  ///< null: there is none
  std::uint64_t slot = 0;      ///< its start, ns since 1970
  std::int64_t slot_time = 0;  ///< of the last packet in it
  std::uint64_t slot_bytes = 0;

  // Of its requests.
  std::uint32_t mtu = 0;         ///< 0: not known
  bool takes_keys = false;       ///< nothing is looked for with the R_Keys of its WRITEs
  bool passes = false;           ///< its requests may
  bool is_answered = false;      ///< responses to them may
  ExpressReason refusal{};       ///< why its requests, or responses to them, may not
  std::uint8_t last_opcode = 0;  ///< of its requests
  bool has_dma_length = false;   ///< of the message under way
  std::uint32_t dma_length = 0;
  std::uint32_t message_bytes = 0;  ///< payload of the message under way, or of the last one
  Histogram* message_times = nullptr;
  Histogram* ack_latencies = nullptr;
  std::array<OperationTotals*, 2> operations{};  ///< of SENDs and WRITEs
  ExpressStream stream;

  [[nodiscard]] static constexpr std::size_t index_of(Operation operation) noexcept {
    return operation == Operation::kWrite ? 1 : 0;
  }
  /// Where `facts` count its messages: elsewhere once the first of another kind is counted.
  void find_counts(ConnectionSide& facts);
};

struct ExpressConnection {
  ConnectionState* state = nullptr;
  std::uint32_t number = 0;  ///< of the connection; 0: none
  std::uint32_t overlay_id = 0;
  std::uint8_t capture_point = 1;
  bool armed = false;
  std::int64_t last_time = 0;  ///< of its last packet
  std::array<ExpressSide, 2> sides;
};

}  // namespace rocescope
