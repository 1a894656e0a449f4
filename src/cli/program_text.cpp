// What the program says about itself.
#include "cli/program.hpp"

namespace rocescope::cli {
namespace {

constexpr Example kExamples[] = {
    {"rocescope analyze lab.pcapng", "the report"},
    {"rocescope dissect lab.pcapng", "the packets, one line each"},
    {"rocescope dissect -V -c 5 lab.pcapng", "the first five, every field"},
    {"rocescope help dissect", "what else dissect can do"},
};

constexpr Section kProgramSections[] = {
    {"ENVIRONMENT", R"(
COLUMNS is the width of reports and ladders where standard output is no terminal. Without it, lines of reports there have
any length, and their tables all columns.

NO_COLOR, if it is not empty, turns colour off, unless --color=always is given.

ROCESCOPE_EXPRESS=off looks at all of each packet. Without it, packets that are just what comes next of their connection are
counted quickly; a report that differs is a bug. `analyze --stats` says how many these were. There are none where options
select packets, nor for the screen of `live`.

TZ is the time zone of local times, and of --from and --to without a zone.)"},
};

constexpr Choice kExitCodes[] = {
    {"0", "done"},
    {"1", "a finding is at least as severe as --fail-on names, or verify found a difference"},
    {"2", "wrong usage, unreadable input, or output that could not be written"},
    {"130", "interrupted with Ctrl-C"},
};

}  // namespace

std::span<const Example> program_examples() { return kExamples; }
std::span<const Section> program_sections() { return kProgramSections; }
std::span<const Choice> exit_codes() { return kExitCodes; }

}  // namespace rocescope::cli
