// Damaged packets that show another flow than their own, or none that is known: what was damaged may be an address, the queue
// pair or the PSN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "rocescope/connection.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/requests/stream.hpp"

namespace rocescope {

class Strays {
 public:
  /// So many are remembered, the last ones.
  static constexpr std::size_t kMost = 64;

  struct Stray {
    FlowKey key;
    RequestPacket request;  ///< what it shows, as if it were one
    /// Whether it shows all that names that flow, which was not known then.
    [[nodiscard]] bool is_of(const Connection& connection, std::size_t sender) const noexcept {
      const auto& sides = connection.sides;
      return key == FlowKey{sides[sender].address, sides[1 - sender].address, sides[1 - sender].qpn.value_or(Qpn()),
                            connection.overlay_id, connection.capture_point};
    }
    /// Whether `sender` of `connection` may have sent it: one of its addresses is that of the connection.
    [[nodiscard]] bool may_be_of(const Connection& connection, std::size_t sender) const noexcept {
      const auto& sides = connection.sides;
      return key.overlay_id == connection.overlay_id && key.capture_point == connection.capture_point &&
             (key.source == sides[sender].address || key.destination == sides[1 - sender].address);
    }
  };

  [[nodiscard]] bool empty() const noexcept { return strays_.empty(); }
  void add(const Packet& packet) {
    if (strays_.size() == kMost) strays_.pop_front();
    const auto reth = packet.header<Reth>();
    strays_.push_back({.key = FlowKey::of(packet),
                       .request = {.opcode = packet.roce.opcode,
                                   .psn = packet.roce.psn,
                                   .frame = packet.frame.number,
                                   .dma_length = reth ? std::optional(reth->dma_length()) : std::nullopt}});
  }
  /// Forgets those that `takes(stray)` explains something with.
  template <class Takes>
  void adopt(Takes takes) {
    std::erase_if(strays_, takes);
  }
  /// Whether one may be a packet that `sender` sent after the frame `since`.
  [[nodiscard]] bool has_any_of(const Connection& connection, std::size_t sender, std::uint64_t since) const noexcept {
    return std::any_of(strays_.begin(), strays_.end(), [&](const Stray& stray) {
      return stray.request.frame > since && stray.may_be_of(connection, sender);
    });
  }

 private:
  friend struct StateMembers;
  std::deque<Stray> strays_;
};

}  // namespace rocescope
