// Whether packets follow the rules of the specification that a receiver checks (IBTA 9.6 to 9.8).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rocescope/breach.hpp"
#include "tracked_packet.hpp"

namespace rocescope {

/// Accuses nobody of what the capture or the network may have done: a packet with a wrong ICRC proves nothing, the order
/// of opcodes is judged between packets with consecutive PSNs only, and what was cut off is not missed. Takes about 200
/// bytes a connection.
class Conformance {
 public:
  /// Notes breaches with their sender; in `others` those of packets that belong to no connection.
  void see(const TrackedPacket& tracked, Breaches& others);

 private:
  /// Packets of one kind with consecutive PSNs.
  struct Chain {
    const OpcodeInfo* last = nullptr;  ///< null: what comes next cannot be judged by it
    Psn next;
    std::uint64_t bytes = 0;                  ///< payload of the message under way
    std::optional<std::uint32_t> dma_length;  ///< that it should be; known when its First was seen
  };
  /// What one side sends.
  struct Sender {
    std::uint32_t mtu = 0;  ///< of its First and Middle packets; 0: none was seen
    Chain requests;
    Chain read_responses;
  };
  /// A packet of another transport than the connection's, before it is clear whether another queue pair has the number now.
  struct Stray {
    std::size_t sender = 0;
    std::uint64_t frame = 0;
    std::int64_t time = 0;
    const OpcodeInfo* opcode = nullptr;  ///< null: there is none
  };
  struct State {
    std::optional<Transport> transport;  ///< the connection's when it was last looked at
    std::optional<std::uint16_t> p_key;
    std::array<Sender, 2> senders;
    Stray stray;
  };

  void check_connection(const TrackedPacket& tracked);
  [[nodiscard]] bool check_transport(const TrackedPacket& tracked, State& state) const;
  void check_lengths(const TrackedPacket& tracked, Sender& sender) const;
  void check_order(const TrackedPacket& tracked, State& state) const;
  void check_dma_length(const TrackedPacket& tracked, Chain& chain, bool follows) const;
  [[nodiscard]] State& state_of(const Connection& connection);

  std::vector<State> states_;  // by the connection's number
};

}  // namespace rocescope
