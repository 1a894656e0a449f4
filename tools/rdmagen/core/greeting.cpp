#include "core/greeting.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <vector>

namespace rocescope::rdmagen {
namespace {

constexpr std::string_view kStart = "rdmagen 1 ";

template <typename T>
bool parse_number(std::string_view text, int base, T& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && stop == text.data() + text.size();
}

std::optional<Job> parse_job(std::string_view hex) {
  if (hex.size() != 2 * kJobBytes) return std::nullopt;
  std::vector<std::uint8_t> bytes(kJobBytes);
  for (std::size_t i = 0; i < kJobBytes; ++i) {
    if (!parse_number(hex.substr(2 * i, 2), 16, bytes[i])) return std::nullopt;
  }
  return decode_job(bytes);
}

}  // namespace

std::string to_line(const Greeting& greeting) {
  std::string line = fmt::format("{}{}", kStart, greeting.word);
  if (!greeting.gid.empty()) line += fmt::format(" gid={} qpn={}", greeting.gid, greeting.qpn);
  if (greeting.job) {
    line += " job=";
    for (const std::uint8_t byte : encode(*greeting.job)) line += fmt::format("{:02x}", byte);
  }
  if (!greeting.why.empty()) line += ' ' + greeting.why;
  return line + '\n';
}

std::optional<Greeting> parse_greeting(const std::string& line) {
  if (!line.starts_with(kStart)) return std::nullopt;
  std::istringstream words(line.substr(kStart.size()));
  Greeting greeting;
  words >> greeting.word;
  if (greeting.word == "error") {
    std::getline(words >> std::ws, greeting.why);
    return greeting;
  }
  for (std::string word; words >> word;) {
    const std::string_view all = word;
    if (all.starts_with("gid=")) {
      greeting.gid = all.substr(4);
    } else if (all.starts_with("qpn=")) {
      if (!parse_number(all.substr(4), 10, greeting.qpn) || greeting.qpn > 0xffffff) return std::nullopt;
    } else if (all.starts_with("job=")) {
      greeting.job = parse_job(all.substr(4));
      if (!greeting.job) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  const bool complete = (greeting.word == "exchange" && greeting.job && !greeting.gid.empty()) ||
                        (greeting.word == "tcp" && greeting.job) || greeting.word == "ok" || greeting.word == "done";
  return complete ? std::optional(greeting) : std::nullopt;
}

}  // namespace rocescope::rdmagen
