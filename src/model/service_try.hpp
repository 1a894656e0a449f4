// Requests of the CM that ask for one service after the other.
#pragma once

#include <cstdint>
#include <tuple>

#include "rocescope/handshake.hpp"

namespace rocescope {

/// Whether nobody listened at its service ID (IBTA 12.6.7.2).
[[nodiscard]] inline bool is_unknown_service(const Handshake& handshake) noexcept {
  constexpr std::uint32_t kInvalidServiceId = 8;
  return handshake.kind == HandshakeKind::kCm && handshake.service_id && handshake.reject &&
         handshake.reject->sender != 0 && handshake.reject->reason == kInvalidServiceId;
}

/// Whether `next` asks for another service soon after the rejection: for its sake the first may have been a try only.
[[nodiscard]] inline bool is_next_try(const Handshake& rejected, const Handshake& next) noexcept {
  constexpr std::uint64_t kSoon = 10'000'000'000;  // ns
  // Hostile times may lie far apart.
  const std::uint64_t passed =
      static_cast<std::uint64_t>(next.first_time()) - static_cast<std::uint64_t>(rejected.reject->time);
  return passed <= kSoon && next.service_id != rejected.service_id;
}

/// Both hosts, their overlay, and the capture point.
using HandshakeHosts = std::tuple<IpAddress, IpAddress, std::uint32_t, std::uint16_t>;
[[nodiscard]] inline HandshakeHosts hosts_of(const Handshake& handshake) {
  return {handshake.sides[0].address, handshake.sides[1].address, handshake.overlay_id, handshake.capture_point};
}

}  // namespace rocescope
