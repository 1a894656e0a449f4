// `rocescope live`: capture and analyse at once.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "capture/recorder.hpp"
#include "cli/commands.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/live_options.hpp"
#include "cli/live_screen.hpp"
#include "cli/live_session.hpp"
#include "cli/packet_input.hpp"
#include "cli/privileges.hpp"
#include "cli/program.hpp"
#include "cli/report_options.hpp"
#include "cli/run_stats.hpp"
#include "cli/signals.hpp"
#include "cli/values.hpp"
#include "metrics/live_metrics.hpp"
#include "render/report/live_json.hpp"
#include "rocescope/live.hpp"
#include "rocescope/render.hpp"
#include "rocescope/text.hpp"
#include "schema/names/protocol_names.hpp"
#include "terminal/terminal.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kLiveJson{.name = "json",
                           .help = "NDJSON: what is new, every --every; at the end the report",
                           .more = "JSON below describes the lines."};
constexpr Option kEvery{.name = "every",
                        .argument = "TIME",
                        .help = "update the screen, --json and --metrics this often (1s)",
                        .more = "With a unit (100ms) or in seconds."};
constexpr Option kMetrics{
    .name = "metrics",
    .argument = "ADDRESS:PORT",
    .help = "serve metrics to Prometheus",
    .more =
        R"(A PORT alone means 127.0.0.1:PORT, which other hosts cannot reach. An IPv6 address stands in brackets, and
           needs a web server (civetweb) with IPv6. METRICS below lists the metrics.)"};
constexpr Option kNoScreen{
    .name = "no-screen",
    .help = "no screen, only the report at the end",
    .more = "There is a screen if standard input and output are a terminal. SCREEN below lists its keys."};

Result<std::chrono::nanoseconds> interval_of_updates(const Arguments& arguments, bool has_screen) {
  const GivenOption* given = arguments.last(kEvery);
  if (given == nullptr) return std::chrono::nanoseconds(std::chrono::seconds(1));
  if (!arguments.has(kLiveJson) && !arguments.has(kMetrics) && !has_screen) {
    return Error{fmt::format("option '{}' does nothing without --json, --metrics or a screen", given->typed)};
  }
  const std::optional<std::int64_t> every = parse_duration(given->value);
  if (!every) return wrong_value(*given, "a time such as 500ms, up to a day");
  return std::chrono::nanoseconds(*every);
}

/// `capturing on enp0s1 (Ethernet): udp port 4791 or ...`
void note_start(const LiveCapture& capture, const metrics::LiveMetrics* metrics, Messages& messages) {
  if (metrics != nullptr) messages.note("metrics at " + metrics->url());
  for (const CaptureInterface& each : capture.info().front().interfaces) {
    messages.note(fmt::format("capturing on {} ({}): {}", each.name, schema::link_type_name(each.link_type),
                              each.filter.empty() ? "every packet" : each.filter));
  }
}

Error with_rest(const Recorder& recorder) {
  return {fmt::format("{}. {} {} written before", recorder.error()->message, text::count(recorder.packets(), "packet"),
                      text::plural(recorder.packets(), "was", "were"))};
}

Result<std::unique_ptr<Recorder>> make_recorder(const LiveSetup& setup, const LiveCapture& capture) {
  if (setup.write.empty()) return std::unique_ptr<Recorder>();
  return Recorder::create(setup.write, setup.files,
                          {.application = fmt::format("{} {}", kProgramName, version()), .comment = {}},
                          capture.info().front());
}

void warn_of_not_analysed(std::uint64_t packets, Messages& messages) {
  if (packets == 0) return;
  messages.warning(fmt::format("{} of those came too fast to be analysed, and {} written: analyze what -w wrote",
                               text::count(packets), text::plural(packets, "was", "were")));
}

/// Standard output, or standard error if the packets go to standard output.
void print(const Report& report, bool packets_there, Invocation& invocation) {
  Output& output = invocation.output;
  if (invocation.arguments.has(kLiveJson)) {
    render::append_report_json(report, output.text(), {.indented = false});
  } else if (packets_there) {
    std::string text;
    render::append_report_text(report, text, report_style(invocation.arguments, output));
    invocation.messages.plain(text);
  } else {
    render::append_report_text(report, output.text(), report_style(invocation.arguments, output));
  }
  output.flush();
}

bool wants_screen(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has(kLiveJson) || arguments.has(kNoScreen)) return false;
  return invocation.output.is_terminal() && ::isatty(STDIN_FILENO) == 1;
}

/// Null, with a warning, if the terminal cannot show a screen.
std::unique_ptr<LiveScreen> make_screen(LiveSession& session, Invocation& invocation) {
  Result<std::unique_ptr<terminal::Terminal>> terminal =
      terminal::open(wants_color(invocation.arguments, invocation.output));
  if (!terminal) {
    invocation.messages.warning("no screen: " + terminal.error().message);
    return nullptr;
  }
  invocation.messages.hold();
  return std::make_unique<LiveScreen>(std::move(*terminal), session.input().analysis(),
                                      session.input().source().info().front(), session.start());
}

/// Passes updates to the output, the metrics and the screen; `metrics` and `screen` may be null.
LiveSession::Watcher watcher(Invocation& invocation, metrics::LiveMetrics* metrics,
                             std::unique_ptr<LiveScreen>& screen) {
  LiveSession::Watcher watcher;
  watcher.show = [&output = invocation.output, json = invocation.arguments.has(kLiveJson), metrics,
                  &screen](const LiveUpdate& update) {
    if (metrics != nullptr) metrics->show(update);
    if (screen) screen->show(update);
    if (!json) return true;
    render::append_live_json(update, output.text());
    output.flush();
    return !output.error();
  };
  if (!screen) return watcher;
  watcher.add = [&screen](const PacketRecord& record) {
    if (screen) screen->add(record);
  };
  // Restores the terminal at once: the rest may take a moment.
  watcher.attend = [&screen, &messages = invocation.messages] {
    if (!screen) return true;
    const bool goes_on = !stop_requested() && screen->attend();
    if (goes_on) return true;
    screen.reset();
    messages.release();
    return false;
  };
  return watcher;
}

Result<ExitCode> run_live(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Result<LiveSetup> setup = live_setup(arguments);
  if (!setup) return setup.error();
  if (std::optional<Error> error = read_track_options(arguments, setup->input.track)) return *std::move(error);
  const Result<std::chrono::nanoseconds> every = interval_of_updates(arguments, wants_screen(invocation));
  if (!every) return every.error();
  const bool packets_there = setup->write == "-";
  if (packets_there && arguments.has(kLiveJson)) return Error{"-w - and --json both use standard output. Name a file"};
  setup->input.parts.icrc = !arguments.has(kNoIcrc);
  setup->input.purpose = Purpose::kReport;
  setup->input.ahead = ReadingAhead::kBatches;  // what there is at a time
  const Result<std::unique_ptr<LiveCapture>> opened = LiveCapture::open(setup->capture);
  if (!opened) return opened.error();
  LiveCapture& capture = **opened;
  if (std::optional<Error> error = drop_privileges(setup->user)) return *std::move(error);
  const Result<std::unique_ptr<Recorder>> created = make_recorder(*setup, capture);
  if (!created) return created.error();
  Recorder* recorder = created->get();
  LiveSession session(capture, recorder, std::move(*setup), invocation.messages);
  Result<std::optional<CsvFolder>> csv = open_csv(arguments);
  if (!csv) return csv.error();
  if (*csv) session.input().analysis().on_message(std::bind_front(&CsvFolder::add, &**csv));
  std::unique_ptr<metrics::LiveMetrics> metrics;
  if (const GivenOption* given = arguments.last(kMetrics)) {
    Result<std::unique_ptr<metrics::LiveMetrics>> served = metrics::serve(given->value, version());
    if (!served) return served.error();
    metrics = std::move(*served);
  }
  install_live_signal_handlers();
  if (!arguments.has(kQuiet)) note_start(capture, metrics.get(), invocation.messages);
  std::unique_ptr<LiveScreen> screen = wants_screen(invocation) ? make_screen(session, invocation) : nullptr;
  if (!screen) invocation.messages.start_progress();
  if (arguments.has(kLiveJson) || metrics != nullptr || screen) {
    session.watch(*every, watcher(invocation, metrics.get(), screen));
  }
  session.run(*csv ? &**csv : nullptr);
  screen.reset();
  invocation.messages.release();
  if (packets_there) invocation.output.end_where_nobody_reads();
  const Report report = session.input().report();
  if (*csv) (*csv)->finish(report);
  print(report, packets_there, invocation);
  if (!invocation.output.error()) {
    session.input().finish(arguments.has(kAll));
    if (arguments.has(kAll)) report_express(session.input().analysis().express(), invocation.messages);
    warn_of_not_analysed(session.not_analysed(), invocation.messages);
  }
  if (*csv && (*csv)->error()) return *(*csv)->error();
  if (session.input().numbers_error()) return *session.input().numbers_error();
  if (recorder != nullptr && recorder->error()) return with_rest(*recorder);
  if (capture.lost_interface()) return Error{"the capture ended early: see the warnings above"};
  return exit_code(report, arguments);
}

constexpr Example kLiveExamples[] = {
    {"rocescope live -i enp0s1", "until Ctrl-C, then the report"},
    {"rocescope live -i enp0s1 --json | jq 'select(.type == \"finding\")'", "findings as they come, as JSON"},
    {"rocescope live -i enp0s1 -w ring.pcapng -b filesize:100000 -b files:10", "keep the last gigabyte as well"},
    {"rocescope live -i any -f ''", "all packets of all interfaces"},
    {"ssh host rocescope live -i enp0s1 -w - | wireshark -k -i -", "watch the packets elsewhere"},
};

constexpr const Option* kLiveReport[] = {&kLiveJson,    &kNoScreen,  &kMetrics,   &kEvery,    &kCsv,
                                         &kFailOn,      &kCnpWindow, &kLinkSpeed, &kInterval, &kMaxConnections,
                                         &kIdleTimeout, &kNoIcrc,    &kColor};
constexpr const Option* kLiveGeneral[] = {&kQuiet, &kAll, &kHelp};
constexpr OptionGroup kLiveOptions[] = {kCaptureOptions,        kUntilOptions,  kWriteOptions,
                                        kDecodeOptions,         kNarrowOptions, {"Report", kLiveReport},
                                        {"Other", kLiveGeneral}};

std::span<const Section> live_sections() {
  static const Section kSections[] = {
      {"DESCRIPTION", R"(
Captures until Ctrl-C, SIGTERM, or the limits of -c and -a, and then prints the report that `analyze` prints about the
same packets. Packets that came before that moment are still read and written; a second Ctrl-C ends the program at
once.

SIGUSR1 prints counters on standard error. SIGUSR2 writes all packets to the files of -w at once; otherwise this
happens whenever no packet is waiting. The kernel hands over packets once it has many, or after a tenth of a second,
sometimes two tenths: until then a file may be empty. However the program ends, the file is a readable capture, its last
packet cut at worst. If a file cannot be written, as on a full disk, the capture ends: the packets written before
stay, the report is printed, and the program ends with 2.

Packets that the kernel or an interface dropped are counted, in the report and at the end of the file, and no finding
takes them for a loss of the network. A thread of its own takes and writes packets, as fast as tcpdump does. Packets
wait in memory for the analysis; if that is full, they are written but not analysed, and the report counts them as
dropped. Without -w they stay in the kernel's ring.

RDMA hardware bypasses the kernel, so that nothing of it may come. If no RoCE is captured on an interface while its RDMA
device counts packets, a warning says so; rocescope-capture(7) says what helps.

Memory stays bounded however long the capture lasts. Connections without packets for --idle-timeout are evicted. If
there are more than --max-connections, the longest idle ones are evicted. The same holds for flows, memory
regions and handshakes. The report adds up the counts of what was evicted and keeps its findings, up to 4096. Findings
about many connections together (such as consecutive queue pair numbers) use the connections that are followed at the
end. A packet of an evicted connection begins a new connection, as the first packet of a capture does.)"},
      {"RIGHTS", R"(
Capturing needs the capability cap_net_raw. To let every user capture:

  sudo setcap cap_net_raw=ep /usr/bin/rocescope

An upgrade takes the capability away: run it again. The program gives it up once the interfaces are open. Root stays root, unless -Z names another user.)"},
      {"SCREEN", R"(
If standard input and output are a terminal, a screen shows the capture: totals, the connections with their rates
and times, and the latest findings. The report follows when the capture ends.

  Up, Down, PgUp, PgDn, Home, End    mark a connection, or scroll
  Enter                              open the marked connection: its sides, times, and last messages
  t, r, l, n                         sort by trouble, rate, latency, number
  /                                  list only connections with a text in their line
  e                                  list only connections that failed or had trouble
  Esc                                list all again; close a connection
  s                                  write the connection's packets from now on to connection-N.pcapng,
                                     in the current folder; s again ends that
  p                                  pause, while the capture goes on
  ?                                  help: keys, and what the columns mean
  q                                  close a connection; end the capture

By trouble, connections that failed come first: those that a NAK or retries without success ended, and those in ERR
about which an error was found. Of the last 4096 connections with packets the last 32 runs of messages are kept, of
those with trouble for longest.)"},
      {"SNAP LENGTH", R"(
What -s cuts off is neither written nor analysed, and the ICRC of a packet that is cut is not verified. Headers of an
Ethernet frame end after so many bytes:

                                                       IPv4    IPv6
  BTH                                                    54      74
  AETH (ACK, READ response), or ImmDt or IETH of SEND    58      78
  DETH (UD)                                              62      82
  DETH and ImmDt; AETH and AtomicAckETH                  66      86
  RETH (READ, WRITE)                                     70      90
  RETH and ImmDt; FETH and RETH (FLUSH)                  74      94
  AtomicETH                                              82     102
  CM message, a management datagram of 256 bytes        318     338
  and its ICRC                                          322     342

It is 4 more with each VLAN tag, 4 more with XRC, 16 more with DC, 50 more in VXLAN over IPv4, 70 more in VXLAN over
IPv6; RoCEv1 takes 8 less than IPv6. So this is lost:

  64     over IPv4 the RETH, AtomicETH and AtomicAckETH, and the ImmDt of UD; with a VLAN tag also the DETH, with
         two also AETH and ImmDt. Over IPv6 and RoCEv1, and in VXLAN, the BTH: then no packet is known to be RoCE
  96     over IPv4 nothing but the AtomicETH of DC, with two VLAN tags also its ImmDt behind a RETH; over IPv6 the
         AtomicETH, with a VLAN tag or XRC also the ImmDt behind a RETH, with two tags or DC the RETH; in VXLAN the
         BTH
  128    in VXLAN over IPv4 the AtomicETH of IPv4, and of IPv6 all behind the AETH; in VXLAN over IPv6 all behind
         the AETH of IPv4, and of IPv6 the BTH
  256    no header
  all    CM messages: queue pair numbers, starting PSNs, MTU, services, reasons of refusals. 342 bytes keep them, 400
         also in VXLAN over IPv4

A report on packets that were cut says in its line Cut how many lack what.)"},
      {"JSON", render::live_json_documentation()},
      {"METRICS", metrics::documentation()},
      times_section(),
      kSelectionSection,
      kFilterSection,
  };
  return kSections;
}

}  // namespace

const Command& live_command() {
  static const Command kCommand{
      .name = "live",
      .summary = "capture on interfaces and analyse at once",
      .examples = kLiveExamples,
      .options = kLiveOptions,
      .sections = live_sections(),
      .run = run_live,
  };
  return kCommand;
}

}  // namespace rocescope::cli
