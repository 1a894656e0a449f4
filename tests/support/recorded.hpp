// Packets as the trackers are given them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocescope/record.hpp"
#include "support/roce_frame.hpp"

namespace rocescope::testing {

/// A frame with its packet and record, which share its bytes.
class Recorded {
 public:
  explicit Recorded(Buffer frame, std::int64_t time = 0, std::uint64_t number = 1) : frame_(std::move(frame)) {
    dissect({.data = frame_,
             .original_length = static_cast<std::uint32_t>(frame_.size()),
             .timestamp = time,
             .number = number},
            packet_);
    record_.packet = &packet_;
  }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  [[nodiscard]] PacketRecord& record() { return record_; }

 private:
  Buffer frame_;
  Packet packet_;
  PacketRecord record_;
};

/// What a test varies of a RoCEv2 packet from 10.0.0.1 to 10.0.0.2.
struct RoceShape {
  std::uint8_t opcode = 0x04;  // RC SEND Only
  std::uint32_t dest_qp = 0x11;
  std::uint32_t psn = 0;
  std::uint8_t source_host = 1;  // the address's last byte
  Buffer after_bth = {};
};

inline Buffer roce_packet(const RoceShape& shape) {
  constexpr std::size_t kSourceHost = 29;
  constexpr std::size_t kPsn = 51;
  Buffer frame = roce_frame(shape.opcode, shape.dest_qp, shape.after_bth);
  frame[kSourceHost] = shape.source_host;
  for (std::size_t i = 0; i < 3; ++i) frame[kPsn + i] = static_cast<std::uint8_t>(shape.psn >> (16 - 8 * i));
  return frame;
}

}  // namespace rocescope::testing
