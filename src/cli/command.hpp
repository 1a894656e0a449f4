// A command: its name, its options, its documentation and its function.
#pragma once

#include <span>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"
#include "cli/messages.hpp"
#include "cli/option.hpp"
#include "cli/output.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

struct Example {
  std::string_view command;
  std::string_view meaning;
};

/// A section of the man page: paragraphs, with an empty line between them. The lines of a paragraph are joined, unless it
/// starts with two spaces.
struct Section {
  std::string_view title;
  std::string_view text;
};

/// The arguments and streams of a command.
struct Invocation {
  const Arguments& arguments;
  Output& output;      ///< standard output; main checks and flushes it when the command is done
  Messages& messages;  ///< standard error
};

/// An Error becomes `rocescope: ...` on standard error and exit code 2.
using RunCommand = Result<ExitCode> (*)(Invocation& invocation);

struct Command {
  std::string_view name;
  std::string_view summary;        ///< a few words: the line in `rocescope help`
  std::string_view operands = {};  ///< `[FILE]...`; empty: it takes none
  Completion operand_completion = Completion::kNothing;
  std::span<const Example> examples = {};
  std::span<const OptionGroup> options = {};
  std::span<const Section> sections = {};  ///< of the man page, after OPTIONS
  RunCommand run = nullptr;
};

}  // namespace rocescope::cli
