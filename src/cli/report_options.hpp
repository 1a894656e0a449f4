// Options about the report of a capture, from a file or live.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/csv_folder.hpp"
#include "cli/exit_code.hpp"
#include "cli/option.hpp"
#include "cli/output.hpp"
#include "rocescope/render.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::cli {

inline constexpr Option kCsv{.name = "csv",
                             .argument = "DIR",
                             .help = "also write all tables and messages as CSV files to DIR",
                             .more = "Files are never overwritten: name a new or an empty folder.",
                             .completion = Completion::kFiles};
inline constexpr Option kNoIcrc{.name = "no-icrc", .help = "do not verify the invariant CRCs; faster"};
inline constexpr Choice kSeverities[] = {
    {"note", "any finding"}, {"warning", "warnings and errors"}, {"error", "errors"}};
inline constexpr Option kFailOn{
    .name = "fail-on",
    .argument = "SEVERITY",
    .help = "exit with 1 if a finding is at least SEVERITY",
    .more =
        "For scripts: the exit code is 1 if there is a finding of this severity or a higher one. The report does not change.",
    .completion = Completion::kChoices,
    .choices = kSeverities};
inline constexpr Option kInterval{
    .name = "interval",
    .argument = "TIME",
    .help = "length of the intervals of rates (10ms)",
    .more = R"(With a unit (100us) or in seconds. If a capture lasts more than 1024 intervals, their length is doubled
           until it does not.)"};
inline constexpr Option kCnpWindow{
    .name = "cnp-window",
    .argument = "TIME",
    .help = "compare what was sent in this time before and after a CNP (1ms)",
    .more = R"(With a unit (500us) or in seconds. A packet marked CE counts as notified when a CNP comes within this
           time.)"};
inline constexpr Option kLinkSpeed{
    .name = "link-speed",
    .argument = "RATE",
    .help = "bits per second (100G), to compute the paused time of PFC",
    .more =
        R"(PFC counts pauses in quanta of 512 bit times. Without the link speed, the paused time includes only
           pauses that a frame ended.)"};
inline constexpr std::size_t kLiveMaxConnections = 524'288;
inline constexpr std::int64_t kUsualIdleTimeout = 600'000'000'000;  ///< ns
inline constexpr Option kMaxConnections{
    .name = "max-connections",
    .argument = "N",
    .help = "follow at most N connections at a time (live: 524288)",
    .more = R"(Bounds the memory: half a million idle connections take less than a gibibyte. If there are more, the
           longest idle ones are evicted, as with --idle-timeout, with a warning.)"};
inline constexpr Option kIdleTimeout{
    .name = "idle-timeout",
    .argument = "TIME",
    .help = "evict connections that are idle for this time (live: 600s)",
    .more = R"(With a unit or in seconds. The report adds up the counts of evicted connections; a later packet of
           their queue pairs begins a new connection. Time is the time of the packets; a single packet whose
           time is further than this from the others' does not advance it. `analyze` evicts none without this
           option or --max-connections.)"};
inline constexpr Option kAll{
    .name = "verbose", .letter = 'v', .help = "every section and long lists in full; describe the captures"};

/// The style of the text report on `output`, by -v, --connection and --color.
[[nodiscard]] render::ReportTextOptions report_style(const Arguments& arguments, const Output& output);

/// Reads --interval, --cnp-window, --link-speed, --max-connections and --idle-timeout into `track`.
[[nodiscard]] std::optional<Error> read_track_options(const Arguments& arguments, TrackOptions& track);

/// The folder that --csv names, if given. Fails if it cannot be made.
[[nodiscard]] Result<std::optional<CsvFolder>> open_csv(const Arguments& arguments);

/// The warning that connections were evicted to make room.
[[nodiscard]] std::string crowded_text(std::size_t max_connections);

/// kFinding if the report has a finding of the severity that --fail-on names, or of a higher one.
[[nodiscard]] ExitCode exit_code(const Report& report, const Arguments& arguments);

}  // namespace rocescope::cli
