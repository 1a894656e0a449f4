// Options that every command has.
#pragma once

#include "cli/option.hpp"

namespace rocescope::cli {

inline constexpr Option kHelp{.name = "help", .letter = 'h', .help = "show this help"};
inline constexpr Option kQuiet{.name = "quiet", .letter = 'q', .help = "no warnings, no progress"};
inline constexpr Option kVerbose{.name = "verbose",
                                 .letter = 'v',
                                 .help = "describe the captures and count what was read",
                                 .more = "On standard error, at the end."};

inline constexpr Choice kColorChoices[] = {
    {"auto", "on a terminal, unless NO_COLOR is set or TERM is dumb"}, {"always", ""}, {"never", ""}};
inline constexpr Option kColor{.name = "color",
                               .argument = "WHEN",
                               .help = "auto (default), always or never",
                               .more = "Colour in text for people; other forms of output never have it.",
                               .completion = Completion::kChoices,
                               .choices = kColorChoices};

}  // namespace rocescope::cli
