// The table of commands.
#include "cli/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "cli/nearest.hpp"

namespace rocescope::cli {

std::span<const Command* const> commands() {
  static const Command* const kCommands[] = {
      &analyze_command(), &dissect_command(), &explain_command(),   &export_command(),     &extract_command(),
      &fields_command(),  &flow_command(),    &help_command(),      &interfaces_command(), &live_command(),
      &merge_command(),   &verify_command(),  &wireshark_command(),
  };
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command* command : commands()) {
    if (command->name == name) return command;
  }
  // No user types it: it is in no list.
  if (extcap_command().name == name) return &extcap_command();
  return nullptr;
}

Error unknown_command(std::string_view name) {
  const std::string path(name);
  if (::access(path.c_str(), F_OK) == 0) {
    return Error{fmt::format("'{0}' is a file, not a command. To read it: rocescope analyze {0}", path)};
  }
  std::vector<std::string_view> names;
  for (const Command* command : commands()) names.push_back(command->name);
  return Error{fmt::format("unknown command '{}'{}", name,
                           did_you_mean(nearest(name, names), ". To list the commands: rocescope help"))};
}

Result<std::string> page_about(std::string_view name, MakePage make) {
  if (name.empty()) return make(nullptr);
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_command(name);
  return make(command);
}

}  // namespace rocescope::cli
