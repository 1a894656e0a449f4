// Queue pairs that SMC-R exchanges over TCP, with CLC messages (RFC 7609, 4.4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rocescope/packet.hpp"
#include "tracking/connections/connection_setup.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/handshakes/handshake_table.hpp"

namespace rocescope {

/// An Accept and the Confirm that answers it set a connection up, where they say that it is the first contact: others use one that there
/// is. A Decline refuses.
class SmcSessions {
 public:
  static constexpr std::size_t kMostStreams = 4096;  ///< TCP connections that are remembered; the oldest goes first

  explicit SmcSessions(HandshakeTable& table) : table_(table) {}

  /// What a packet that is no RoCE completes.
  [[nodiscard]] std::optional<HandshakeNews> observe(const Packet& packet);

 private:
  friend struct StateMembers;
  /// A TCP connection.
  struct Key {
    std::array<IpAddress, 2> addresses;  ///< the client's first
    std::array<std::uint16_t, 2> ports{};
    std::uint32_t overlay_id = 0;
    std::uint16_t capture_point = 1;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };
  struct KeyHash {
    [[nodiscard]] std::size_t operator()(const Key& key) const noexcept {
      const std::uint64_t ports = (std::uint64_t{key.ports[0]} << 16) | key.ports[1];
      return mix(mix(mix(hash_seed(), key.addresses[0]), key.addresses[1]), (ports << 24) | key.overlay_id);
    }
  };
  /// What a side says of its queue pair.
  struct End {
    IpAddress gid;
    Qpn qpn;
    Psn first_psn;
    std::uint32_t path_mtu = 0;  ///< bytes
    std::uint32_t r_key = 0;
    std::uint64_t address = 0;
    bool is_first_contact = false;
  };
  struct Stream {
    std::optional<std::uint32_t> proposal;  // TCP's sequence number of it
    std::vector<HandshakeStep> steps;       // until a handshake has them
    std::optional<End> server;
    std::uint32_t handshake = 0;  // its number; 0: there is none yet
    bool is_declined = false;
  };

  [[nodiscard]] static Key key_of(const Packet& packet, std::size_t sender);
  [[nodiscard]] Stream& stream(const Key& key);
  [[nodiscard]] std::optional<HandshakeNews> confirm(Stream& stream, const End& client, const Packet& packet);
  [[nodiscard]] std::optional<HandshakeNews> decline(std::uint32_t diagnosis, const Packet& packet);

  HandshakeTable& table_;
  std::unordered_map<Key, Stream, KeyHash> streams_;
  std::deque<Key> oldest_;
};

}  // namespace rocescope
