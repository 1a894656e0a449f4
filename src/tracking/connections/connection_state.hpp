// What is known of a connection, and what following it takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "messages/payload.hpp"
#include "model/express_reason.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/detail/box.hpp"
#include "tracking/connections/lifetime.hpp"
#include "tracking/connections/uncounted.hpp"
#include "tracking/requests/requester.hpp"
#include "tracking/watchers/conformance.hpp"
#include "tracking/watchers/read_depth.hpp"

namespace rocescope {

/// Side `i` sends the packets to the queue pair of side `1 - i`.
struct ConnectionState {
  Connection facts;
  std::array<Box<Requester>, 2> requesters;  ///< of the sides that requested something, or whose handshake was seen
  Conformance::State conformance;
  Box<ReadDepth::State> reads;
  /// Packets of each side with a wrong ICRC while none was right, up to kSendsWithoutIcrc; or kHadGoodIcrc.
  std::array<std::uint8_t, 2> wrong_icrcs{};
  static constexpr std::uint8_t kSendsWithoutIcrc = 16;  ///< so many are no accident
  static constexpr std::uint8_t kHadGoodIcrc = 0xFF;     ///< then a wrong one means a packet that its receiver drops
  std::array<std::uint8_t, 2> reached{};  ///< by each side, as StateWatcher ranks states: at least so much
  bool shares_mtu : 1 = false;            ///< both requesters are there and know the path MTU
  bool on_express_lane : 1 = false;       ///< must be settled before anyone reads it
  bool stray : 1 = false;                 ///< the last packet was of another transport
  /// Why it is not on the express lane, after its last packet; kNone: a side says why.
  ExpressReason refusal = ExpressReason::kUnknown;
  std::uint16_t slots_later = 0;  ///< see series()
  Box<Lifetime> life;             ///< where it ended, or may have ended

  /// What HandshakeFollower has seen of it.
  struct Progress {
    bool has_data = false;
    std::array<std::uint8_t, 2> tries{};  ///< of each side
  };
  Progress progress;

  /// What those who want payload want of it. A byte, since every connection has it.
  struct Payload {
    PayloadInterest interest : 3 = PayloadInterest::kUnasked;
    bool has_handshake : 1 = false;  ///< it was known when they were asked
    bool is_like_some : 1 = false;   ///< while kUndecided: a message had the form of some protocol
  };
  Payload payload;
  std::uint32_t slot = 0;                   ///< where the table keeps it: at most as many as there are at once
  Box<Uncounted> uncounted;                 ///< where some of its packets do not count
  std::array<std::uint32_t, 2> captures{};  ///< of the last packet of each side

  /// Its place among the series of rates: its slot; where two were joined, the later one.
  [[nodiscard]] std::uint32_t series() const { return slot + slots_later; }

  /// Packets that `side` sent, whether they count or not.
  [[nodiscard]] std::uint64_t packets(std::size_t side) const {
    return facts.sides[side].traffic.packets + uncounted->sides[side].traffic.packets;
  }

  /// What was taken for packets of `side` was none.
  void forget_packets(std::size_t side) {
    if (Requester* const other = requesters[1 - side].get()) other->forget_responses();
    if (requesters[side].get() == nullptr) return;
    const std::uint32_t mtu = facts.path_mtu;
    requesters[side] = {};
    requesters[side].make().set_mtu(mtu);
    shares_mtu = false;
  }

  /// The requester of `side`, made where there is none.
  [[nodiscard]] Requester& requester(std::size_t side) {
    if (Requester* known = requesters[side].get()) return *known;
    requesters[side].make().set_mtu(requesters[1 - side]->mtu());
    return *requesters[side].get();
  }
};

}  // namespace rocescope
