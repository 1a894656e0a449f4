// Streams of messages of protocols above RoCE, and what is found out about them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rocescope/dissect.hpp"
#include "rocescope/icrc.hpp"
#include "rocescope/tracker.hpp"
#include "support/rc_packet.hpp"
#include "ulp/command_watch.hpp"

namespace rocescope::testing {

inline void follow(const std::vector<Frame>& frames, CommandWatch& watch) {
  Tracker tracker;
  tracker.subscribe(watch);
  Packet packet;
  for (const Frame& frame : frames) {
    dissect(frame, packet);
    PacketRecord record;
    record.packet = &packet;
    const IcrcCheck icrc = check_icrc(packet);
    if (icrc.status != IcrcStatus::kBad) record.icrc = icrc;  // streams have none
    (void)tracker.track(record);
  }
  tracker.visit_open_messages([&](const Connection& connection, std::size_t side, const Message& open) {
    watch.observe_end(connection, side, open);
  });
  watch.finish();
}

inline CommandReport follow_commands(const std::vector<Frame>& frames, std::vector<DecodeAs> decode_as = {}) {
  CommandWatch watch(std::move(decode_as));
  follow(frames, watch);
  return watch.take();
}

/// SENDs of two queue pairs to each other, without ICRCs, and the ACKs.
class CommandStream {
 public:
  explicit CommandStream(std::uint32_t queue_pair) : queue_pair_(queue_pair) {}

  void send(std::size_t side, Bytes payload) {
    add(0x04, side, psns_[side]++, {payload.begin(), payload.end()});
    add(0x11, 1 - side, psns_[side] - 1, aeth(0x1F, psns_[side]));
  }
  /// A WRITE of one packet.
  void write(std::size_t side, std::uint32_t address, std::uint32_t r_key, const Buffer& payload) {
    Buffer after = reth(address, r_key, payload.size());
    after.insert(after.end(), payload.begin(), payload.end());
    add(0x0A, side, psns_[side]++, after);
    add(0x11, 1 - side, psns_[side] - 1, aeth(0x1F, psns_[side]));
  }
  /// The same with immediate data.
  void write(std::size_t side, std::uint32_t address, std::uint32_t r_key, const Buffer& payload,
             std::uint32_t immediate) {
    Buffer after = reth(address, r_key, payload.size());
    for (unsigned shift = 32; shift > 0; shift -= 8)
      after.push_back(static_cast<std::uint8_t>(immediate >> (shift - 8)));
    after.insert(after.end(), payload.begin(), payload.end());
    add(0x0B, side, psns_[side]++, after);
    add(0x11, 1 - side, psns_[side] - 1, aeth(0x1F, psns_[side]));
  }
  /// A READ with a response of one packet.
  void read(std::size_t side, std::uint32_t address, std::uint32_t r_key, const Buffer& payload) {
    add(0x0C, side, psns_[side]++, reth(address, r_key, payload.size()));
    Buffer after = aeth(0x1F, psns_[side]);
    after.insert(after.end(), payload.begin(), payload.end());
    add(0x10, 1 - side, psns_[side] - 1, after);
  }
  /// A WRITE whose first packets have the same length, as the path MTU has it.
  void write(std::size_t side, std::uint32_t address, std::uint32_t r_key, const std::vector<Buffer>& packets) {
    std::size_t length = 0;
    for (const Buffer& each : packets) length += each.size();
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const bool is_first = i == 0;
      const bool is_last = i + 1 == packets.size();
      Buffer after = is_first ? reth(address, r_key, length) : Buffer();
      after.insert(after.end(), packets[i].begin(), packets[i].end());
      add(is_first ? 0x06 : is_last ? 0x08 : 0x07, side, psns_[side]++, after);
    }
    add(0x11, 1 - side, psns_[side] - 1, aeth(0x1F, psns_[side]));
  }
  /// Lasts as long as the stream.
  [[nodiscard]] std::vector<Frame> frames() const {
    std::vector<Frame> all;
    for (const Buffer& each : packets_) {
      all.push_back({.data = each, .original_length = static_cast<std::uint32_t>(each.size())});
      all.back().number = all.size();
      all.back().timestamp = static_cast<std::int64_t>(all.size()) * 1000;
    }
    return all;
  }

 private:
  static Buffer reth(std::uint32_t address, std::uint32_t r_key, std::size_t length) {
    Buffer header(16);
    for (std::size_t i = 0; i < 4; ++i) {
      header[4 + i] = static_cast<std::uint8_t>(address >> (24 - 8 * i));
      header[8 + i] = static_cast<std::uint8_t>(r_key >> (24 - 8 * i));
      header[12 + i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
    }
    return header;
  }
  void add(std::uint8_t opcode, std::size_t from, std::uint32_t psn, const Buffer& after_bth) {
    Buffer frame = roce_frame(opcode, queue_pair_ + static_cast<std::uint32_t>(1 - from), after_bth);
    frame[29] = static_cast<std::uint8_t>(1 + from);
    frame[33] = static_cast<std::uint8_t>(2 - from);
    for (std::size_t i = 0; i < 3; ++i) frame[51 + i] = static_cast<std::uint8_t>(psn >> (16 - 8 * i));
    packets_.push_back(std::move(frame));
  }

  std::uint32_t queue_pair_;
  std::array<std::uint32_t, 2> psns_{100, 200};
  std::vector<Buffer> packets_;
};

}  // namespace rocescope::testing
