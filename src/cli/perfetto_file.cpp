#include "cli/perfetto_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/values.hpp"
#include "render/trace/perfetto_trace.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {

Result<std::optional<PerfettoFile>> PerfettoFile::open(const Arguments& arguments, std::int64_t interval) {
  constexpr std::uint64_t kUsualLimit = 100'000;
  constexpr std::uint64_t kMostLimit = 100'000'000;
  std::optional<std::uint64_t> limit = kUsualLimit;
  if (const GivenOption* given = arguments.last(kPerfettoLimit)) {
    limit = parse_number(given->value, kMostLimit);
    if (!limit) return wrong_value(*given, "a number from 0 to 100000000");
    if (arguments.last(kPerfetto) == nullptr) return Error{"--perfetto-limit needs --perfetto"};
  }
  const GivenOption* given = arguments.last(kPerfetto);
  if (given == nullptr) return std::optional<PerfettoFile>();
  const std::string& path = given->value;
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    return Error{fmt::format("{} is there already, and --perfetto overwrites nothing. Name a new file", path)};
  }
  PerfettoFile file(path, static_cast<std::size_t>(*limit), interval);
  file.file_.open(path, std::ios::binary);
  if (!file.file_) return Error{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
  return std::optional<PerfettoFile>(std::move(file));
}

std::optional<Error> PerfettoFile::finish(const Report& report, const FinalNumbers& numbers, Messages& messages) {
  const std::uint64_t left_out[] = {recorder_.messages_left_out(), recorder_.packets_left_out()};
  render::write_perfetto_trace(recorder_, report, numbers, [this](std::string_view piece) { file_ << piece; });
  file_.close();
  if (!file_) return Error{fmt::format("cannot write {}: {}", path_, std::strerror(errno))};
  if (left_out[0] + left_out[1] > 0) {
    messages.warning(fmt::format("{} lacks {} and {}. For more: --perfetto-limit", path_,
                                 text::count(left_out[0], "message"), text::count(left_out[1], "packet")));
  }
  return std::nullopt;
}

}  // namespace rocescope::cli
