// Queue pairs that two programs exchange over TCP: perftest (without -R) and libibverbs' ping-pongs.
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
#include "tracking/handshakes/key_line.hpp"

namespace rocescope {

/// Reads segments that hold whole key lines; puts nothing together that TCP took apart. A line of one end belongs to the line
/// at the same place of the other end's stream; where nobody saw the TCP connection begin, to the one that it answers.
class OobSessions {
 public:
  static constexpr std::size_t kMostStreams = 4096;  ///< TCP connections that are remembered; the oldest goes first
  static constexpr std::size_t kMostLines = 1024;    ///< of one TCP connection, that wait for the other end's

  explicit OobSessions(HandshakeTable& table) : table_(table) {}

  /// What a packet that is no RoCE completes: one for each connection.
  [[nodiscard]] std::vector<HandshakeNews> observe(const Packet& packet);

 private:
  friend struct StateMembers;
  /// One end of a TCP connection and the other; the lower one first, so that both directions have the same.
  struct Key {
    std::array<IpAddress, 2> addresses;
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
  struct Line {
    KeyLine key;
    std::size_t sender = 0;      ///< index of Key::addresses
    std::uint32_t sequence = 0;  ///< TCP's, of its first byte
    std::uint64_t packet = 0;
    std::int64_t time = 0;
    bool paired = false;
  };
  struct Stream {
    bool seen_begin = false;
    std::size_t client = 0;                ///< index of Key::addresses
    std::array<std::uint32_t, 2> first{};  ///< TCP sequence numbers of both first bytes, if seen_begin
    std::int64_t began = 0;
    std::array<std::uint32_t, 2> path_mtu{};  ///< bytes, from perftest; 0: none
    std::vector<Line> lines;
  };

  [[nodiscard]] Stream& stream(const Key& key);
  [[nodiscard]] std::optional<HandshakeNews> join(Stream& stream, std::size_t line, std::uint32_t acknowledged,
                                                  const Packet& packet);

  HandshakeTable& table_;
  std::unordered_map<Key, Stream, KeyHash> streams_;
  std::deque<Key> oldest_;
};

}  // namespace rocescope
