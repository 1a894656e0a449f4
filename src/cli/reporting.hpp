// Options about the report of a capture, and its making: of a capture that was read, or of one that is read while it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "analysis/report_builder.hpp"
#include "cli/arguments.hpp"
#include "cli/csv_folder.hpp"
#include "cli/exit_code.hpp"
#include "cli/option.hpp"
#include "cli/output.hpp"
#include "cli/packet_input.hpp"
#include "rocescope/record.hpp"
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

/// What to say when connections were evicted to make room.
[[nodiscard]] std::string crowded_text(std::size_t max_connections);

/// Makes the report of the packets that an input gives, and the folder that --csv names while they pass.
class Reporting {
 public:
  /// `input` must outlive it. Fails when the folder of --csv cannot be made.
  [[nodiscard]] static Result<std::unique_ptr<Reporting>> start(PacketInput& input, bool verify_icrc,
                                                                const Arguments& arguments);

  [[nodiscard]] const ReportBuilder& builder() const noexcept { return builder_; }
  /// Another thread may be counting into it, where an error ends all.
  ~Reporting() { input_.reader().stop(); }
  Reporting(const Reporting&) = delete;
  Reporting& operator=(const Reporting&) = delete;

  /// A packet that `input` gave.
  void add(const PacketRecord& record);
  /// Takes what `input` knows: nothing can be added then. Writes the folder of --csv.
  [[nodiscard]] Report finish();
  /// Why the folder of --csv could not be written, if so. The report is whole all the same.
  [[nodiscard]] std::optional<Error> error() const { return csv_ ? csv_->error() : std::nullopt; }
  /// Shows `watcher` what is evicted from now on. `captures` tell what was lost while capturing; they must outlive it.
  void on_eviction(std::span<const CaptureInfo> captures,
                   std::function<void(const Eviction&, const ReadFacts&)> watcher) {
    live_captures_ = captures;
    eviction_watcher_ = std::move(watcher);
  }

 private:
  Reporting(PacketInput& input, bool verify_icrc)
      : input_(input), verify_icrc_(verify_icrc), counts_when_read_(!input.is_narrowed() && !input.evicts()) {}
  void evict(const Eviction& eviction);

  PacketInput& input_;
  bool verify_icrc_;
  bool counts_when_read_;  ///< else behind the narrowing, and together with what evictions take away
  ReportBuilder builder_;
  std::optional<CsvFolder> csv_;
  std::function<void(const Eviction&, const ReadFacts&)> eviction_watcher_;
  std::span<const CaptureInfo> live_captures_;
};

/// kFinding where the report has what --fail-on names.
[[nodiscard]] ExitCode exit_code(const Report& report, const Arguments& arguments);

}  // namespace rocescope::cli
