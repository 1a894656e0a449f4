#include "ladder/srp_mark.hpp"

#include "rocescope/detail/srp_message.hpp"

namespace rocescope {

std::optional<CommandMark> srp_mark(const Packet& packet) {
  const Layer* unit = nullptr;
  for (const HeaderKind kind : {HeaderKind::kSrpCommand, HeaderKind::kSrpResponse, HeaderKind::kSrpTask,
                                HeaderKind::kSrpUnit, HeaderKind::kSrpEvent}) {
    if (unit == nullptr) unit = packet.find(kind);
  }
  if (unit == nullptr) return std::nullopt;
  const auto message = srp_message_of(packet.bytes_with(*unit).subspan(unit->offset));
  if (!message) return std::nullopt;
  CommandMark mark{.protocol = UpperProtocol::kSrp, .is_response = message->status.has_value(), .id = message->tag};
  mark.opcode = message->number;
  mark.operation = message->operation;
  mark.detail = message->detail;
  mark.unit = message->lun;
  mark.first_block = message->offset;
  mark.blocks = message->blocks.value_or(0);
  mark.status = message->status.value_or(0);
  mark.status_name = srp_status_name(mark.status);
  if (mark.is_response && mark.status != 0)
    mark.detail = message->sense_is_cut ? "sense not captured" : scsi_sense_key_name(mark.status);
  return mark;
}

}  // namespace rocescope
