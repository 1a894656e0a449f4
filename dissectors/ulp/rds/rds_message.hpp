// What a message of RDS is about.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/bytes.hpp"

namespace rocescope {

/// The header of RDS, and a fragment of a datagram behind it.
struct RdsMessage {
  std::uint64_t sequence = 0;
  std::uint64_t acknowledged = 0;
  std::uint32_t length = 0;  ///< of the datagram
  std::uint16_t source = 0;
  std::uint16_t destination = 0;
  bool is_congestion_map = false;
  std::optional<std::uint32_t> used;    ///< the R_Key of memory that its sender READ or WROTE before
  std::optional<std::uint32_t> to_use;  ///< the R_Key of memory that its receiver may READ or WRITE
  std::uint32_t offset = 0;             ///< in that memory
  Bytes data;                           ///< as far as they were captured

  /// It acknowledges, or has credits, and nothing else.
  [[nodiscard]] bool is_ack() const noexcept { return length == 0 && source == 0 && destination == 0; }
};
/// Nothing: it has the form of none, or its header was not captured. `length`: of the whole message, 0: it has several
/// packets.
[[nodiscard]] std::optional<RdsMessage> rds_message_of(Bytes start, std::uint64_t length) noexcept;

}  // namespace rocescope
