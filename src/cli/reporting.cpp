// From packets to the report.
#include "cli/reporting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/format_options.hpp"
#include "cli/values.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {

render::ReportTextOptions report_style(const Arguments& arguments, const Output& output) {
  const bool all = arguments.has(kAll);
  return {.detail = all || arguments.has(kConnection), .all = all, .color = wants_color(arguments, output)};
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
      "more than {} connections at once: those that were idle for longest were evicted, and begin anew with their next "
      "packet. --max-connections follows more",
      text::count(max_connections));
}

Result<std::unique_ptr<Reporting>> Reporting::start(PacketInput& input, bool verify_icrc, const Arguments& arguments) {
  std::unique_ptr<Reporting> self(new Reporting(input, verify_icrc));
  input.reader().tracker().on_eviction([reporting = self.get()](Eviction&& eviction) { reporting->evict(eviction); });
  if (self->counts_when_read_) {
    input.reader().on_prepared([&builder = self->builder_](const PacketRecord& record) { builder.count(record); });
  }
  const GivenOption* given = arguments.last(kCsv);
  if (given == nullptr) return self;
  Result<CsvFolder> folder = CsvFolder::open(given->value);
  if (!folder) return folder.error();
  CsvFolder& csv = self->csv_.emplace(std::move(*folder));
  input.reader().tracker().on_message([&csv](const Connection& connection, std::size_t side, const Message& message) {
    csv.ended(connection, side, message);
  });
  return self;
}

void Reporting::add(const PacketRecord& record) {
  if (!counts_when_read_) builder_.count(record);
  builder_.tell(record);
  if (csv_) csv_->packet(record.packet->frame.number);
}

void Reporting::evict(const Eviction& eviction) {
  // Another thread may be reading a file and adding to what that tells of itself.
  const ReadFacts facts{.captures = live_captures_, .packets_read = input_.counts().packets};
  if (eviction_watcher_) eviction_watcher_(eviction, facts);
  if (csv_) {
    for (const EvictedConnection& evicted : eviction.connections) {
      if (!builder_.is_told(evicted.connection.number)) continue;
      for (std::size_t side = 0; side < 2; ++side) {
        for (const Message& open : evicted.open_messages[side]) csv_->open_message(evicted.connection, side, open);
      }
    }
  }
  builder_.evict(eviction, facts);
}

Report Reporting::finish() {
  Tracker& tracker = input_.reader().tracker();
  if (csv_) {
    tracker.visit_open_messages([this](const Connection& connection, std::size_t side, const Message& message) {
      if (builder_.is_told(connection.number)) csv_->open_message(connection, side, message);
    });
  }
  Report report = std::move(builder_).finish({.captures = input_.source().info(),
                                              .packets_read = input_.counts().packets,
                                              .icrc_verified = verify_icrc_,
                                              .icrc_unsearched = input_.reader().icrc_verifier().unsearched_packets(),
                                              .tracker = &tracker});
  if (csv_) csv_->finish(report);
  return report;
}

namespace {

/// Whether something was found that is at least as severe as the user said.
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
