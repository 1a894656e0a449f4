#include "dissectors/ulp/iser/iscsi_message.hpp"
#include "ladder/protocol_marks.hpp"
#include "ladder/scsi_mark.hpp"

namespace rocescope {

std::optional<CommandMark> iser_mark(const Packet& packet) {
  const Layer* const header = packet.find(HeaderKind::kIserHeader);
  if (header == nullptr) return std::nullopt;
  const auto message = iscsi_message_of(packet.bytes_with(*header).subspan(header->offset));
  if (!message) return std::nullopt;
  CommandMark mark = scsi_mark(UpperProtocol::kIser, *message, iscsi_status_name);
  mark.id_is_cut = message->tag_is_cut;
  return mark;
}

}  // namespace rocescope
