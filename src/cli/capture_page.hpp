// The text of rocescope-capture(7): where packets come from.
#pragma once

#include <span>
#include <string_view>

#include "cli/command.hpp"

namespace rocescope::cli {

inline constexpr std::string_view kCapturePageName = "capture";
inline constexpr std::string_view kCapturePageSummary =
    "where packets of RoCE come from, and what a capture of them lacks";

[[nodiscard]] std::span<const Section> capture_sections();

}  // namespace rocescope::cli
