// Options that every command has.
#pragma once

#include "option.hpp"

namespace rocescope::cli {

inline constexpr Option kHelp{.name = "help", .letter = 'h', .help = "show this help"};
inline constexpr Option kQuiet{.name = "quiet", .letter = 'q', .help = "no warnings, no progress; errors only"};
inline constexpr Option kVerbose{
    .name = "verbose", .letter = 'v', .help = "say on standard error what each capture was and what was read of it"};

inline constexpr Choice kColorChoices[] = {
    {"auto", "on a terminal, unless NO_COLOR is set or TERM is dumb"}, {"always", ""}, {"never", ""}};
inline constexpr Option kColor{.name = "color",
                               .argument = "WHEN",
                               .help = "colour text: auto (default), always or never; data never has colour",
                               .completion = Completion::kChoices,
                               .choices = kColorChoices};

}  // namespace rocescope::cli
