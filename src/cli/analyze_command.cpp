// `rocescope analyze`: the report of a capture.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cli/commands.hpp"
#include "cli/connection_numbers.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/html_file.hpp"
#include "cli/input_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/jobs.hpp"
#include "cli/keep.hpp"
#include "cli/packet_input.hpp"
#include "cli/partial_file.hpp"
#include "cli/perfetto_file.hpp"
#include "cli/report_options.hpp"
#include "cli/run_stats.hpp"
#include "cli/shard_options.hpp"
#include "cli/signals.hpp"
#include "cli/state_files.hpp"
#include "cli/values.hpp"
#include "render/html/html_report.hpp"
#include "render/report/report_csv.hpp"
#include "render/report/report_json.hpp"
#include "render/report/report_table.hpp"
#include "render/trace/perfetto_trace.hpp"
#include "rocescope/render.hpp"
#include "rocescope/text.hpp"
#include "tracking/moment.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kAnalyzeJson{.name = "json", .help = "the report as one JSON document"};
constexpr Option kThreads{
    .name = "threads",
    .argument = "N",
    .help = "number of threads (default: one per processor)",
    .more = R"(With two or more, files are read and their packets dissected in a thread of its own. The report is the
           same with any number.)"};

Result<ReadingAhead> reading_ahead(const Arguments& arguments) {
  std::uint64_t threads = std::thread::hardware_concurrency();
  if (const GivenOption* given = arguments.last(kThreads)) {
    const std::optional<std::uint64_t> number = parse_number(given->value, std::numeric_limits<unsigned>::max());
    if (!number || *number == 0) return wrong_value(*given, "a whole number from 1 up");
    threads = *number;
  }
  return threads > 1 ? ReadingAhead::kInOwnThread : ReadingAhead::kBatches;
}

Result<InputOptions> options_of(const Arguments& arguments) {
  Result<InputOptions> options = input_options(arguments, "analyze");
  if (!options) return options.error();
  if (std::optional<Error> error = read_track_options(arguments, options->track)) return *std::move(error);
  options->parts.icrc = !arguments.has(kNoIcrc);
  const Result<ReadingAhead> ahead = reading_ahead(arguments);
  if (!ahead) return ahead.error();
  options->ahead = *ahead;
  options->purpose = Purpose::kReport;
  return options;
}

void append_report(const Report& report, const Arguments& arguments, Output& output) {
  if (arguments.has(kAnalyzeJson)) {
    render::append_report_json(report, output.text());
  } else {
    render::append_report_text(report, output.text(), report_style(arguments, output));
  }
  output.flush();
}

/// `packets` were read.
void say_stats(const PacketInput& input, std::uint64_t packets, const RunStats& stats, Invocation& invocation) {
  const bool wanted = invocation.arguments.has(kStats);
  if (wanted || invocation.arguments.has(kAll)) report_express(input.analysis().express(), invocation.messages);
  if (wanted) stats.report(packets, input.source().position().bytes, 0, invocation.messages);
}

/// What goes together with --shard, or with --jobs.
std::optional<Error> check_shard_options(const Arguments& arguments) {
  const bool is_shard = arguments.has(kShard);
  const std::string_view name = is_shard ? kShard.name : kJobs.name;
  const auto refuse = [&](const Option& other) {
    return Error{fmt::format("--{} and --{} do not go together", name, other.name)};
  };
  if (is_shard && arguments.has(kJobs)) return refuse(kJobs);
  if (is_shard && arguments.has(kCsv)) return refuse(kCsv);  // merge writes it
  for (const Option* const option : {&kHtml, &kPerfetto}) {
    if (arguments.has(*option)) return refuse(*option);
  }
  if (!is_shard && arguments.has(kPartial)) return refuse(kPartial);
  return std::nullopt;
}

/// So that its partial result says which captures it is of, though it has none of their packets.
void name_captures(const std::vector<std::string>& files, Report& report) {
  for (const std::string& file : files) report.captures.emplace_back().info.path = file;
}

/// What finish() does, with the counts of the report: it need not be of all packets that were `read`, and may be of those that runs before
/// read. `warns_of_cut`: else `merge` warns of the cut packets of all shards.
void finish_as_reported(PacketInput& input, std::uint64_t read, const Report& report, bool warns_of_cut, bool verbose,
                        Messages& messages) {
  if (interrupted()) {
    input.finish(verbose);
    return;
  }
  input.finish_captures(verbose);
  const ReadCounts counts = counts_of(report.totals);
  if (warns_of_cut) warn_of_cut(counts, messages);
  if (verbose) note_counts(read, counts, messages);
}

/// Reads the captures for the shard. Where that is not enough, one shard reads them again as if there were no shards:
/// the first one, and the others have nothing; or the one that alone saw why.
Result<ExitCode> run_shard(const Shard& shard, const RunStats& stats, Invocation& invocation) {
  const Job job;
  if (job.is_one()) invocation.messages.write_to(job.messages());
  const Arguments& arguments = invocation.arguments;
  Result<InputOptions> options = options_of(arguments);
  if (!options) return options.error();
  const std::vector<std::string> files = options->files;
  const std::size_t most_connections = options->track.max_connections;
  const std::string inputs = fmt::format("{}", fmt::join(shard_words(arguments, *options), " "));
  std::string whole_for = reason_for_whole(*options);
  bool has_all = !whole_for.empty() && shard.is_first();
  Result<std::unique_ptr<PartialFile>> partial = PartialFile::open(arguments);
  if (!partial) return partial.error();
  BegunMessages begun;
  std::unique_ptr<PacketInput> input;
  Observations observations;
  while (whole_for.empty() || has_all) {
    if (whole_for.empty()) options->track.shard = shard;
    Result<std::unique_ptr<PacketInput>> opened = PacketInput::open(std::move(*options), invocation.messages);
    if (!opened) return opened.error();
    input = std::move(*opened);
    if (*partial && (*partial)->has_messages()) {
      partial::PartialWriter& writer = (*partial)->writer();
      Tracker& tracker = input->analysis().tracker();
      if (whole_for.empty()) {
        tracker.note_order(&begun);
        writer.note_order(tracker.moment(), begun);
      }
      input->analysis().on_message([&writer](const Connection& connection, std::size_t side, const Message& message) {
        writer.add(connection, side, message);
      });
    }
    invocation.messages.start_progress();
    observations = input->observations();
    if (input->numbers_error()) return *input->numbers_error();
    if (has_all || observations.shard.whole_for.empty() || interrupted()) break;
    whole_for = observations.shard.whole_for;
    has_all = observations.shard.has_all;
    observations = {};
    if (*partial && job.is_one()) {
      partial->reset();
      return leave_jobs(arguments.last(kPartial)->value, whole_for);
    }
    if (!has_all) break;
    options = options_of(arguments);
    if (!options) return options.error();
    if (std::optional<Error> error = check_can_be_read_twice(*options)) return *std::move(error);
    begun.clear();
    partial->reset();
    partial = PartialFile::open(arguments);
    if (!partial) return partial.error();
  }
  if (!whole_for.empty()) {
    observations.shard = {
        .count = shard.count, .numbers = {shard.number}, .inputs = {}, .whole_for = whole_for, .has_all = has_all};
  }
  observations.shard.inputs = inputs;
  std::optional<Error> partial_error;
  if (*partial && interrupted()) {
    invocation.messages.warning("no partial result is written: it would pass for the whole capture");
  } else if (*partial) {
    const bool has_nothing = !whole_for.empty() && !has_all;
    if (has_nothing) name_captures(files, observations.report);
    partial_error = (*partial)->finish(observations);
    if (has_nothing) observations.report.captures.clear();
  }
  if (!whole_for.empty()) {
    invocation.messages.warning(
        fmt::format("shard {}/{} {}, since {}", shard.number, shard.count,
                    has_all ? "follows all packets" : "has nothing: the first one follows all packets", whole_for));
  }
  if (!*partial && whole_for.empty() && shard.count > 1) {
    invocation.messages.warning(
        fmt::format("the report is of shard {}/{} alone: with --partial, `rocescope merge` puts all shards together",
                    shard.number, shard.count));
  }
  // Only the process that started several jobs draws the conclusions.
  std::optional<Report> report;
  if (!job.is_one()) append_report(report.emplace(conclude(std::move(observations))), arguments, invocation.output);
  if (input != nullptr && !report) input->finish_captures(arguments.has(kAll));  // whoever started this says the rest
  if (input != nullptr && report) {
    if (!invocation.output.error())
      finish_as_reported(*input, report->packets_read, *report, *partial == nullptr, arguments.has(kAll),
                         invocation.messages);
    say_stats(*input, report->packets_read, stats, invocation);
    if (report->evicted.crowded > 0) invocation.messages.warning(crowded_text(most_connections));
  }
  if (partial_error) return *partial_error;
  return report ? exit_code(*report, arguments) : ExitCode::kDone;
}

Result<ExitCode> run_analyze(Invocation& invocation) {
  const RunStats stats;
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  Result<InputOptions> options = options_of(arguments);
  if (!options) return options.error();
  const Result<std::optional<Shard>> shard = read_shard(arguments);
  if (!shard) return shard.error();
  const Result<std::optional<std::uint32_t>> jobs = read_jobs(arguments);
  if (!jobs) return jobs.error();
  if (*shard || *jobs) {
    if (std::optional<Error> error = check_shard_options(arguments)) return *std::move(error);
  }
  if (std::optional<Error> error = check_state_options(arguments, *options)) return *std::move(error);
  if (*shard) return run_shard(**shard, stats, invocation);
  if (*jobs) {
    if (std::optional<Error> error = check_can_be_read_twice(*options)) return *std::move(error);
    const Result<std::optional<ExitCode>> done =
        analyze_with_jobs(**jobs, *options, arguments.has(kAnalyzeJson), stats, invocation);
    if (!done) return done.error();
    if (*done) return **done;
  }
  const std::size_t most_connections = options->track.max_connections;
  const std::int64_t interval = options->track.rate_interval;
  Result<std::unique_ptr<partial::StateReader>> before = open_state(arguments);
  if (!before) return before.error();
  const bool resumes = *before != nullptr;
  const bool continues = resumes || arguments.has(kSaveState);
  const Result<std::unique_ptr<PacketInput>> input =
      continues ? PacketInput::open(std::move(*options), resumes ? &(*before)->captures() : nullptr,
                                    arguments.has(kSaveState), invocation.messages)
                : PacketInput::open(std::move(*options), invocation.messages);
  if (!input) return input.error();
  Result<std::optional<PerfettoFile>> perfetto = PerfettoFile::open(arguments, interval);
  if (!perfetto) return perfetto.error();
  Result<std::optional<HtmlFile>> html = HtmlFile::open(arguments, interval);
  if (!html) return html.error();
  Result<std::optional<CsvFolder>> csv = open_csv(arguments);
  if (!csv) return csv.error();
  Result<std::unique_ptr<PartialFile>> partial = PartialFile::open(arguments);
  if (!partial) return partial.error();
  const bool partial_messages = *partial && (*partial)->has_messages();
  Result<std::unique_ptr<StateFile>> state = StateFile::open(arguments);
  if (!state) return state.error();
  bool state_messages = *state && !arguments.has(kNoMessages);
  const bool resumed_messages = resumes && (*before)->facts().has_messages;
  MessageVisitor on_message;
  if (*csv || *perfetto || *html || partial_messages || state_messages || resumed_messages) {
    const bool wants_all = *csv || *perfetto || partial_messages || state_messages || resumed_messages;
    on_message = [&](const Connection& connection, std::size_t side, const Message& message) {
      if (state_messages) (*state)->writer().add(connection, side, message);
      if (*csv) (*csv)->add(connection, side, message);
      if (*perfetto) (*perfetto)->recorder().add(connection, side, message);
      if (partial_messages) (*partial)->writer().add(connection, side, message);
      const bool is_wanted = *html && ((*html)->wanted() == MessageChoice::kAll || !ends_well(message));
      if (is_wanted) (*html)->recorder().add(connection, side, message);
    };
    (*input)->analysis().on_message(on_message, wants_all ? MessageChoice::kAll : (*html)->wanted());
  }
  std::function<void(const PacketRecord&)> on_packet;
  if (*perfetto || *html) {
    on_packet = [&](const PacketRecord& record) {
      if (*perfetto) (*perfetto)->recorder().add(record);
      if (*html) (*html)->recorder().add(record);
    };
  }
  std::optional<Error> state_error;
  if (*state) {
    (*input)->on_end([&](const std::deque<KeptFrame>& rest) {
      state_error = (*state)->finish((*input)->analysis(), rest);
      state_messages = false;
    });
  }
  invocation.messages.start_progress();
  std::uint64_t frames_before = 0;  // of the state, also those that wait in it
  if (resumes) {
    (*input)->take_express_lane();
    if (std::optional<Error> error = (*before)->restore(on_message, (*input)->analysis())) return *std::move(error);
    frames_before = (*input)->analysis().frames() + (*before)->captures().rest.size();
  }
  const std::uint64_t crowded_before = (*input)->analysis().evicted().crowded;
  Observations observations = (*input)->observations(on_packet);
  if (*state && interrupted())
    invocation.messages.warning("no state is written: it would pass for that of the whole captures");
  std::optional<Error> partial_error;
  if (*partial && interrupted()) {
    invocation.messages.warning("no partial result is written: it would pass for the whole capture");
  } else if (*partial && !(*input)->numbers_error()) {
    partial_error = (*partial)->finish(observations);
  }
  const Report& report = keep(conclude(std::move(observations)));
  if (*csv) (*csv)->finish(report);
  std::optional<Error> trace_error;
  if (*perfetto) trace_error = (*perfetto)->finish(report, (*input)->numbers(), invocation.messages);
  std::optional<Error> html_error;
  if (*html && !(*input)->numbers_error()) {
    html_error = (*html)->finish(report, (*input)->numbers(), invocation.messages);
  }
  append_report(report, arguments, output);
  const std::uint64_t frames = (*input)->analysis().frames();
  const std::uint64_t read = !resumes ? (*input)->counts().packets : frames - std::min(frames, frames_before);
  if (!output.error()) finish_as_reported(**input, read, report, true, arguments.has(kAll), invocation.messages);
  say_stats(**input, read, stats, invocation);
  if (report.evicted.crowded > crowded_before) invocation.messages.warning(crowded_text(most_connections));
  if ((*input)->numbers_error()) return *(*input)->numbers_error();
  if (*csv && (*csv)->error()) return *(*csv)->error();
  if (trace_error) return *trace_error;
  if (html_error) return *html_error;
  if (partial_error) return *partial_error;
  if (state_error) return *state_error;
  return exit_code(report, arguments);
}

constexpr Example kAnalyzeExamples[] = {
    {"rocescope analyze lab.pcapng", "the report"},
    {"rocescope analyze --json lab.pcapng | jq .icrc", "a part of it, as JSON"},
    {"rocescope analyze -v ring-*.pcap.zst", "several files as one capture, every flow"},
    {"rocescope analyze --host 10.0.0.1 --qpn 0x11 lab.pcapng", "one queue pair of one host"},
};

constexpr const Option* kAnalyzeReport[] = {
    &kAnalyzeJson, &kCsv,    &kHtml,    &kPerfetto, &kPerfettoLimit, &kPartial,   &kNoMessages, &kResume,
    &kSaveState,   &kShard,  &kJobs,    &kFailOn,   &kCnpWindow,     &kLinkSpeed, &kInterval,   &kMaxConnections,
    &kIdleTimeout, &kNoIcrc, &kThreads, &kStats,    &kColor};
constexpr const Option* kAnalyzeGeneral[] = {&kQuiet, &kAll, &kHelp};
constexpr OptionGroup kAnalyzeOptions[] = {
    kInputOptions, kNarrowOptions, {"Report", kAnalyzeReport}, {"Other", kAnalyzeGeneral}};

const std::string& width_section() {
  static const std::string kText = fmt::format(R"(
On a terminal, long lines are wrapped at its width, and a table that is wider leaves columns out until it fits, in this
order: {}. Columns that name a row always stay: numbers, addresses, queue pairs. A line below the table says what it has left
out. Where the output is no terminal, no line is wrapped and no column is left out, unless COLUMNS is set.)",
                                               render::columns_left_out_text());
  return kText;
}

std::span<const Section> analyze_sections() {
  static const Section kSections[] = {
      {"THE REPORT", R"(
The first lines sum up the capture: how many packets, which transports, whether the invariant CRCs are right, what the
capture lost. Then come the findings, the connections, the datagrams, and how connections were set up. With -v or
--connection the report also has the states of the queue pairs, the captures, the protocols in their order of
encapsulation, the operations by opcode and the flows. Lists show 20 rows; -v shows all.

Bytes are those of whole frames on the wire; payload bytes are those of messages, without headers and pad. A flow is
all that one address sends to one queue pair of another. The PSNs of its requests and of its responses belong to
different sequences, so they are shown apart, each from the lowest to the highest; after 16777215 comes 0.)"},
      {"FINDINGS", R"(
A finding is something that an engineer should know. Each stands on a line of its own: what it says, its ID, and when
it was seen first and last, in seconds since the start. The findings of a connection stand together. The first is the
cause, such as lost packets or a receiver that is not ready; what follows from it, such as packets that were sent
again, comes after a dash. A consequence without a dash is one whose cause the capture does not show. Of several
causes, what ended the connection comes first, then what explains most. Connections come by the severity of their
worst finding, errors first, then by what it cost.

If more than three connections between two hosts have the same cause, they are summed up: how many there are, each
finding once with the sum of all, and the numbers of the three worst. With more than 20 such lines, connections of all
hosts are summed up together. -v shows each connection by itself.

Notes are only counted; -v shows them, and of every finding the first packets and a display filter for `dissect -Y`
that selects all of its packets. `rocescope explain` says what a finding means, how sure it is, why it matters and
what to do; rocescope-explain(1) has all of them. A packet that was acknowledged and not seen was missed by the
capture itself, and is never reported as lost by the network.)"},
      {"WIDTH", width_section()},
      {"CONNECTIONS", R"(
A connection is a pair of queue pairs. They are paired by the CM messages that set the connection up, or because the
responses of one flow answer what is outstanding of exactly one other flow (psn). Every packet gets a verdict from the
packets before it, as the capture point saw them. A packet that was sent again is a retransmission: because of a NAK,
of an RNR NAK or of a timeout. If its first copy was not seen, that was lost before the capture point, unless it was
overtaken or missed by the capture. If a NAK asks for a packet that was seen, that packet was lost or overtaken after
the capture point. The findings, and the columns of losses in the table, state only what the whole capture leaves no
doubt about: 18+ stands for at least 18, ~18 for about 18. A packet that was acknowledged but never seen was lost by
the capture alone. READ responses are counted apart: one that did not come here and that the requester
asked for again was lost before the capture point, one that passed and that it asked for again after it, and one that
it did not ask for again was missed by the capture. `dissect` shows the verdict on each packet.

The states of a queue pair are shown with the packet that proves each: the queue pair went there before that packet or
with it. States in parentheses are concluded from the packets of the other side, or from silence. SQD and SQE are
never shown: on the wire, a send queue that is drained or stopped by its own error looks like one without work.

Connections with the most trouble come first.)"},
      {"SHARDS", R"(
With --shard I/N, N programs read the same captures, and each follows what the host pairs of its part send. Packets that
set connections up are read by all of them; what belongs to no pair, such as PAUSE frames, counts in the first. `merge`
makes one report of their partial results, the same as without shards, byte for byte.

Some things can only be known from all packets: which packets are copies, where packets were seen more than once; what a
damaged packet was (its invariant CRC is wrong); which connections are evicted; the numbers of connections and messages,
where a condition names them; what packets are in their connections, where a filter asks for it; and where the times of
packets go back, in which order those came that a condition leaves. Then one shard follows all packets, which takes as
long as without shards: the first one, and the others have nothing. A wrong CRC is seen only by the shard that follows
its host pair: that one follows all packets, and `merge` leaves the others out. Each says so. It reads the captures from
their beginning again, so standard input will not do. With --jobs, one process reads them again then, as without --jobs.
--no-icrc lets captures be shared out that have wrong CRCs.

One analysis keeps a limited number of connections, flows, pairs of hosts and memory regions. Where the shards have more
of them together, `merge` names the limit and ends with 2: which ones one analysis would have kept depends on all
packets. With --jobs, one process follows all packets then.)"},
      {"ONE FILE AT A TIME", R"(
The files of a ring are one capture. They are of one ring if one begins within 10 s of the end of another one, and if
their names differ only in what tcpdump and dumpcap change: a number behind `.pcap`, a date, a time, a number beside
these. With --save-state a run writes down where it stands at the end of a file, and with --resume the next run goes on
from there with the next file: its report is about all files so far, byte for byte that of one run over all of them.

    rocescope analyze -q --save-state 1.state ring.pcap
    rocescope analyze -q --resume 1.state --save-state 2.state ring.pcap1
    rocescope analyze --json --resume 2.state ring.pcap2

All runs have the same options about what is counted, and are of the same program: other states are refused. Files come
in the order of their times. One that begins before the end of what was read, by more than 100 ms or 16 MiB of packets,
is refused, since one run would have read the packets of both by turns: name both in one run. A state has what is
counted and followed, all messages, and packets that wait for the next file: those of the last 100 ms, and those that
can be placed only once the next ones are known (capture points), of each at most 16 MiB.

It does not go together with --shard, --jobs, --html, --perfetto and -c, with standard input, and with conditions about
numbers (--connection, --message, --capture-point) or about fields of rocescope. Each run warns of its own captures.)"},
      {"INVARIANT CRC", R"(
An ICRC that cannot be verified (the capture cut the packet, or it is an IP fragment) does not count as bad. Some
captures write another UDP source port into every packet, most often 4791, so that all ICRCs seem bad: then rocescope
finds the port that was really sent, verifies with it, and reports it.)"},
      times_section(),
      kInputSection,
      kSelectionSection,
      kFilterSection,
      {"JSON", render::report_json_documentation()},
      {"CSV", render::report_csv_documentation()},
      {"HTML", render::html_report_documentation()},
      {"PERFETTO", render::perfetto_trace_documentation()},
  };
  return kSections;
}

}  // namespace

const Command& analyze_command() {
  static const Command kCommand{
      .name = "analyze",
      .summary = "report connections, findings, handshakes, times and rates",
      .operands = "FILE...",
      .operand_completion = Completion::kFiles,
      .examples = kAnalyzeExamples,
      .options = kAnalyzeOptions,
      .sections = analyze_sections(),
      .run = run_analyze,
  };
  return kCommand;
}

}  // namespace rocescope::cli
