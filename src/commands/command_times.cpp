#include <algorithm>

#include "rocescope/command.hpp"

namespace rocescope {
namespace {

bool has_times(const Command& command) noexcept {
  return command.issued && command.completed && *command.completed >= *command.issued;
}

bool has_data(const Command& command) noexcept {
  return command.first_data && command.last_data && *command.first_data >= *command.issued &&
         *command.last_data <= *command.completed;
}

}  // namespace

CommandWaits Command::waits() const noexcept {
  if (!has_times(*this)) return {};
  const bool with_data = has_data(*this);
  // What comes from the target shows that it has the command, whenever its ACK comes.
  std::int64_t arrived = with_data ? *first_data : *completed;
  if (acknowledged && *acknowledged >= *issued)
    arrived = std::min(arrived, *acknowledged);
  else if (response_copied != Copied::kYes)
    arrived = *issued;  // no ACK was seen: nothing says how long it was on its way
  if (!with_data) return {.response = *completed - arrived};
  return {.data = *first_data - arrived, .response = *completed - *last_data};
}

std::optional<CommandTimes> Command::times() const noexcept {
  if (!has_times(*this)) return std::nullopt;
  const CommandWaits waits = this->waits();
  CommandTimes times{.total = *completed - *issued, .data = has_data(*this) ? *last_data - *first_data : 0};
  times.request = times.total - times.data - waits.data - waits.response;
  const auto add = [&](std::int64_t wait, Copied copied) {
    (copied == Copied::kYes ? times.resend : copied == Copied::kMaybe ? times.unknown : times.target) += wait;
  };
  add(waits.data, data_copied);
  add(waits.response, response_copied);
  return times;
}

}  // namespace rocescope
