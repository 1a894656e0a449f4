#include "ladder/command_spans.hpp"

#include <algorithm>
#include <array>

#include "sorting/sort.hpp"

namespace rocescope {
namespace {

bool is_shown(const Command& command, ShownTimes shown) {
  const std::int64_t begin = command.issued ? *command.issued : command.completed.value_or(shown.from);
  return begin <= shown.to && command.completed.value_or(shown.to) >= shown.from;
}

}  // namespace

CommandSpans::CommandSpans(const CommandList& commands, const Connection& connection, ShownTimes shown) {
  add(commands, connection.number);
  if (connection.paired_by != PairedBy::kNothing) assign_lanes(shown);
}

/// Nothing: of all connections.
void CommandSpans::add(const CommandList& commands, std::optional<std::uint32_t> connection) {
  for (const Command& command : commands) {
    const bool was_seen = command.request_packet != 0 || command.response_packet != 0;
    if (command.connection == connection.value_or(command.connection) && was_seen)
      spans_.push_back({.command = command, .lane = {}});
  }
  sorting::stable_sort(spans_, {}, &CommandSpan::first_frame);
  for (std::uint32_t place = 0; place < spans_.size(); ++place) {
    const std::uint64_t frame = spans_[place].command.response_packet;
    if (frame != 0) responses_.emplace_back(frame, place);
  }
  sorting::sort(responses_);
}

/// Each gets the first lane that is free.
void CommandSpans::assign_lanes(ShownTimes shown) {
  std::array<std::uint64_t, kMostLanes> taken_until{};
  for (CommandSpan& span : spans_) {
    if (span.is_one_way() || !is_shown(span.command, shown)) continue;
    const auto free =
        std::ranges::find_if(taken_until, [&](std::uint64_t frame) { return frame < span.first_frame(); });
    if (free == taken_until.end()) {
      ++without_lane_;
      continue;
    }
    *free = span.last_frame();
    span.lane = static_cast<std::uint8_t>(free - taken_until.begin());
    lanes_ = std::max(lanes_, std::size_t{*span.lane} + 1);
  }
}

std::vector<CommandEnd> CommandSpans::at(std::uint64_t frame) const {
  std::vector<CommandEnd> ends;
  auto span = std::ranges::lower_bound(spans_, frame, {}, &CommandSpan::first_frame);
  for (; span != spans_.end() && span->first_frame() == frame; ++span) {
    if (span->command.request_packet != 0) ends.push_back({.span = &*span, .is_response = false});
  }
  auto response = std::ranges::lower_bound(responses_, frame, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
  for (; response != responses_.end() && response->first == frame; ++response) {
    ends.push_back({.span = &spans_[response->second], .is_response = true});
  }
  return ends;
}

}  // namespace rocescope
