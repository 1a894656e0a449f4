// A packet before its connection is known.
#pragma once

#include <cstdint>

#include "rocescope/opcode.hpp"
#include "rocescope/psn.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// What finds a packet's connection.
struct FlowPacket {
  const Packet* packet = nullptr;
  FlowKey key;
  Transport transport = Transport::kRc;
  bool request = false;
  bool damaged = false;  ///< its ICRC is wrong: none of its fields is evidence
  Psn psn;
  std::uint16_t source_port = 0;  ///< UDP's; 0: none
  std::uint64_t frame = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
};

}  // namespace rocescope
