// Options about the report of a capture, and its making: of a capture that was read, or of one that is read while it is made.
#pragma once

#include <memory>
#include <optional>

#include "arguments.hpp"
#include "csv_folder.hpp"
#include "exit_code.hpp"
#include "option.hpp"
#include "output.hpp"
#include "packet_input.hpp"
#include "report_builder.hpp"
#include "report_text.hpp"
#include "rocescope/record.hpp"
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
    .more =
        "With a unit (100us) or in seconds. Where a capture lasts more than 1024 of them, they are doubled "
        "until they suffice."};
inline constexpr Option kCnpWindow{
    .name = "cnp-window",
    .argument = "TIME",
    .help = "compare what was sent so long before and after a CNP (1ms)",
    .more =
        "With a unit (500us) or in seconds. A packet marked CE counts as notified when a CNP comes "
        "within this time."};
inline constexpr Option kLinkSpeed{
    .name = "link-speed",
    .argument = "RATE",
    .help = "bits per second (100G), for the paused time of PFC",
    .more =
        "PFC asks for silence in quanta of 512 bit times. Without the speed of the link only pauses "
        "that were ended are added up."};
inline constexpr Option kAll{
    .name = "verbose", .letter = 'v', .help = "every section and long lists in full; tell what the captures are"};

/// How -v, --connection and --color want the report as text on `output`.
[[nodiscard]] render::ReportTextOptions report_style(const Arguments& arguments, const Output& output);

/// What --interval, --cnp-window and --link-speed say.
[[nodiscard]] std::optional<Error> read_track_options(const Arguments& arguments, TrackOptions& track);

/// Makes the report of the packets that an input gives, and the folder that --csv names while they pass.
class Reporting {
 public:
  /// `input` must outlive it. Fails when the folder of --csv cannot be made.
  [[nodiscard]] static Result<std::unique_ptr<Reporting>> start(PacketInput& input, bool verify_icrc,
                                                                const Arguments& arguments);

  [[nodiscard]] const ReportBuilder& builder() const noexcept { return builder_; }
  /// A packet that `input` gave.
  void add(const PacketRecord& record);
  /// Takes what `input` knows: nothing can be added then. Writes the folder of --csv.
  [[nodiscard]] Report finish();
  /// Why the folder of --csv could not be written, if so. The report is whole all the same.
  [[nodiscard]] std::optional<Error> error() const { return csv_ ? csv_->error() : std::nullopt; }

 private:
  Reporting(PacketInput& input, bool verify_icrc) : input_(input), verify_icrc_(verify_icrc) {}

  PacketInput& input_;
  bool verify_icrc_;
  ReportBuilder builder_;
  std::optional<CsvFolder> csv_;
};

/// kFinding where the report has what --fail-on names.
[[nodiscard]] ExitCode exit_code(const Report& report, const Arguments& arguments);

}  // namespace rocescope::cli
