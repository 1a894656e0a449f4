// Datagrams from one queue pair to another.
#pragma once

#include <cstdint>

#include "rocescope/address.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

/// UD SENDs from one queue pair to another: every packet is a message (IBTA 9.8.4). Nothing acknowledges them and their
/// PSNs say nothing of losses.
struct UdFlow {
  IpAddress source;
  IpAddress destination;
  Qpn source_qp;  ///< of the DETH
  Qpn dest_qp;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels

  std::uint32_t q_key = 0;          ///< of the first message
  Traffic traffic;                  ///< its packets are the messages
  std::uint64_t payload_bytes = 0;  ///< of the messages, without headers and pad
  std::uint64_t immediate_messages = 0;
  std::uint64_t icrc_bad_messages = 0;
  std::int64_t first_time = 0;  ///< nanoseconds since 1970-01-01 UTC
  std::int64_t last_time = 0;
};

/// Those that were evicted.
struct EvictedUdFlows {
  std::uint64_t flows = 0;
  Traffic traffic;
  std::uint64_t payload_bytes = 0;
  std::uint64_t immediate_messages = 0;
  std::uint64_t icrc_bad_messages = 0;
};

}  // namespace rocescope
