#include "ulp/named/ucx_wire_ups.hpp"

#include "dissectors/ulp/ucx/ucx_message.hpp"

namespace rocescope {

void UcxWireUps::observe(const SendPayload& datagram) {
  const auto wire_up = ucx_wire_up_of_datagram(datagram.start());
  if (!wire_up) return;
  const Packet& packet = *datagram.record->packet;
  const Endpoint endpoint{.owner = packet.source, .other = packet.destination, .id = wire_up->source};
  if (!endpoints_.try_emplace(endpoint, named_).second) return;
  ++named_;
  if (endpoints_.size() > kMost)
    std::erase_if(endpoints_, [&](const auto& each) { return each.second + kMost / 2 < named_; });
}

bool UcxWireUps::confirm(const SendPayload& message) const {
  const auto active = ucx_message_of(message.start());
  const auto wire_up = active ? ucx_wire_up_of(*active) : std::nullopt;
  if (!wire_up) return false;
  const IpAddress& sender = message.connection->sides[message.sender].address;
  const IpAddress& receiver = message.connection->sides[1 - message.sender].address;
  return endpoints_.contains({.owner = sender, .other = receiver, .id = wire_up->source}) &&
         endpoints_.contains({.owner = receiver, .other = sender, .id = wire_up->destination});
}

}  // namespace rocescope
