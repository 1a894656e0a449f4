// Messages of RDS, by Linux' net/rds/rds.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/rc_packet.hpp"

namespace rocescope::testing {

struct RdsText {
  std::uint64_t sequence = 1;
  std::uint64_t acknowledged = 0;
  std::uint32_t length = 64;  // of the datagram
  std::uint16_t source = 4000;
  std::uint16_t destination = 4001;
  std::uint8_t flags = 0;
  Buffer extensions;
  Buffer data;  // of this fragment
};

/// Its checksum is that of RFC 1071.
inline Buffer rds_message(const RdsText& text) {
  Buffer message(48);
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) message[at + size - 1 - i] = static_cast<std::uint8_t>(value >> (8 * i));
  };
  put(0, text.sequence, 8);
  put(8, text.acknowledged, 8);
  put(16, text.length, 4);
  put(20, text.source, 2);
  put(22, text.destination, 2);
  message[24] = text.flags;
  for (std::size_t i = 0; i < text.extensions.size(); ++i) message[32 + i] = text.extensions[i];
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < 48; at += 2) sum += static_cast<std::uint64_t>(message[at]) << 8U | message[at + 1];
  while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16U);
  put(30, ~sum & 0xFFFF, 2);
  message.insert(message.end(), text.data.begin(), text.data.end());
  return message;
}

/// A datagram of one fragment.
inline Buffer rds(std::uint64_t sequence, std::uint32_t length) {
  return rds_message({.sequence = sequence, .length = length, .extensions = {}, .data = Buffer(length)});
}

}  // namespace rocescope::testing
