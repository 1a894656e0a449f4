// RoCEv2 packets between a few hosts, with right ICRCs.
#pragma once

#include <cstdint>
#include <utility>

#include "rocescope/icrc.hpp"
#include "support/roce_frame.hpp"

namespace rocescope::testing {

/// Opcodes of RC, IBTA Table 35.
namespace rc {
enum : std::uint8_t {
  kSendFirst = 0x00,
  kSendMiddle = 0x01,
  kSendLast = 0x02,
  kSendOnly = 0x04,
  kWriteFirst = 0x06,
  kWriteMiddle = 0x07,
  kWriteLast = 0x08,
  kWriteOnly = 0x0A,
  kReadRequest = 0x0C,
  kReadOnly = 0x10,
  kAcknowledge = 0x11,
};
}  // namespace rc

/// From host 10.0.0.`from` to 10.0.0.`to`.
struct RcPacket {
  std::uint8_t opcode = rc::kSendOnly;
  std::uint32_t psn = 0;
  Buffer after_bth = {};
  std::uint32_t dest_qp = 0x11;
  std::uint8_t from = 1;
  std::uint8_t to = 2;
  std::uint16_t source_port = 0xC001;
};

/// Fills the ICRC in; that is checked elsewhere, against other programs.
inline Buffer seal(Buffer frame) {
  const std::uint32_t icrc = check_icrc(dissect_frame(frame)).expected;
  for (std::size_t i = 0; i < 4; ++i) frame[frame.size() - 4 + i] = static_cast<std::uint8_t>(icrc >> (24 - 8 * i));
  return frame;
}

inline Buffer rc_packet(const RcPacket& packet) {
  constexpr std::size_t kSource = 29;
  constexpr std::size_t kDestination = 33;
  constexpr std::size_t kSourcePort = 34;
  constexpr std::size_t kPsn = 51;
  Buffer frame = roce_frame(packet.opcode, packet.dest_qp, packet.after_bth);
  frame[kSource] = packet.from;
  frame[kDestination] = packet.to;
  frame[kSourcePort] = static_cast<std::uint8_t>(packet.source_port >> 8);
  frame[kSourcePort + 1] = static_cast<std::uint8_t>(packet.source_port);
  for (std::size_t i = 0; i < 3; ++i) frame[kPsn + i] = static_cast<std::uint8_t>(packet.psn >> (16 - 8 * i));
  return seal(std::move(frame));
}

/// A RETH, and payload behind it.
inline Buffer reth(std::uint32_t dma_length, std::size_t payload, std::uint32_t r_key = 0x77,
                   std::uint64_t address = 0x1000) {
  Buffer header;
  append(header, address, 8);
  append(header, r_key, 4);
  append(header, dma_length, 4);
  header.resize(header.size() + payload, 0xA5);
  return header;
}

inline Buffer aeth(std::uint8_t syndrome, std::uint32_t msn = 1) {
  Buffer header;
  append(header, syndrome, 1);
  append(header, msn, 3);
  return header;
}

}  // namespace rocescope::testing
