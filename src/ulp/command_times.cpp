#include <algorithm>
#include <utility>

#include "rocescope/command.hpp"

namespace rocescope {
namespace {

bool has_times(const Command& command) noexcept {
  return command.issued && command.completed && *command.completed >= *command.issued;
}

bool has_data(const Command& command) noexcept {
  return command.first_data && command.last_data && *command.first_data >= *command.issued &&
         *command.last_data >= *command.first_data && *command.last_data <= *command.completed;
}

/// Whether an ACK came before any other sign that the target has the command. A later ACK says nothing: the first was
/// lost.
bool has_ack(const Command& command, std::int64_t sign) noexcept {
  return command.acknowledged && *command.acknowledged >= *command.issued && *command.acknowledged <= sign;
}

/// When the first packet about its data came, or the response.
std::int64_t first_sign(const Command& command, std::int64_t answered, bool with_data) noexcept {
  return with_data ? *command.first_data : answered;
}

/// When it had answered: what follows until it is completed is due to losses.
std::int64_t answered_at(const Command& command, bool with_data) noexcept {
  std::int64_t answered = std::min(command.answered.value_or(*command.completed), *command.completed);
  if (with_data) answered = std::max(answered, *command.last_data);
  return std::max(answered, *command.issued);
}

/// When the initiator had all data: after the last packet was seen, if copies of some had to come. If the target had
/// answered before that, it did not wait for them.
std::int64_t data_taken_at(const Command& command, std::int64_t answered) noexcept {
  const std::int64_t taken = command.data_taken.value_or(*command.last_data);
  return taken > *command.last_data && taken <= answered ? taken : *command.last_data;
}

}  // namespace

CommandWaits Command::waits() const noexcept {
  if (!has_times(*this)) return {};
  const bool with_data = has_data(*this);
  // What comes from the target shows that it has the command, whenever its ACK comes.
  const std::int64_t answered_time = answered_at(*this, with_data);
  std::int64_t arrived = first_sign(*this, answered_time, with_data);
  if (has_ack(*this, arrived))
    arrived = *acknowledged;
  else if (with_data || response_copied != Copied::kYes)
    arrived = *issued;  // nothing says how long it was on its way
  if (!with_data) return {.response = answered_time - arrived};
  return {.data = *first_data - arrived, .response = answered_time - data_taken_at(*this, answered_time)};
}

std::optional<CommandTimes> Command::times() const noexcept {
  if (!has_times(*this)) return std::nullopt;
  const CommandWaits waits = this->waits();
  const bool with_data = has_data(*this);
  CommandTimes times{.total = *completed - *issued, .data = with_data ? *last_data - *first_data : 0};
  const std::int64_t answered_time = answered_at(*this, with_data);
  times.resend = *completed - answered_time;
  if (with_data) times.resend += data_taken_at(*this, answered_time) - *last_data;
  const bool is_acknowledged = has_ack(*this, first_sign(*this, answered_time, with_data));
  times.request = times.total - times.data - times.resend - waits.data - waits.response;
  const std::int64_t way = std::min(round_trip, waits.response);
  (round_trip_is_sure ? times.data : times.unknown) += way;
  const auto add = [&](std::int64_t wait, Copied copied, bool has_arrived) {
    const bool is_unknown = copied == Copied::kMaybe || !has_arrived || place_is_cut;
    (copied == Copied::kYes ? times.resend : is_unknown ? times.unknown : times.target) += wait;
  };
  add(waits.data, data_copied, is_acknowledged);
  add(waits.response - way, response_copied, is_acknowledged || with_data);
  times.place_is_cut = place_is_cut;
  // There may have been other data, also while the initiator seemed to wait for copies.
  if (place_is_cut) times.unknown += std::exchange(times.data, 0) + std::exchange(times.resend, 0);
  return times;
}

}  // namespace rocescope
