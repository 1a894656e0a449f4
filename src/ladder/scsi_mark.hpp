// What the messages of all SCSI protocols give to a mark.
#pragma once

#include <cstdint>
#include <string_view>

#include "dissectors/ulp/scsi/scsi_command.hpp"
#include "ladder/command_mark.hpp"

namespace rocescope {

/// `Message`: IscsiMessage or SrpMessage. `status_name` names the statuses of its protocol.
template <class Message>
[[nodiscard]] CommandMark scsi_mark(UpperProtocol protocol, const Message& message,
                                    std::string_view (*status_name)(std::uint32_t) noexcept) {
  CommandMark mark{.protocol = protocol, .is_response = message.status.has_value(), .id = message.tag};
  mark.opcode = message.number;
  mark.operation = message.operation;
  mark.detail = message.detail;
  mark.unit = message.lun;
  mark.first_block = message.offset;
  mark.blocks = message.blocks.value_or(0);
  mark.status = message.status.value_or(0);
  mark.status_name = status_name(mark.status);
  if (mark.is_response && mark.status != 0)
    mark.detail = message.sense_is_cut ? "sense not captured" : scsi_sense_key_name(mark.status);
  return mark;
}

}  // namespace rocescope
