// Numbers in what a server answers, with a tab or the end of the line behind each.
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace rocescope::clickhouse {

/// Takes the first number away; false: there is none.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty()) text.remove_prefix(1);
  return true;
}

}  // namespace rocescope::clickhouse
