// `rocescope analyze`: the report of a capture.
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "cli/commands.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/input_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/packet_input.hpp"
#include "cli/reporting.hpp"
#include "cli/values.hpp"
#include "render/report/report_csv.hpp"
#include "render/report/report_json.hpp"
#include "rocescope/render.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kJson{.name = "json", .help = "the report as one JSON document"};
constexpr Option kThreads{
    .name = "threads",
    .argument = "N",
    .help = "work in so many threads (as many as there are processors)",
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

Result<ExitCode> run(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  Result<InputOptions> options = input_options(arguments, "analyze");
  if (!options) return options.error();
  if (std::optional<Error> error = read_track_options(arguments, options->track)) return *std::move(error);
  options->parts.icrc = !arguments.has(kNoIcrc);
  const Result<ReadingAhead> ahead = reading_ahead(arguments);
  if (!ahead) return ahead.error();
  options->ahead = *ahead;
  const bool verify_icrc = options->parts.icrc;
  const std::size_t most_connections = options->track.max_connections;
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(std::move(*options), invocation.messages);
  if (!input) return input.error();
  Result<std::unique_ptr<Reporting>> reporting = Reporting::start(**input, verify_icrc, arguments);
  if (!reporting) return reporting.error();
  invocation.messages.start_progress();
  while (const PacketRecord* record = (*input)->next()) (*reporting)->add(*record);
  const Report report = (*reporting)->finish();
  if (arguments.has(kJson)) {
    render::append_report_json(report, output.text());
  } else {
    render::append_report_text(report, output.text(), report_style(arguments, output));
  }
  output.flush();
  if (!output.error()) (*input)->finish(arguments.has(kAll));
  if (report.evicted.crowded > 0) invocation.messages.warning(crowded_text(most_connections));
  if ((*reporting)->error()) return *(*reporting)->error();
  return exit_code(report, arguments);
}

constexpr Example kExamples[] = {
    {"rocescope analyze lab.pcapng", "the report"},
    {"rocescope analyze --json lab.pcapng | jq .icrc", "a part of it, as JSON"},
    {"rocescope analyze -v ring-*.pcap.zst", "several files as one capture, every flow"},
    {"rocescope analyze --host 10.0.0.1 --qpn 0x11 lab.pcapng", "one queue pair of one host"},
};

constexpr const Option* kReport[] = {&kJson,           &kCsv,         &kFailOn, &kCnpWindow, &kLinkSpeed, &kInterval,
                                     &kMaxConnections, &kIdleTimeout, &kNoIcrc, &kThreads,   &kColor};
constexpr const Option* kGeneral[] = {&kQuiet, &kAll, &kHelp};
constexpr OptionGroup kOptions[] = {kInputOptions, kNarrowOptions, {"Report", kReport}, {"Other", kGeneral}};

std::span<const Section> sections() {
  static const Section kSections[] = {
      {"THE REPORT", R"(
The first lines tell what to know at one glance: how many packets, which transports, whether the invariant CRCs are
right, what the capture lost. Then follow what went wrong, the connections, the datagrams, and how connections were
set up. With -v or --connection there are also the states that queue pairs went to, the captures, the protocols as
they carry each other, the operations by opcode and the flows. Lists show 20 rows; -v shows all.

Bytes are those of whole frames on the wire; payload bytes are those of messages, without headers and pad. A flow is
all that one address sends to one queue pair of another; the PSNs of its requests and of its responses belong to
different sequences and stand apart, each from the lowest to the highest, where numbers after 16777215 go on with 0.)"},
      {"FINDINGS", R"(
What an engineer should know, a line for each connection and direction, the worst first: errors, then warnings. Notes
are only counted; -v shows them, and of every finding when it was seen, in which packets first, and a display filter
for `dissect -Y` that shows all of them. `rocescope explain` tells of each what it means, why it matters and what to
do. What the capture itself missed is never called a loss of the network.)"},
      {"CONNECTIONS", R"(
A connection is a pair of queue pairs: paired by the CM messages that set it up, or because the responses of one flow
answer what is outstanding of exactly one other (psn). Every packet of it is judged from those before it, as the one
place saw them where the capture was made. A packet that was sent again is a retransmission: because of a NAK, of an
RNR NAK, of a timeout. Where its original had not been seen, that was lost before the capture point; where a NAK asks
for a packet that had been seen, it was lost after it. What was acknowledged and never seen was lost by the capture
alone. `dissect` shows the verdict on each packet.

The states of a queue pair stand with the packet that proves each: it went there before that packet, or with it. Those
in parentheses are concluded from the packets of the other side, or from silence. SQD and SQE are never told: no
packet tells a send queue that is drained, or stopped by an error of its own, from one that has nothing to send.

Connections with the most trouble come first. Where options leave only some of its packets, a connection is told whole
all the same.)"},
      {"INVARIANT CRC", R"(
An ICRC that cannot be verified (the capture cut the packet, or it is an IP fragment) is not a bad one. Some captures
write another UDP source port into every packet, most often 4791, so that all ICRCs seem bad: then the port that was
really sent is found, verified with, and named.)"},
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
