// The lines of text with which perftest and libibverbs' ping-pongs exchange their queue pairs over TCP.
//
//   ping-pong    0000:000011:417c6a:00000000000000000000ffffc0a80219
//                LID  QPN    PSN    GID
//   perftest     0000:0080:000011:823662:0000029e:000055fb86169000:00:00:...:c0:a8:02:19:00000000:
//                LID  outs QPN    PSN    r_key    address          GID, byte by byte    SRQN
//
// Numbers are in lower-case hexadecimal, each line ends with a zero byte; without a GID perftest leaves its field out.
// (libibverbs examples/pingpong.c, perftest src/perftest_communication.c)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "rocescope/address.hpp"
#include "rocescope/bytes.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct KeyLine {
  KeyLineForm form = KeyLineForm::kUnknown;
  Qpn qpn;
  Psn first_psn;  ///< of the sender's requests
  IpAddress gid;
  std::uint32_t r_key = 0;  ///< 0: the line has none
  std::uint64_t address = 0;
  std::size_t size = 0;  ///< bytes of the line, with the zero at its end
};

/// The line at the start of `text`, or nothing: one without a GID is of no use here, and neither is queue pair 0.
[[nodiscard]] std::optional<KeyLine> parse_key_line(Bytes text) noexcept;

}  // namespace rocescope
