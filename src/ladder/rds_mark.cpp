#include <algorithm>

#include "dissectors/ulp/rds/rds_message.hpp"
#include "ladder/protocol_marks.hpp"

namespace rocescope {

std::optional<CommandMark> rds_mark(const Packet& packet) {
  const Layer* const header = packet.find(HeaderKind::kRdsHeader);
  if (header == nullptr) return std::nullopt;
  const auto message = rds_message_of(packet.bytes_with(*header).subspan(header->offset), 0);
  if (!message) return std::nullopt;
  CommandMark mark{.protocol = UpperProtocol::kRds, .is_response = message->is_ack(), .id = message->sequence};
  if (mark.is_response) mark.id = message->acknowledged;
  if (message->is_congestion_map) mark.operation = "congestion map";
  mark.unit = message->destination;
  mark.bytes = message->length;
  return mark;
}

}  // namespace rocescope
