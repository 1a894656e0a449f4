// `rocescope analyze`: the report of a capture.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "commands.hpp"
#include "csv_folder.hpp"
#include "format_options.hpp"
#include "general_options.hpp"
#include "input_options.hpp"
#include "input_sections.hpp"
#include "packet_input.hpp"
#include "report_builder.hpp"
#include "report_csv.hpp"
#include "report_json.hpp"
#include "report_text.hpp"
#include "values.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kJson{.name = "json", .help = "the report as one JSON document"};
constexpr Option kCsv{.name = "csv",
                      .argument = "DIR",
                      .help = "besides, each table and all messages as CSV files in DIR",
                      .more = "Nothing is overwritten: name a new or an empty folder.",
                      .completion = Completion::kFiles};
constexpr Option kNoIcrc{.name = "no-icrc", .help = "do not verify the invariant CRCs; faster"};
constexpr Choice kSeverities[] = {
    {"note", "whatever was found"}, {"warning", "warnings and errors"}, {"error", "errors"}};
constexpr Option kFailOn{.name = "fail-on",
                         .argument = "SEVERITY",
                         .help = "exit with 1 where a finding is at least this: note, warning or error",
                         .more = "For scripts. The report is the same.",
                         .completion = Completion::kChoices,
                         .choices = kSeverities};
constexpr Option kInterval{
    .name = "interval",
    .argument = "TIME",
    .help = "count rates over so long each (10ms)",
    .more =
        "With a unit (100us) or in seconds. Where a capture lasts more than 1024 of them, they are doubled "
        "until they suffice."};
constexpr Option kCnpWindow{
    .name = "cnp-window",
    .argument = "TIME",
    .help = "compare what was sent so long before and after a CNP (1ms)",
    .more =
        "With a unit (500us) or in seconds. A packet marked CE counts as notified when a CNP comes "
        "within this time."};
constexpr Option kLinkSpeed{
    .name = "link-speed",
    .argument = "RATE",
    .help = "bits per second (100G), for the paused time of PFC",
    .more =
        "PFC asks for silence in quanta of 512 bit times. Without the speed of the link only pauses "
        "that were ended are added up."};
constexpr Option kAll{
    .name = "verbose", .letter = 'v', .help = "every section and long lists in full; tell what the captures are"};

/// With `csv`, the messages go there as they pass.
Report report_on(PacketInput& input, bool verify_icrc, CsvFolder* csv) {
  ReportBuilder builder;
  if (csv != nullptr) {
    input.reader().tracker().on_message([csv](const Connection& connection, std::size_t side, const Message& message) {
      csv->ended(connection, side, message);
    });
  }
  while (const PacketRecord* record = input.next()) {
    builder.add(*record);
    if (csv != nullptr) csv->packet(record->packet->frame.number);
  }
  Tracker& tracker = input.reader().tracker();
  if (csv != nullptr) {
    tracker.visit_open_messages([&](const Connection& connection, std::size_t side, const Message& message) {
      if (builder.is_told(connection.number)) csv->open_message(connection, side, message);
    });
  }
  return std::move(builder).finish({.captures = input.source().info(),
                                    .packets_read = input.counts().packets,
                                    .icrc_verified = verify_icrc,
                                    .icrc_unsearched = input.reader().icrc_verifier().unsearched_packets(),
                                    .tracker = &tracker});
}

/// Whether something was found that is at least as severe as the user said.
bool has_finding(const Report& report, std::string_view severity) {
  Severity least = Severity::kNote;
  while (to_string(least) != severity) least = static_cast<Severity>(static_cast<int>(least) + 1);
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) { return finding.info->severity >= least; });
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
  return std::nullopt;
}

Result<ExitCode> run(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  Result<InputOptions> options = input_options(arguments, "analyze");
  if (!options) return options.error();
  if (std::optional<Error> error = read_track_options(arguments, options->track)) return *std::move(error);
  options->parts.icrc = !arguments.has(kNoIcrc);
  const bool verify_icrc = options->parts.icrc;
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(std::move(*options), invocation.messages);
  if (!input) return input.error();
  std::optional<CsvFolder> csv;
  if (const GivenOption* given = arguments.last(kCsv)) {
    Result<CsvFolder> folder = CsvFolder::open(given->value);
    if (!folder) return folder.error();
    csv.emplace(std::move(*folder));
  }
  invocation.messages.start_progress();
  const Report report = report_on(**input, verify_icrc, csv ? &*csv : nullptr);
  if (csv) {
    if (std::optional<Error> error = csv->finish(report)) return *std::move(error);
  }
  if (arguments.has(kJson)) {
    render::append_report_json(report, output.text());
  } else {
    const bool all = arguments.has(kAll);
    render::append_report_text(
        report, {.detail = all || arguments.has(kConnection), .all = all, .color = wants_color(arguments, output)},
        output.text());
  }
  output.flush();
  if (!output.error()) (*input)->finish(arguments.has(kAll));
  const GivenOption* fail_on = arguments.last(kFailOn);
  const bool failed = fail_on != nullptr && has_finding(report, fail_on->value);
  return failed ? ExitCode::kFinding : ExitCode::kDone;
}

constexpr Example kExamples[] = {
    {"rocescope analyze lab.pcapng", "the report"},
    {"rocescope analyze --json lab.pcapng | jq .icrc", "a part of it, as JSON"},
    {"rocescope analyze -v ring-*.pcap.zst", "several files as one capture, every flow"},
    {"rocescope analyze --host 10.0.0.1 --qpn 0x11 lab.pcapng", "one queue pair of one host"},
};

constexpr const Option* kReport[] = {&kJson, &kCsv, &kFailOn, &kCnpWindow, &kLinkSpeed, &kInterval, &kNoIcrc, &kColor};
constexpr const Option* kGeneral[] = {&kQuiet, &kAll, &kHelp};
constexpr OptionGroup kOptions[] = {kInputOptions, kNarrowOptions, {"Report", kReport}, {"Other", kGeneral}};

std::span<const Section> sections() {
  static const Section kSections[] = {
      {"THE REPORT",
       "The first lines tell what to know at one glance: how many packets, which transports, whether the invariant "
       "CRCs are right, what the capture lost. Then follow what went wrong, the connections, the datagrams, and how "
       "connections were set up. With -v or --connection there are also the states that queue pairs went to, the "
       "captures, "
       "the protocols as they carry each other, the operations by opcode and the flows. Lists show 20 rows; -v shows "
       "all.\n\n"
       "Bytes are those of whole frames on the wire; payload bytes are those of messages, without headers and pad. A "
       "flow is all that one address sends to one queue pair of another; the PSNs of its requests and of its responses "
       "belong to different sequences and stand apart, each from the lowest to the highest, where numbers after "
       "16777215 go on with 0."},
      {"FINDINGS",
       "What an engineer should know, a line for each connection and direction, the worst first: errors, then "
       "warnings. "
       "Notes are only counted; -v shows them, and of every finding when it was seen, in which packets first, and a "
       "display filter for `dissect -Y` that shows all of them. `rocescope explain` tells of each what it means, why "
       "it "
       "matters and what to do. What the capture itself missed is never called a loss of the network."},
      {"CONNECTIONS",
       "A connection is a pair of queue pairs: paired by the CM messages that set it up, or because the responses of "
       "one "
       "flow answer what is outstanding of exactly one other (psn). Every packet of it is judged from those before it, "
       "as "
       "the one place saw them where the capture was made. A packet that was sent again is a retransmission: because "
       "of a "
       "NAK, of an RNR NAK, of a timeout. Where its original had not been seen, that was lost before the capture "
       "point; "
       "where a NAK asks for a packet that had been seen, it was lost after it. What was acknowledged and never seen "
       "was "
       "lost by the capture alone. `dissect` shows the verdict on each packet.\n\n"
       "The states of a queue pair stand with the packet that proves each: it went there before that packet, or with "
       "it. "
       "Those in parentheses are concluded from the packets of the other side, or from silence. SQD and SQE are never "
       "told: no packet tells a send queue that is drained, or stopped by an error of its own, from one that has "
       "nothing "
       "to send.\n\n"
       "Connections with the most trouble come first. Where options leave only some of its packets, a connection is "
       "told "
       "whole all the same."},
      {"INVARIANT CRC",
       "An ICRC that cannot be verified (the capture cut the packet, or it is an IP fragment) is not a bad one. Some "
       "captures write another UDP source port into every packet, most often 4791, so that all ICRCs seem bad: then "
       "the port that was really sent is found, verified with, and named."},
      kInputSection,
      kFilterSection,
      {"JSON", render::report_json_documentation()},
      {"CSV", render::report_csv_documentation()},
  };
  return kSections;
}

}  // namespace

const Command& analyze_command() {
  static const Command kCommand{
      .name = "analyze",
      .summary = "report protocols, operations, connections, flows, CM messages and ICRCs",
      .operands = "FILE...",
      .operand_completion = Completion::kFiles,
      .examples = kExamples,
      .options = kOptions,
      .sections = sections(),
      .run = run,
  };
  return kCommand;
}

}  // namespace rocescope::cli
