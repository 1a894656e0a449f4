// Sizes on the command line.
#include <charconv>
#include <limits>
#include <string_view>

#include "core/options.hpp"

namespace rocescope::rdmagen {

std::optional<std::uint64_t> parse_size(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  if (unit.empty()) return stop == end ? std::optional(value) : std::nullopt;
  if (unit.size() != 1) return std::nullopt;
  unsigned shift = 0;
  switch (unit[0]) {
    case 'k':
    case 'K':
      shift = 10;
      break;
    case 'm':
    case 'M':
      shift = 20;
      break;
    case 'g':
    case 'G':
      shift = 30;
      break;
    default:
      return std::nullopt;
  }
  if (value > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return value << shift;
}

}  // namespace rocescope::rdmagen
