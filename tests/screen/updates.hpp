// Updates as a capture would give them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "model/live_update.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/finding.hpp"
#include "support/durations.hpp"

namespace rocescope::screen {

struct ConnectionSketch {
  std::uint64_t bytes = 0;   ///< that the first side sent
  std::uint64_t resent = 0;  ///< packets
  std::array<std::optional<QpState>, 2> states;
  std::uint32_t outstanding = 0;
  std::int64_t time = 0;  ///< of a message; 0: there was none
};

inline IpAddress address_of(std::uint32_t host, std::uint8_t net) {
  return IpAddress::v4(
      std::array<std::uint8_t, 4>{10, net, static_cast<std::uint8_t>(host >> 8U), static_cast<std::uint8_t>(host)});
}

/// From 10.0.x.y, queue pair 0x100 + number, to 10.1.x.y.
inline Connection connection_of(std::uint32_t number, const ConnectionSketch& sketch) {
  Connection connection;
  connection.number = number;
  for (std::uint8_t i = 0; i < 2; ++i) {
    ConnectionSide& side = connection.sides[i];
    side.address = address_of(number, i);
    side.qpn = Qpn(0x100 + number);
    if (sketch.states[i]) side.states.push_back({.state = *sketch.states[i]});
  }
  ConnectionSide& side = connection.sides[0];
  side.traffic.bytes = sketch.bytes;
  for (std::uint64_t i = 0; i < sketch.resent; ++i) side.requests.make().add(VerdictKind::kRetransmission);
  side.requests.make().in_flight.messages = sketch.outstanding;
  if (sketch.time > 0) side.times.add(TimeKind::kMessageTime, sketch.time);
  return connection;
}

inline Finding finding_of(FindingId id, std::string what, std::uint32_t connection = 0) {
  Finding finding;
  finding.info = &finding_info(id);
  finding.connection = connection;
  finding.what = std::move(what);
  return finding;
}

}  // namespace rocescope::screen
