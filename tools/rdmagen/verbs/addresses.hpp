// Names and addresses of hosts.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>

namespace rocescope::rdmagen {

/// The address of `host` (a name, IPv4 or IPv6; empty: any) with `port`. Throws Error.
[[nodiscard]] sockaddr_storage resolve_host(const std::string& host, std::uint16_t port, bool passive);

[[nodiscard]] socklen_t length_of(const sockaddr_storage& address) noexcept;

[[nodiscard]] inline sockaddr* generic(sockaddr_storage& address) noexcept {
  return reinterpret_cast<sockaddr*>(&address);
}

}  // namespace rocescope::rdmagen
