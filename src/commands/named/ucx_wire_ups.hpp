// How endpoints of UCX connect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "messages/payload.hpp"
#include "rocescope/address.hpp"

namespace rocescope {

/// Hosts name their endpoints to each other in datagrams. Then one of the first messages of the RC connection that they
/// agreed on names both once more.
class UcxWireUps {
 public:
  static constexpr std::size_t kMost = 4'096;  ///< endpoints that are remembered; the oldest goes first

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
  [[nodiscard]] bool is_known(const Endpoint& endpoint) const;

  std::deque<Endpoint> endpoints_;
};

}  // namespace rocescope
