// What a handshake says of the connection that it sets up.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "rocescope/address.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/psn.hpp"

namespace rocescope {

struct ConnectionSetup {
  PairedBy method = PairedBy::kCm;
  Transport transport = Transport::kRc;
  std::uint32_t overlay_id = 0;
  std::uint16_t capture_point = 1;
  std::uint32_t handshake = 0;         ///< its number
  std::array<IpAddress, 2> addresses;  ///< the active side first
  std::array<Qpn, 2> qpns;
  std::array<std::optional<Psn>, 2> first_psns;  ///< of the requests of each side
  std::uint16_t path_mtu = 0;                    ///< bytes; 0: unknown
  std::array<std::int64_t, 2> ack_timeouts{};    ///< ns; 0: unknown
  std::int64_t time = 0;
  /// Of kOob: when the TCP connection began, ns since 1970. Earlier packets of these queue pairs belong to another connection. The
  /// lowest number where the capture lacks the beginning.
  std::int64_t since = std::numeric_limits<std::int64_t>::min();
};

/// What a packet changes about a handshake.
struct HandshakeNews {
  Handshake* handshake = nullptr;  ///< never null
  HandshakeMessage message = HandshakeMessage::kReq;
  std::size_t sender = 0;                ///< index of its sides
  bool first = false;                    ///< it is not repeated
  std::optional<ConnectionSetup> setup;  ///< it completes a connection
};

}  // namespace rocescope
