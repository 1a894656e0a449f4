#include "commands/named/ucx_wire_ups.hpp"

#include <algorithm>

#include "dissectors/ulp/ucx/ucx_message.hpp"

namespace rocescope {

void UcxWireUps::observe(const SendPayload& datagram) {
  const auto wire_up = ucx_wire_up_of_datagram(datagram.start());
  if (!wire_up) return;
  const Packet& packet = *datagram.record->packet;
  const Endpoint endpoint{.owner = packet.source, .other = packet.destination, .id = wire_up->source};
  if (is_known(endpoint)) return;
  if (endpoints_.size() == kMost) endpoints_.pop_front();
  endpoints_.push_back(endpoint);
}

bool UcxWireUps::confirm(const SendPayload& message) const {
  const auto active = ucx_message_of(message.start());
  const auto wire_up = active ? ucx_wire_up_of(*active) : std::nullopt;
  if (!wire_up) return false;
  const IpAddress& sender = message.connection->sides[message.sender].address;
  const IpAddress& receiver = message.connection->sides[1 - message.sender].address;
  return is_known({.owner = sender, .other = receiver, .id = wire_up->source}) &&
         is_known({.owner = receiver, .other = sender, .id = wire_up->destination});
}

bool UcxWireUps::is_known(const Endpoint& endpoint) const {
  return std::ranges::find(endpoints_, endpoint) != endpoints_.end();
}

}  // namespace rocescope
