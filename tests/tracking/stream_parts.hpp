// Packets for the parts of a requester, each alone.
#pragma once

#include <cstdint>

#include "support/durations.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope::testing {

/// Opcodes of RC, IBTA Table 35.
inline constexpr std::uint8_t kSendFirst = 0x00;
inline constexpr std::uint8_t kSendMiddle = 0x01;
inline constexpr std::uint8_t kSendLast = 0x02;
inline constexpr std::uint8_t kSendOnly = 0x04;
inline constexpr std::uint8_t kReadRequest = 0x0C;

inline RequestPacket request(std::uint8_t opcode, std::uint32_t psn, std::uint32_t payload = 0, std::int64_t time = 0) {
  return {.opcode = &opcode_info(opcode), .psn = Psn(psn), .frame = psn + 1, .time = time, .payload = payload};
}
inline RequestPacket read(std::uint32_t psn, std::uint32_t bytes) {
  RequestPacket packet = request(kReadRequest, psn);
  packet.dma_length = bytes;
  return packet;
}

/// Counts and news of a stream.
struct Counted {
  StreamTotals totals;
  StreamNews news;
  StreamLog log{totals, news};
};

}  // namespace rocescope::testing
