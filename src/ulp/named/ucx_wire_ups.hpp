// How endpoints of UCX connect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "messages/payload.hpp"
#include "rocescope/address.hpp"

namespace rocescope {

/// Hosts name their endpoints to each other in datagrams. Then one of the first messages of the RC connection that they
/// agreed on names both once more.
class UcxWireUps {
 public:
  static constexpr std::size_t kMost = 4'096;  ///< endpoints that are remembered; the older half goes first

  void observe(const SendPayload& datagram);
  /// Whether the message names an endpoint of its sender and one of the other host, as datagrams of both did.
  [[nodiscard]] bool confirm(const SendPayload& message) const;

 private:
  friend struct StateMembers;
  struct Endpoint {
    IpAddress owner;
    IpAddress other;
    std::uint64_t id = 0;
    friend bool operator==(const Endpoint&, const Endpoint&) noexcept = default;
  };
  struct EndpointHash {
    [[nodiscard]] std::size_t operator()(const Endpoint& endpoint) const noexcept {
      return std::hash<std::uint64_t>()(endpoint.id);  // two hosts seldom have the same
    }
  };

  std::unordered_map<Endpoint, std::uint64_t, EndpointHash> endpoints_;  // which of all that were named, from 0
  std::uint64_t named_ = 0;
};

}  // namespace rocescope
