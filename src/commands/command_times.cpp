#include <algorithm>

#include "rocescope/command.hpp"

namespace rocescope {

std::optional<CommandTimes> Command::times() const noexcept {
  if (!issued || !completed || *completed < *issued) return std::nullopt;
  CommandTimes times{.total = *completed - *issued};
  const bool has_data = first_data && last_data && *first_data >= *issued && *last_data <= *completed;
  // What comes from the target shows that it has the command, whenever its ACK comes.
  std::int64_t arrived = has_data ? *first_data : *completed;
  if (acknowledged && *acknowledged >= *issued)
    arrived = std::min(arrived, *acknowledged);
  else if (!response_resent && !data_resent)
    arrived = *issued;  // no ACK was seen: nothing says how long it was on its way
  times.request = arrived - *issued;
  if (has_data) {
    times.data = *last_data - *first_data;
    if (data_resent) times.resend += *first_data - arrived;
    if (response_resent) times.resend += *completed - *last_data;
  } else if (response_resent) {
    times.resend = *completed - arrived;
  }
  times.target = times.total - times.request - times.data - times.resend;
  return times;
}

}  // namespace rocescope
