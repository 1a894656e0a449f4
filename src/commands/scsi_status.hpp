// How a command of SCSI ended, for iSER and SRP.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rocescope/command.hpp"
#include "rocescope/detail/scsi_command.hpp"

namespace rocescope {

/// `sense_is_cut`: the target says why, and the capture does not. `is_answer`: as Command has it.
inline void note_scsi_status(std::optional<std::uint32_t> status, bool sense_is_cut, bool is_answer, Command& command) {
  command.status = status;
  if (!status) return;
  // Why is not known: a Unit Attention, perhaps.
  command.is_answer = is_answer || sense_is_cut;
  const std::string_view key = sense_is_cut ? "sense not captured" : scsi_sense_key_name(*status);
  if (!key.empty()) command.detail = key;
}

}  // namespace rocescope
