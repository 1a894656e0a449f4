// rsockets, sockets over RDMA (librdmacm, rsocket.c). A stream is WRITEs into a buffer of the receiver; their immediate
// data say what each is. All numbers are big-endian.
//
// Immediate data:
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |  Op |     Bytes of the stream, a sequence number, or a code   |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// Private data of REQ and REP (struct rs_conn_data):
//   |    Version    |     Flags     |            Credits            |     flags: 1 big-endian, 2 iomap
//   |           Reserved (3 bytes)                  | Iomap entries |
//   /        Target SGL: address (8), R_Key (4), length (4)         /
//   /       Data buffer: address (8), R_Key (4), length (4)         /
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rocescope/bytes.hpp"
#include "rocescope/field.hpp"
#include "rocescope/header.hpp"

namespace rocescope {

enum class RsocketsOp : std::uint8_t {
  kData = 0,
  kCredits = 4,  ///< the receiver may be sent more; often with the address of the next buffer
  kIomap = 6,    ///< memory that the peer may WRITE to
  kControl = 7,
};
inline constexpr ValueName kRsocketsOpNames[] = {
    {0, 0, "Data"}, {4, 4, "SGL Update"}, {6, 6, "Iomap SGL"}, {7, 7, "Control"}};

enum class RsocketsControl : std::uint8_t { kDisconnect = 0, kKeepalive = 1, kShutdown = 2 };
inline constexpr ValueName kRsocketsControlNames[] = {{0, 0, "Disconnect"}, {1, 1, "Keepalive"}, {2, 2, "Shutdown"}};

/// In the place of ImmDt, where a connection is known to be one of rsockets.
struct RsocketsImmDt : HeaderView<RsocketsImmDt> {
  static constexpr HeaderKind kKind = HeaderKind::kRsocketsImmDt;
  static constexpr std::string_view kName = "rocescope.rsockets";
  static constexpr std::string_view kTitle = "Immediate Data of rsockets";
  static constexpr std::string_view kReference = "librdmacm, rsocket.c";
  static constexpr std::size_t kSize = 4;

  static constexpr RsocketsOp op_of(const std::uint8_t* header) { return RsocketsOp(header[0] >> 5U); }
  static constexpr bool is_data(const std::uint8_t* header) { return op_of(header) == RsocketsOp::kData; }
  static constexpr bool is_control(const std::uint8_t* header) { return op_of(header) == RsocketsOp::kControl; }
  static constexpr bool has_sequence(const std::uint8_t* header) {
    return op_of(header) == RsocketsOp::kCredits || op_of(header) == RsocketsOp::kIomap;
  }
  static constexpr bool is_other(const std::uint8_t* header) {
    return !is_data(header) && !is_control(header) && !has_sequence(header);
  }

  static constexpr Field kFields[] = {
      field::bytes("infiniband.immdt", "Immediate data", 0, 32),
      field::number("rocescope.rsockets.op", "Operation", 0, 3).named(kRsocketsOpNames).part(),
      field::number("rocescope.rsockets.bytes", "Bytes of the stream", 3, 29).part().when(is_data),
      field::number("rocescope.rsockets.control", "Control", 3, 29)
          .named(kRsocketsControlNames)
          .part()
          .when(is_control),
      field::number("rocescope.rsockets.credits", "Messages that may be sent, since the first", 3, 29)
          .part()
          .when(has_sequence),
      field::hex("rocescope.rsockets.other", "Data", 3, 29).part().when(is_other),
  };
  using HeaderView::HeaderView;
};

/// Private data of REQ and REP.
struct RsocketsPrivateData {
  static constexpr std::size_t kSize = 40;

  /// `data` has kSize bytes at least. Random bytes are some once in 2^37.
  static constexpr bool is_some(const std::uint8_t* data) noexcept {
    constexpr std::uint64_t kMostBuffers = 64;
    constexpr std::uint64_t kLongest = 1U << 30U;
    return data[0] == 1 && (data[1] & ~3U) == 0 && number(data + 2, 2) != 0 && number(data + 4, 3) == 0 &&
           is_memory(data + 8, kMostBuffers) && is_memory(data + 24, kLongest);
  }

 private:
  static constexpr std::uint64_t number(const std::uint8_t* at, std::size_t size) noexcept {
    return load_big_endian(at, size);
  }
  static constexpr bool is_memory(const std::uint8_t* at, std::uint64_t longest) noexcept {
    return number(at, 8) != 0 && number(at + 8, 4) != 0 && number(at + 12, 4) != 0 && number(at + 12, 4) <= longest;
  }
};

namespace detail {

/// Rows of the private data, whose first bit is `at` and whose field ends at `end`.
[[nodiscard]] constexpr auto rsockets_private_rows(std::uint32_t at, std::uint32_t end) {
  return std::array{
      field::number("rocescope.rsockets.conn.version", "Version", at, 8),
      field::hex("rocescope.rsockets.conn.reserved", "Reserved", at + 8, 6).digits(2),
      field::flag("rocescope.rsockets.conn.iomap", "Iomap", at + 14),
      field::flag("rocescope.rsockets.conn.big_endian", "Big-endian", at + 15),
      field::number("rocescope.rsockets.conn.credits", "Credits", at + 16, 16),
      field::bytes("rocescope.rsockets.conn.rsvd", "Reserved", at + 32, 24),
      field::number("rocescope.rsockets.conn.iomap_size", "Iomap entries", at + 56, 8),
      field::hex("rocescope.rsockets.conn.sgl.va", "Target SGL, address", at + 64, 64),
      field::hex("rocescope.rsockets.conn.sgl.r_key", "Target SGL, R_Key", at + 128, 32),
      field::number("rocescope.rsockets.conn.sgl.len", "Target SGL, entries", at + 160, 32),
      field::hex("rocescope.rsockets.conn.buffer.va", "Data buffer, address", at + 192, 64),
      field::hex("rocescope.rsockets.conn.buffer.r_key", "Data buffer, R_Key", at + 256, 32),
      field::number("rocescope.rsockets.conn.buffer.len", "Data buffer, length", at + 288, 32),
      field::bytes("rocescope.rsockets.conn.rest", "Not used", at + 320, end - at - 320),
  };
}

}  // namespace detail
}  // namespace rocescope
