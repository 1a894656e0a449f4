// Formats to the end of a text. What formats is compiled once, not wherever fmt::format_to() is used.
#pragma once

#include <fmt/core.h>

#include <string>

namespace rocescope::text {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args arguments);

template <class... Values>
void append(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  append_formatted(out, format, fmt::make_format_args(values...));
}

}  // namespace rocescope::text
