#include "ladder/iser_mark.hpp"

#include "rocescope/detail/iscsi_message.hpp"

namespace rocescope {

std::optional<CommandMark> iser_mark(const Packet& packet) {
  const Layer* const header = packet.find(HeaderKind::kIserHeader);
  if (header == nullptr) return std::nullopt;
  const auto message = iscsi_message_of(packet.bytes_with(*header).subspan(header->offset));
  if (!message) return std::nullopt;
  CommandMark mark{.protocol = UpperProtocol::kIser, .is_response = message->status.has_value(), .id = message->tag};
  mark.opcode = message->number;
  mark.operation = message->operation;
  mark.detail = message->detail;
  mark.unit = message->lun;
  mark.first_block = message->offset;
  mark.blocks = message->blocks.value_or(0);
  mark.status = message->status.value_or(0);
  mark.status_name = iscsi_status_name(mark.status);
  if (mark.is_response && mark.status != 0)
    mark.detail = message->sense_is_cut ? "sense not captured" : scsi_sense_key_name(mark.status);
  return mark;
}

}  // namespace rocescope
