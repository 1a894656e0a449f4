// Queue pairs that two programs exchange over TCP: perftest (without -R) and libibverbs' ping-pongs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/packet.hpp"
#include "tracking/connections/connection_setup.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/handshakes/key_line.hpp"
#include "tracking/handshakes/tcp_streams.hpp"

namespace rocescope {

/// Reads segments that hold whole key lines; puts nothing together that TCP took apart. A line of one end belongs to the line
/// at the same place of the other end's stream; where nobody saw the TCP connection begin, to the one that it answers.
class OobSessions {
 public:
  static constexpr std::size_t kMostLines = 1024;  ///< of one TCP connection, that wait for the other end's

  explicit OobSessions(HandshakeTable& table) : table_(table) {}

  /// What a packet that is no RoCE completes: one for each connection.
  [[nodiscard]] std::vector<HandshakeNews> observe(const Packet& packet);

 private:
  friend struct StateMembers;
  struct Line {
    KeyLine key;
    std::size_t sender = 0;      ///< index of TcpConnection::addresses
    std::uint32_t sequence = 0;  ///< TCP's, of its first byte
    std::uint64_t packet = 0;
    std::int64_t time = 0;
    bool paired = false;
  };
  struct Stream {
    bool seen_begin = false;
    std::size_t client = 0;                ///< index of TcpConnection::addresses
    std::array<std::uint32_t, 2> first{};  ///< TCP sequence numbers of both first bytes, if seen_begin
    std::int64_t began = 0;
    std::array<std::uint32_t, 2> path_mtu{};  ///< bytes, from perftest; 0: none
    std::vector<Line> lines;
  };

  [[nodiscard]] std::optional<HandshakeNews> join(Stream& stream, std::size_t line, std::uint32_t acknowledged,
                                                  const Packet& packet);

  HandshakeTable& table_;
  /// The lower end is the first, so that both directions have the same.
  TcpStreams<Stream> streams_;
};

}  // namespace rocescope
