// Whether packets follow the rules of the specification that a receiver checks (IBTA 9.6 to 9.8).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rocescope/breach.hpp"
#include "rocescope/detail/box.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Reports no breach that the capture or the network may have caused: a packet with a wrong ICRC proves nothing, the order
/// of opcodes is judged between packets with consecutive PSNs only, and what was cut off is not missed.
class Conformance {
 public:
  /// Packets of one kind with consecutive PSNs.
  struct Chain {
    std::uint32_t bytes = 0;       ///< payload of the message under way; no more than there is room for
    std::uint32_t dma_length = 0;  ///< that it should be, where that is known
    Psn next;
    std::optional<std::uint8_t> last;  ///< its opcode; without one what comes next cannot be judged by it
    bool has_dma_length = false;       ///< its First was seen
  };
  /// What one side sends.
  struct Sender {
    Chain requests;
    Box<Chain> read_responses;
  };
  /// A packet of another transport than the connection's, before it is clear whether another queue pair has the number now.
  struct Stray {
    std::size_t sender = 0;
    std::uint64_t frame = 0;
    std::int64_t time = 0;
    const OpcodeInfo* opcode = nullptr;  ///< null: there is none
    unsigned uncompared = 0;             ///< 1: its ICRC could not be compared
  };
  /// Of a connection.
  struct State {
    std::array<Sender, 2> senders;
    std::array<std::uint32_t, 2> mtus{};  ///< of the First and Middle packets of each; 0: none was seen
    Box<Stray> stray;
    std::optional<std::uint16_t> p_key;
    std::optional<Transport> transport;  ///< the connection's when it was last looked at
  };

  /// `others` is for breaches by packets of no connection; the rest goes to their senders.
  explicit Conformance(Breaches& others) : others_(others) {}

  static constexpr unsigned kWants = traits::kRoce | traits::kApart;
  void observe(const TrackedPacket& tracked);

 private:
  static void check_connection(const TrackedPacket& tracked);
  [[nodiscard]] static bool check_transport(const TrackedPacket& tracked, State& state);
  static void check_lengths(const TrackedPacket& tracked, std::uint32_t& sender_mtu);
  static void check_order(const TrackedPacket& tracked, State& state);
  static void check_dma_length(const TrackedPacket& tracked, Chain& chain, bool follows);

  Breaches& others_;
};

}  // namespace rocescope
