// Queue pairs that SMC-R exchanges over TCP, with CLC messages (RFC 7609, 4.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/packet.hpp"
#include "tracking/connections/connection_setup.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/handshakes/tcp_streams.hpp"

namespace rocescope {

/// An Accept and the Confirm that answers it set a connection up, where they say that it is the first contact: others use one that there
/// is. A Decline refuses.
class SmcSessions {
 public:
  explicit SmcSessions(HandshakeTable& table) : table_(table) {}

  /// What a packet that is no RoCE completes.
  [[nodiscard]] std::optional<HandshakeNews> observe(const Packet& packet);

 private:
  friend struct StateMembers;
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

  [[nodiscard]] std::optional<HandshakeNews> confirm(Stream& stream, const End& client, const Packet& packet);
  [[nodiscard]] std::optional<HandshakeNews> decline(std::uint32_t diagnosis, const Packet& packet);

  HandshakeTable& table_;
  TcpStreams<Stream> streams_;  // the client is the first end
};

}  // namespace rocescope
