// How a command of SCSI ended, for iSER and SRP.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dissectors/ulp/scsi/scsi_command.hpp"
#include "rocescope/command.hpp"

namespace rocescope {

/// Of `message`, an IscsiMessage or an SrpMessage. `status`, `is_answer`: as Command has them.
template <class Message>
void note_scsi_status(const Message& message, std::optional<std::uint32_t> status, bool is_answer, Command& command) {
  command.status = status;
  if (!status) return;
  // The target says why, but the capture cut that: perhaps a Unit Attention.
  command.is_answer = is_answer || message.sense_is_cut;
  const std::string_view key = message.sense_is_cut ? "sense not captured" : scsi_sense_key_name(*status);
  if (!key.empty()) command.detail = key;
  if (message.code_is_cut) command.detail += ", code not captured";
}

}  // namespace rocescope
