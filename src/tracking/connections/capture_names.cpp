#include "tracking/connections/capture_names.hpp"

#include <algorithm>

namespace rocescope {
namespace {

// Digits.
constexpr std::size_t kDate = 8;  // 20260101
constexpr std::size_t kTime = 6;  // 120000
constexpr std::size_t kDateAndMinute = 12;
constexpr std::size_t kDateAndTime = 14;
constexpr std::size_t kSince1970 = 10;  // 1767225600
constexpr std::size_t kFileNumber = 5;  // at least, of dumpcap

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::string_view without_packing(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst", ".lz4"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  return path;
}

/// A number of a name, with what stands before it.
struct Numbered {
  std::string_view before;
  std::string_view digits;  ///< empty at the end
};

/// The parts of the name; the last one has what is behind its numbers.
std::vector<Numbered> parts_of(std::string_view path) {
  std::vector<Numbered> parts;
  while (true) {
    const auto begin = std::ranges::find_if(path, is_digit);
    const auto end = std::find_if_not(begin, path.end(), is_digit);
    parts.push_back({std::string_view(path.begin(), begin), std::string_view(begin, end)});
    if (begin == path.end()) return parts;
    path = std::string_view(end, path.end());
  }
}

bool is_suffix(std::string_view text) {
  return text.ends_with(".pcap") || text.ends_with(".pcapng") || text.ends_with(".cap");
}

/// Numbers of other things may be as long, such as an Ethernet address.
bool is_date(std::string_view digits) {
  if (digits.size() == kSince1970) return digits.starts_with('1');
  const bool is_as_long = digits.size() == kDate || digits.size() == kDateAndMinute || digits.size() == kDateAndTime;
  return is_as_long && digits.starts_with("20");
}

/// Whether these are two digits, as strftime() writes a number from `least` to `most`.
bool is_of_two_digits(std::string_view digits, unsigned least, unsigned most) {
  if (digits.size() != 2) return false;
  const auto value = static_cast<unsigned>((digits[0] - '0') * 10 + (digits[1] - '0'));
  return value >= least && value <= most;
}

bool is_one_of(std::string_view text, std::string_view characters) {
  return text.size() == 1 && characters.find(text[0]) != std::string_view::npos;
}

/// How many numbers from this one on are a date with its parts apart, and the time behind it: 2026-01-31, 2026-01-31_12:00:00. An hour
/// alone is none: it may be the number of a host.
std::size_t written_date(const std::vector<Numbered>& parts, std::size_t place) {
  constexpr unsigned kMonths = 12;
  constexpr unsigned kDays = 31;
  constexpr unsigned kHours = 23;
  constexpr unsigned kMinutes = 59;
  constexpr unsigned kSeconds = 60;
  const auto digits = [&](std::size_t behind) {
    return place + behind < parts.size() ? parts[place + behind].digits : std::string_view();
  };
  const auto before = [&](std::size_t behind) {
    return place + behind < parts.size() ? parts[place + behind].before : std::string_view();
  };
  const bool is_date = digits(0).size() == 4 && digits(0).starts_with("20") &&
                       is_of_two_digits(digits(1), 1, kMonths) && is_of_two_digits(digits(2), 1, kDays) &&
                       is_one_of(before(1), "-_.") && before(2) == before(1);
  if (!is_date) return 0;
  if (!is_one_of(before(3), "-_.T ")) return 3;
  if (digits(3).size() == kTime) return 4;
  const bool has_minute = is_of_two_digits(digits(3), 0, kHours) && is_of_two_digits(digits(4), 0, kMinutes) &&
                          is_one_of(before(4), ":-_.");
  if (!has_minute) return 3;
  return is_of_two_digits(digits(5), 0, kSeconds) && before(5) == before(4) ? 6 : 5;
}

bool is_in_written_date(const std::vector<Numbered>& parts, std::size_t place) {
  constexpr std::size_t kLongest = 6;
  for (std::size_t back = 0; back <= std::min(place, kLongest - 1); ++back) {
    if (written_date(parts, place - back) > back) return true;
  }
  return false;
}

/// Whether a program that rotates files changes this number.
bool is_rotating(const std::vector<Numbered>& parts, std::size_t place) {
  const Numbered& part = parts[place];
  const std::string_view behind = parts[place + 1].before;
  const std::string_view next = parts[place + 1].digits;
  if (is_suffix(part.before) && behind.empty() && next.empty()) return true;
  if (is_date(part.digits) || is_in_written_date(parts, place)) return true;
  if (part.digits.size() == kTime && place > 0 && parts[place - 1].digits.size() == kDate && part.before.size() == 1)
    return true;
  const bool is_before_date = behind == "_" && next.size() == kDateAndTime && part.before.ends_with('_');
  const bool is_behind_date = place > 0 && part.before == "_" && parts[place - 1].digits.size() == kDateAndTime;
  return part.digits.size() >= kFileNumber && (is_before_date || is_behind_date);
}

}  // namespace

std::vector<std::string> capture_names(std::string path) {
  path.resize(without_packing(path).size());
  const std::size_t file = path.rfind('/') + 1;  // 0 where there is none
  std::string bare = path;
  bare.erase(std::remove_if(bare.begin() + static_cast<std::ptrdiff_t>(file), bare.end(), is_digit), bare.end());
  std::vector<std::string> names{bare};
  for (std::size_t i = file; i < path.size(); ++i) {
    const bool ends_number = is_digit(path[i]) && (i + 1 == path.size() || !is_digit(path[i + 1]));
    if (ends_number) names.push_back(path.substr(0, i + 1) + '\0' + bare);
  }
  return names;
}

bool are_rotated(std::string_view a, std::string_view b) {
  a = without_packing(a);
  b = without_packing(b);
  if (a.substr(0, a.rfind('/') + 1) != b.substr(0, b.rfind('/') + 1)) return false;
  const std::vector<Numbered> first = parts_of(a);
  const std::vector<Numbered> second = parts_of(b);
  const std::vector<Numbered>& longer = first.size() < second.size() ? second : first;
  const std::vector<Numbered>& other = first.size() < second.size() ? first : second;
  for (std::size_t i = 0; i + 1 < longer.size(); ++i) {
    // The first file that tcpdump writes has no number behind its suffix.
    if (i + 1 == other.size())
      return i + 2 == longer.size() && longer[i].before == other[i].before && is_rotating(longer, i);
    if (longer[i].before != other[i].before) return false;
    if (longer[i].digits != other[i].digits && !(is_rotating(longer, i) && is_rotating(other, i))) return false;
  }
  return longer.size() == other.size() && longer.back().before == other.back().before && a != b;
}

}  // namespace rocescope
