// TCP connections over which hosts set queue pairs up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include "rocescope/headers/transport.hpp"
#include "rocescope/packet.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {

/// A TCP connection of a capture point, with its two ends in an order of the user's.
struct TcpConnection {
  std::array<IpAddress, 2> addresses;
  std::array<std::uint16_t, 2> ports{};
  std::uint32_t overlay_id = 0;
  std::uint16_t capture_point = 1;

  /// That of a segment, its sender first or, if it is `swapped`, last.
  [[nodiscard]] static TcpConnection of(const Packet& packet, const Tcp& tcp, bool swapped) {
    TcpConnection made{{packet.source, packet.destination},
                       {tcp.source_port(), tcp.destination_port()},
                       packet.overlay_id,
                       packet.frame.capture_point};
    if (swapped) {
      std::swap(made.addresses[0], made.addresses[1]);
      std::swap(made.ports[0], made.ports[1]);
    }
    return made;
  }
  friend bool operator==(const TcpConnection&, const TcpConnection&) noexcept = default;
};

/// What is known of TCP connections. There are kMost at most: the one that was added first goes.
template <class Stream>
class TcpStreams {
 public:
  static constexpr std::size_t kMost = 4096;

  /// Null: nothing is known of it.
  [[nodiscard]] Stream* find(const TcpConnection& connection) {
    const auto place = streams_.find(connection);
    return place == streams_.end() ? nullptr : &place->second;
  }
  /// A new one if nothing is known of it. Valid until the next call.
  [[nodiscard]] Stream& at(const TcpConnection& connection) {
    const auto [place, is_new] = streams_.try_emplace(connection);
    Stream& stream = place->second;
    if (!is_new) return stream;
    oldest_.push_back(connection);
    if (oldest_.size() > kMost) {
      streams_.erase(oldest_.front());
      oldest_.pop_front();
    }
    return stream;
  }

 private:
  friend struct StateMembers;
  struct Hash {
    [[nodiscard]] std::size_t operator()(const TcpConnection& key) const noexcept {
      const std::uint64_t ports = (std::uint64_t{key.ports[0]} << 16) | key.ports[1];
      return mix(mix(mix(hash_seed(), key.addresses[0]), key.addresses[1]), (ports << 24) | key.overlay_id);
    }
  };

  std::unordered_map<TcpConnection, Stream, Hash> streams_;
  std::deque<TcpConnection> oldest_;
};

}  // namespace rocescope
