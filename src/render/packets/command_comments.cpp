#include "render/packets/command_comments.hpp"

#include <fmt/format.h>

#include "render/packets/command_notes.hpp"
#include "render/report/report_sections.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

constexpr std::size_t kMost = 8;  // of a packet

/// `NVMe-oF Read, command 17`: with its number in commands.csv.
std::string command_name(const Command& command) {
  const std::string_view operation = command.operation.empty() ? "unknown" : command.operation;
  const std::string detail = command.detail.empty() ? "" : fmt::format(" ({})", safe_text(command.detail));
  return fmt::format("{} {}{}, command {}", to_string(command.protocol), operation, detail, command.number);
}

/// `, Success`; empty: nobody knows.
std::string how_it_ended(const Command& command) {
  if (command.outcome == CommandOutcome::kSucceeded) return ", Success";
  const bool has_status = command.status.value_or(0) != 0 || !command.status_name.empty();
  if (command.outcome == CommandOutcome::kFailed || has_status)
    return fmt::format(", {}", text::status(command.status_name, command.status.value_or(0)));
  return command.outcome == CommandOutcome::kNoStatus ? ", its status was not captured" : "";
}

std::string begin_text(const CommandSpan& span, const RenumberedFrames& renumbered) {
  const Command& command = span.command;
  const std::string name = command_name(command);
  const auto times = command.times();
  const std::string after = times ? " after " + took_text(*times, command.resent) : "";
  if (command.response_packet != 0) {
    return fmt::format("{}: response in packet {}{}{}", name, frame_text(command.response_packet, &renumbered), after,
                       how_it_ended(command));
  }
  return fmt::format("{}: {}{}", name, span.is_one_way() ? "ends with its ACK" : "no response was read",
                     how_it_ended(command));
}

std::string end_text(const Command& command, const RenumberedFrames& renumbered) {
  const std::string name = command_name(command);
  if (command.request_packet == 0)
    return fmt::format("{}: completed here, issued before{}", name, how_it_ended(command));
  const auto times = command.times();
  const std::string after = times ? " after " + took_text(*times, command.resent) : "";
  // What its receiver did not take, a copy of it completed.
  const std::string_view where = command.answered ? "answered here, completed by a copy" : "completed here";
  return fmt::format("{}: issued in packet {}, {}{}{}", name, frame_text(command.request_packet, &renumbered), where,
                     after, how_it_ended(command));
}

}  // namespace

std::vector<std::string> command_comments(std::uint64_t frame, const CommandSpans& commands,
                                          const RenumberedFrames& renumbered) {
  std::vector<std::string> comments;
  const std::vector<CommandEnd> ends = commands.at(frame);
  for (const CommandEnd& end : ends) {
    if (comments.size() == kMost) {
      comments.push_back(fmt::format("{} more", text::count(ends.size() - kMost, "command")));
      break;
    }
    comments.push_back(end.is_response ? end_text(end.span->command, renumbered) : begin_text(*end.span, renumbered));
  }
  return comments;
}

}  // namespace rocescope::render
