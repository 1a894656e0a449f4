#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "cli/input_sections.hpp"
#include "rocescope/times.hpp"

namespace rocescope::cli {
namespace {

std::string text() {
  std::string text =
      "\nTimes are those between packets as they passed the capture point. `rocescope explain NAME` has one alone.";
  for (std::size_t i = 0; i < kTimeKinds; ++i) {
    const auto kind = static_cast<TimeKind>(i);
    text += fmt::format("\n\n{}: {}", to_string(kind), definition_of(kind));
  }
  return text;
}

}  // namespace

Section times_section() {
  static const std::string kText = text();
  return {"TIMES", kText};
}

}  // namespace rocescope::cli
