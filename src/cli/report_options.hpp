// Options about the report of a capture, whether it was kept or is live.
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
                             .help = "besides, each table and all messages as CSV files in DIR",
                             .more = "Nothing is overwritten: name a new or an empty folder.",
                             .completion = Completion::kFiles};
inline constexpr Option kNoIcrc{.name = "no-icrc", .help = "do not verify the invariant CRCs; faster"};
inline constexpr Choice kSeverities[] = {
    {"note", "whatever was found"}, {"warning", "warnings and errors"}, {"error", "errors"}};
inline constexpr Option kFailOn{.name = "fail-on",
                                .argument = "SEVERITY",
                                .help = "exit with 1 where a finding is at least this: note, warning or error",
                                .more = "For scripts. The report is the same.",
                                .completion = Completion::kChoices,
                                .choices = kSeverities};
inline constexpr Option kInterval{
    .name = "interval",
    .argument = "TIME",
    .help = "count rates over so long each (10ms)",
    .more = R"(With a unit (100us) or in seconds. Where a capture lasts more than 1024 of them, they are doubled until
           they suffice.)"};
inline constexpr Option kCnpWindow{
    .name = "cnp-window",
    .argument = "TIME",
    .help = "compare what was sent so long before and after a CNP (1ms)",
    .more = R"(With a unit (500us) or in seconds. A packet marked CE counts as notified when a CNP comes within this
           time.)"};
inline constexpr Option kLinkSpeed{
    .name = "link-speed",
    .argument = "RATE",
    .help = "bits per second (100G), for the paused time of PFC",
    .more =
        R"(PFC asks for silence in quanta of 512 bit times. Without the speed of the link only pauses that were ended
           are added up.)"};
inline constexpr std::size_t kLiveMaxConnections = 524'288;
inline constexpr std::int64_t kUsualIdleTimeout = 600'000'000'000;  ///< ns
inline constexpr Option kMaxConnections{
    .name = "max-connections",
    .argument = "N",
    .help = "follow at most N connections at a time (live: 524288)",
    .more = R"(Bounds the memory: half a million idle ones take less than a gibibyte. If there are more, those
           that were idle for longest are evicted, as with --idle-timeout, and a warning says so.)"};
inline constexpr Option kIdleTimeout{
    .name = "idle-timeout",
    .argument = "TIME",
    .help = "evict connections without packets for so long (live: 600s)",
    .more = R"(With a unit or in seconds. The report adds up their counts; a later packet of their queue
           pairs begins a new connection. Time is that of the packets, and one that is further from the
           others than this does not count alone. `analyze` evicts none without this option or
           --max-connections.)"};
inline constexpr Option kAll{
    .name = "verbose", .letter = 'v', .help = "every section and long lists in full; describe the captures"};

/// How -v, --connection and --color want the report as text on `output`.
[[nodiscard]] render::ReportTextOptions report_style(const Arguments& arguments, const Output& output);

/// What --interval, --cnp-window, --link-speed, --max-connections and --idle-timeout say.
[[nodiscard]] std::optional<Error> read_track_options(const Arguments& arguments, TrackOptions& track);

/// The folder that --csv names, where it does. Fails when it cannot be made.
[[nodiscard]] Result<std::optional<CsvFolder>> open_csv(const Arguments& arguments);

/// What to say when connections were evicted to make room.
[[nodiscard]] std::string crowded_text(std::size_t max_connections);

/// kFinding where the report has what --fail-on names.
[[nodiscard]] ExitCode exit_code(const Report& report, const Arguments& arguments);

}  // namespace rocescope::cli
