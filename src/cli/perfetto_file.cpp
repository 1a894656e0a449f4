#include "cli/perfetto_file.hpp"

#include <fmt/format.h>

#include <string_view>
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
  Result<NewFile> file = NewFile::create(*given);
  if (!file) return file.error();
  return std::optional<PerfettoFile>(PerfettoFile(std::move(*file), static_cast<std::size_t>(*limit), interval));
}

std::optional<Error> PerfettoFile::finish(const Report& report, const FinalNumbers& numbers, Messages& messages) {
  const std::uint64_t left_out[] = {recorder_.messages_left_out(), recorder_.packets_left_out()};
  render::write_perfetto_trace(recorder_, report, numbers, [this](std::string_view piece) { file_.write(piece); });
  if (std::optional<Error> error = file_.finish()) return error;
  if (left_out[0] + left_out[1] > 0) {
    messages.warning(fmt::format("{} lacks {} and {}. For more: --perfetto-limit", file_.path(),
                                 text::count(left_out[0], "message"), text::count(left_out[1], "packet")));
  }
  return std::nullopt;
}

}  // namespace rocescope::cli
