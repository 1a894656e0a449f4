// Private data of RDS in REQ and REP (Linux, net/rds/ib.h, struct rds_ib_connect_private): these rows are a part of the
// tables of the CM's messages. All numbers are big-endian.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |                        Source address                         |
//   |                     Destination address                       |
//   | Major version | Minor version |      Minor versions, a mask   |
//   |      ToS      |                    Reserved                   |
//   /              Acknowledged sequence number (8 bytes)           /
//   |                            Credits                            |
//   |                            Padding                            |
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/header.hpp"

namespace rocescope {

struct RdsPrivateData {
  static constexpr std::size_t kSize = 32;

  /// `data` has `size` bytes, kSize at least; of IPv4. Random bytes are some once in 2^70.
  static constexpr bool is_some(const std::uint8_t* data, std::size_t size) noexcept {
    const auto number = [&](std::size_t at, std::size_t width) { return load_big_endian(data + at, width); };
    const bool is_version = (data[8] == 3 || data[8] == 4) && data[9] <= 1 && number(10, 2) != 0;
    return number(0, 4) != 0 && number(4, 4) != 0 && is_version && number(13, 3) == 0 &&
           std::all_of(data + 28, data + size, [](std::uint8_t byte) { return byte == 0; });
  }
};

namespace detail {

/// Rows of the private data, whose first bit is `at` and whose field ends at `end`.
[[nodiscard]] constexpr auto rds_private_rows(std::uint32_t at, std::uint32_t end) {
  return std::array{
      field::ipv4("rocescope.rds.conn.saddr", "Source address", at),
      field::ipv4("rocescope.rds.conn.daddr", "Destination address", at + 32),
      field::number("rocescope.rds.conn.major", "Major version", at + 64, 8),
      field::number("rocescope.rds.conn.minor", "Minor version", at + 72, 8),
      field::hex("rocescope.rds.conn.minor_mask", "Minor versions", at + 80, 16),
      field::hex("rocescope.rds.conn.tos", "Type of service", at + 96, 8),
      field::bytes("rocescope.rds.conn.reserved", "Reserved", at + 104, 24),
      field::number("rocescope.rds.conn.ack", "Acknowledged sequence number", at + 128, 64),
      field::number("rocescope.rds.conn.credits", "Credits", at + 192, 32),
      field::bytes("rocescope.rds.conn.rest", "Not used", at + 224, end - at - 224),
  };
}

}  // namespace detail
}  // namespace rocescope
