// A packet with all that the engines made of it: what the observers of connections are shown.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rocescope/connection.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "rocescope/headers/infiniband.hpp"
#include "rocescope/message.hpp"
#include "rocescope/record.hpp"
#include "rocescope/times.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

struct ConnectionState;
struct HandshakeNews;

/// What observers ask for: in kWants each declares the traits of the packets that it is shown. A packet without any of them costs
/// an observer nothing.
namespace traits {
inline constexpr unsigned kOtherFrame = 1;  ///< no RoCE
inline constexpr unsigned kRoce = 2;        ///< any RoCE packet
inline constexpr unsigned kConnected = 4;   ///< any packet of a connection
inline constexpr unsigned kUnusual = 8;     ///< RoCE, and not just the next request, a positive response or a datagram
inline constexpr unsigned kMeasured = 16;   ///< it ended times
inline constexpr unsigned kEnded = 32;      ///< it ended messages
inline constexpr unsigned kHandshake = 64;  ///< a message of a handshake
inline constexpr unsigned kDamaged = 128;   ///< damaged RoCE, which has no other trait: no field of it proves anything
inline constexpr unsigned kApart = 256;     ///< no packet has it: see ObserverList::observe_apart()
}  // namespace traits

/// Lasts until the observers are through with it.
struct TrackedPacket {
  const PacketRecord& record;  ///< whose verdict is not filled in yet: see below
  /// Headers that most observers need.
  std::optional<Reth> reth = record.packet->header<Reth>();
  std::optional<Aeth> aeth = record.packet->header<Aeth>();
  Connection* connection = nullptr;  ///< null: a packet of none; each observer fills in its own members
  ConnectionState* state = nullptr;  ///< null: a packet of none
  std::size_t sender = 0;            ///< the side of the connection that sent it
  std::size_t requester = 0;         ///< the side whose requests it is about: the sender's, or those that it answers
  Verdict verdict;
  /// False: the packet is followed and counts nowhere. The sides of its connection hold the counts of Uncounted meanwhile, and an
  /// observer with counts of its own leaves the packet out.
  bool counts = true;
  std::span<const Message> ended;             ///< messages of `requester` that ended with it
  std::span<const Measure> measures;          ///< times of `requester` that it ended
  LostAck lost_ack;                           ///< of `requester`, that it shows
  NeedlessCopy needless;                      ///< the same
  bool is_nak_copy = false;                   ///< it is the NAK before it, seen twice
  bool is_astray = false;                     ///< damaged, and most probably of another connection than it shows
  bool seen_before = false;                   ///< of a request: its PSN had been seen
  bool answered_before = false;               ///< of a request: its responder had carried it out, as far as is known
  bool acknowledged_before = false;           ///< of a response: all requests before its PSN had been acknowledged
  bool began_recovery = false;                ///< of a request: it is the first that was sent again
  std::span<const HandshakeNews> handshakes;  ///< what it shows about handshakes

  [[nodiscard]] const Packet& packet() const noexcept { return *record.packet; }
  /// Of one that is_roce().
  [[nodiscard]] Bth bth() const noexcept { return Bth(packet().frame.data.data() + packet().roce.bth_offset); }
  [[nodiscard]] bool is_roce() const noexcept { return record.packet->is_roce(); }
  /// Else it may have been damaged.
  [[nodiscard]] bool has_compared_icrc() const noexcept {
    return record.icrc.status == IcrcStatus::kGood || record.icrc.status == IcrcStatus::kBad;
  }
};

}  // namespace rocescope
