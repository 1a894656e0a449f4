// A packet with all that the engines made of it: what the observers of connections are shown.
#pragma once

#include <cstddef>
#include <span>

#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// Lasts until the observers are through with it.
struct TrackedPacket {
  const PacketRecord& record;        ///< whose verdict is not filled in yet: see below
  Connection* connection = nullptr;  ///< null: a packet of none; observers fill in their members of it
  std::size_t sender = 0;            ///< the side of the connection that sent it
  std::size_t requester = 0;         ///< the side whose requests it is about: the sender's, or those that it answers
  Verdict verdict;
  std::span<const Message> ended;  ///< messages of `requester` that ended with it

  [[nodiscard]] const Packet& packet() const noexcept { return *record.packet; }
  [[nodiscard]] bool is_roce() const noexcept { return record.packet->is_roce(); }
};

}  // namespace rocescope
