// The table of commands.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace rocescope::cli {

// One file per command; a new command is declared here and listed in commands.cpp.
[[nodiscard]] const Command& analyze_command();
[[nodiscard]] const Command& dissect_command();
[[nodiscard]] const Command& explain_command();
[[nodiscard]] const Command& extcap_command();
[[nodiscard]] const Command& export_command();
[[nodiscard]] const Command& extract_command();
[[nodiscard]] const Command& fields_command();
[[nodiscard]] const Command& flow_command();
[[nodiscard]] const Command& help_command();
[[nodiscard]] const Command& interfaces_command();
[[nodiscard]] const Command& live_command();
[[nodiscard]] const Command& merge_command();
[[nodiscard]] const Command& verify_command();
[[nodiscard]] const Command& wireshark_command();

/// All commands in the order of `rocescope help`.
[[nodiscard]] std::span<const Command* const> commands();

/// The command called `name`, or null.
[[nodiscard]] const Command* find_command(std::string_view name);

/// `unknown command 'NAME'`, with advice.
[[nodiscard]] Error unknown_command(std::string_view name);

/// Writes a page about the program (null) or a command.
using MakePage = std::string (*)(const Command* command);

/// The page about the command `name`, or about the program if it is empty.
[[nodiscard]] Result<std::string> page_about(std::string_view name, MakePage make);

}  // namespace rocescope::cli
