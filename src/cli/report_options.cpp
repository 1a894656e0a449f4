#include "cli/report_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/format_options.hpp"
#include "cli/input_options.hpp"
#include "cli/values.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {

render::ReportTextOptions report_style(const Arguments& arguments, const Output& output) {
  const bool all = arguments.has(kAll);
  return {.detail = all || arguments.has(kConnection),
          .all = all,
          .color = wants_color(arguments, output),
          .width = terminal_width().value_or(0)};
}

std::optional<Error> read_track_options(const Arguments& arguments, TrackOptions& track) {
  if (const GivenOption* given = arguments.last(kInterval)) {
    const std::optional<std::int64_t> interval = parse_duration(given->value);
    if (!interval) return wrong_value(*given, "a time such as 10ms, up to a day");
    track.rate_interval = *interval;
  }
  if (const GivenOption* given = arguments.last(kCnpWindow)) {
    const std::optional<std::int64_t> window = parse_duration(given->value);
    if (!window) return wrong_value(*given, "a time such as 500us, up to a day");
    track.cnp_window = *window;
  }
  if (const GivenOption* given = arguments.last(kLinkSpeed)) {
    const std::optional<std::uint64_t> speed = parse_bit_rate(given->value);
    if (!speed) return wrong_value(*given, "bits per second such as 100G, up to 10T");
    track.link_speed = *speed;
  }
  if (const GivenOption* given = arguments.last(kMaxConnections)) {
    constexpr std::uint64_t kMost = 16'777'216;
    const std::optional<std::uint64_t> most = parse_number(given->value, kMost);
    if (!most || *most == 0) return wrong_value(*given, "a number from 1 to 16777216");
    track.max_connections = static_cast<std::size_t>(*most);
    track.idle_timeout = kUsualIdleTimeout;
  }
  if (const GivenOption* given = arguments.last(kIdleTimeout)) {
    const std::optional<std::int64_t> timeout = parse_duration(given->value);
    if (!timeout) return wrong_value(*given, "a time such as 600s, up to a day");
    track.idle_timeout = *timeout;
  }
  return std::nullopt;
}

std::string crowded_text(std::size_t max_connections) {
  return fmt::format(
      "more than {} connections at once: the longest idle ones were evicted, and count as new from their next packet. To follow more: --max-connections",
      text::count(max_connections));
}

Result<std::optional<CsvFolder>> open_csv(const Arguments& arguments) {
  const GivenOption* given = arguments.last(kCsv);
  if (given == nullptr) return std::optional<CsvFolder>();
  Result<CsvFolder> folder = CsvFolder::open(given->value);
  if (!folder) return folder.error();
  return std::optional<CsvFolder>(std::move(*folder));
}

namespace {

/// Whether a finding has the severity that --fail-on names, or a higher one.
bool has_finding(const Report& report, std::string_view severity) {
  Severity least = Severity::kNote;
  while (to_string(least) != severity) least = static_cast<Severity>(static_cast<int>(least) + 1);
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) { return finding.info->severity >= least; });
}

}  // namespace

ExitCode exit_code(const Report& report, const Arguments& arguments) {
  const GivenOption* fail_on = arguments.last(kFailOn);
  return fail_on != nullptr && has_finding(report, fail_on->value) ? ExitCode::kFinding : ExitCode::kDone;
}

}  // namespace rocescope::cli
