#include "dissectors/ulp/srp/srp_message.hpp"
#include "ladder/protocol_marks.hpp"
#include "ladder/scsi_mark.hpp"

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
  return scsi_mark(UpperProtocol::kSrp, *message, srp_status_name);
}

}  // namespace rocescope
