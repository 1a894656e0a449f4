// A capture in memory of as many connections as one likes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rocescope/capture.hpp"
#include "support/rc_packet.hpp"

namespace rocescope::testing {

/// Between the two queue pairs of each connection, round by round, a WRITE of 8 bytes and its ACK. 256 connections between
/// two hosts.
class IdleConnections final : public FrameSource {
 public:
  IdleConnections(std::uint32_t connections, std::uint32_t rounds) : connections_(connections), rounds_(rounds) {
    info_[0].interfaces.emplace_back();
  }

  bool next(Frame& frame) override {
    if (round_ == rounds_) return false;
    const bool ack = packet_ % 2 == 1;
    const auto connection = static_cast<std::uint32_t>(packet_ / 2 % connections_);
    Buffer& bytes = ack ? ack_ : write_;
    fill(bytes, connection, ack);
    frame = {.data = bytes,
             .original_length = static_cast<std::uint32_t>(bytes.size()),
             .timestamp = static_cast<std::int64_t>(packet_) * 1000,
             .number = packet_ + 1};
    ++packet_;
    if (packet_ % (std::uint64_t{2} * connections_) == 0) ++round_;
    return true;
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }

 private:
  static void put(Buffer& bytes, std::size_t at, std::uint32_t value, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * (length - 1 - i)));
  }
  void fill(Buffer& bytes, std::uint32_t connection, bool ack) const {
    constexpr std::size_t kSource = 26;
    constexpr std::size_t kDestination = 30;
    constexpr std::size_t kDestQp = 47;
    constexpr std::size_t kPsn = 51;
    constexpr std::uint32_t kPairs = 256;  // of queue pairs of two hosts
    const std::uint32_t hosts = 0x0A000000 + connection / kPairs * 2;
    put(bytes, kSource, hosts + (ack ? 1 : 0), 4);
    put(bytes, kDestination, hosts + (ack ? 0 : 1), 4);
    put(bytes, kDestQp, 0x1000 + connection % kPairs * 2 + (ack ? 0 : 1), 3);
    put(bytes, kPsn, (connection * 2'654'435'761U >> 8) + round_, 3);
    const std::uint32_t icrc = check_icrc(dissect_frame(bytes)).expected;
    put(bytes, bytes.size() - 4, icrc, 4);
  }

  std::uint32_t connections_;
  std::uint32_t rounds_;
  std::uint32_t round_ = 0;
  std::uint64_t packet_ = 0;
  Buffer write_ = rc_packet({.opcode = rc::kWriteOnly, .after_bth = reth(8, 8)});
  Buffer ack_ = rc_packet({.opcode = rc::kAcknowledge, .after_bth = aeth(0x1F)});
  std::array<CaptureInfo, 1> info_;
};

}  // namespace rocescope::testing
