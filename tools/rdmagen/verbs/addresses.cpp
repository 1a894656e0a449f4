#include "verbs/addresses.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cstring>

#include "core/error.hpp"

namespace rocescope::rdmagen {

sockaddr_storage resolve_host(const std::string& host, std::uint16_t port, bool passive) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = passive ? AI_PASSIVE : 0;
  // Any address: an IPv6 socket takes both families.
  if (host.empty()) hints.ai_family = AF_INET6;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0)
    throw Error(fmt::format("{}: {}", host, gai_strerror(error)),
                "give the server's address, as rdmagen client 192.168.2.24 ...");
  sockaddr_storage address{};
  std::memcpy(&address, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return address;
}

socklen_t length_of(const sockaddr_storage& address) noexcept {
  return address.ss_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

}  // namespace rocescope::rdmagen
