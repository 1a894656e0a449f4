#include "cli/credentials.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace rocescope::cli {
namespace {

/// They become lines of an HTTP request.
bool has_control_character(std::string_view text) {
  return text.find_first_of(std::string_view("\0\r\n", 3)) != std::string_view::npos;
}

std::optional<Error> read_credentials_file(const std::string& path, clickhouse::Access& access) {
  struct stat status {};
  std::ifstream file(path);
  if (!file || ::stat(path.c_str(), &status) != 0) {
    return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  }
  if (S_ISREG(status.st_mode) && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error{fmt::format("other users may read or change {}, which has a password: chmod 600 {}", path, path)};
  }
  std::string line;
  while (std::getline(file, line)) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    constexpr std::string_view kUser = "user=";
    constexpr std::string_view kPassword = "password=";
    if (line.starts_with(kUser)) {
      access.user = line.substr(kUser.size());
    } else if (line.starts_with(kPassword)) {
      access.password = line.substr(kPassword.size());
    } else {
      return Error{fmt::format("{} has a line that is neither user=NAME nor password=SECRET", path)};
    }
  }
  if (file.bad()) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  if (!access.user) return Error{fmt::format("{} has no line user=NAME", path)};
  return std::nullopt;
}

}  // namespace

std::optional<Error> read_credentials(const GivenOption* file, clickhouse::Access& access) {
  if (file != nullptr) {
    if (std::optional<Error> error = read_credentials_file(file->value, access)) return error;
  } else {
    const char* const user = std::getenv("CLICKHOUSE_USER");
    const char* const password = std::getenv("CLICKHOUSE_PASSWORD");
    if (user != nullptr || password != nullptr) access.user = user == nullptr ? "default" : user;
    if (password != nullptr) access.password = password;
  }
  if (has_control_character(access.user.value_or("")) || has_control_character(access.password)) {
    return Error{"a user or a password with a line break in it is none"};
  }
  return std::nullopt;
}

}  // namespace rocescope::cli
