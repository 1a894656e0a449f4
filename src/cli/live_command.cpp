// `rocescope live`: capture and analyse at once.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "commands.hpp"
#include "general_options.hpp"
#include "human.hpp"
#include "input_sections.hpp"
#include "live_feed.hpp"
#include "live_options.hpp"
#include "packet_input.hpp"
#include "privileges.hpp"
#include "program.hpp"
#include "recorder.hpp"
#include "report_json.hpp"
#include "report_names.hpp"
#include "reporting.hpp"
#include "rocescope/live.hpp"
#include "signals.hpp"

namespace rocescope::cli {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr Option kJson{.name = "json", .help = "the report as one JSON document"};

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", text::count(count), noun, count == 1 ? "" : "s");
}

/// A capture that runs.
class LiveSession {
 public:
  LiveSession(LiveCapture& capture, Recorder* recorder, LiveSetup setup, Messages& messages)
      : LiveSession(capture, recorder, std::make_unique<LiveFeed>(capture, recorder, setup.most_bytes),
                    std::move(setup), messages) {}

  [[nodiscard]] PacketInput& input() noexcept { return input_; }

  /// Reads until something ends the capture.
  void run(Reporting& reporting) {
    while (!is_over()) {
      while (const PacketRecord* record = input_.next()) reporting.add(*record);
      attend();
      if (!feed_->empty()) continue;
      // Nothing is held back while nothing comes.
      if (recorder_ != nullptr) recorder_->flush();
      capture_.wait(next_deadline() - steady_clock::now());
    }
    count_losses();
  }

  /// Ends what is written.
  void finish() {
    if (recorder_ != nullptr) recorder_->finish();
  }

 private:
  LiveSession(LiveCapture& capture, Recorder* recorder, std::unique_ptr<LiveFeed> feed, LiveSetup setup,
              Messages& messages)
      : capture_(capture),
        recorder_(recorder),
        messages_(messages),
        feed_(feed.get()),
        count_(setup.input.count),
        input_(std::move(setup.input), std::move(feed), messages) {
    if (setup.duration) end_ = steady_clock::now() + *setup.duration;
  }

  [[nodiscard]] bool is_over() const {
    return capture_.ended() || feed_->full() || (count_ > 0 && input_.counts().packets >= count_);
  }

  /// What comes from outside, or with time.
  void attend() {
    const steady_clock::time_point now = steady_clock::now();
    if (stop_requested() || (end_ && now >= *end_)) capture_.stop();
    if (now >= next_count_) count_losses();
    if (take(LiveSignal::kCounters)) tell_counters();
    if (take(LiveSignal::kFlush) && recorder_ != nullptr) recorder_->flush();
  }

  [[nodiscard]] steady_clock::time_point next_deadline() const {
    return end_ ? std::min(*end_, next_count_) : next_count_;
  }

  void count_losses() {
    const std::span<const LiveCounters> counters = capture_.counters();
    if (recorder_ != nullptr) recorder_->set_counters(counters);
    next_count_ = steady_clock::now() + std::chrono::seconds(1);
  }

  void tell_counters() {
    const std::span<const LiveCounters> counters = capture_.counters();
    for (std::size_t i = 0; i < counters.size(); ++i) {
      messages_.note(fmt::format("{}: {} received, {} dropped by the kernel, {} by the interface",
                                 capture_.info().front().interfaces[i].name, counted(counters[i].received, "packet"),
                                 text::count(counters[i].dropped_by_kernel),
                                 text::count(counters[i].dropped_by_interface)));
    }
    const ReadCounts& read = input_.counts();
    messages_.note(fmt::format("{} read, {} of them RoCE", counted(read.packets, "packet"), text::count(read.roce)));
    if (recorder_ == nullptr) return;
    recorder_->flush();
    messages_.note(
        fmt::format("{} written, {}", counted(recorder_->packets(), "packet"), counted(recorder_->files(), "file")));
  }

  LiveCapture& capture_;
  Recorder* recorder_;
  Messages& messages_;
  LiveFeed* feed_;  // in input_
  std::uint64_t count_;
  PacketInput input_;
  std::optional<steady_clock::time_point> end_;
  steady_clock::time_point next_count_ = steady_clock::now();
};

/// `capturing on enp0s1 (Ethernet): udp port 4791 or ...`
void tell_start(const LiveCapture& capture, Messages& messages) {
  for (const CaptureInterface& each : capture.info().front().interfaces) {
    messages.note(fmt::format("capturing on {} ({}): {}", each.name, render::link_type_name(each.link_type),
                              each.filter.empty() ? "every packet" : each.filter));
  }
}

Error with_rest(const Recorder& recorder) {
  return {fmt::format("{}. {} written before", recorder.error()->message,
                      recorder.packets() == 1 ? "1 packet was" : counted(recorder.packets(), "packet") + " were")};
}

Result<std::unique_ptr<Recorder>> make_recorder(const LiveSetup& setup, const LiveCapture& capture) {
  if (setup.write.empty()) return std::unique_ptr<Recorder>();
  return Recorder::create(setup.write, setup.files,
                          {.application = fmt::format("{} {}", kProgramName, version()), .comment = {}},
                          capture.info().front());
}

/// Standard output, but where packets go there.
void print(const Report& report, bool packets_there, Invocation& invocation) {
  Output& output = invocation.output;
  if (invocation.arguments.has(kJson)) {
    render::append_report_json(report, output.text());
  } else if (packets_there) {
    std::string text;
    render::append_report_text(report, report_style(invocation.arguments, output), text);
    invocation.messages.plain(text);
  } else {
    render::append_report_text(report, report_style(invocation.arguments, output), output.text());
  }
  output.flush();
}

Result<ExitCode> run(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Result<LiveSetup> setup = live_setup(arguments);
  if (!setup) return setup.error();
  if (std::optional<Error> error = read_track_options(arguments, setup->input.track)) return *std::move(error);
  const bool packets_there = setup->write == "-";
  if (packets_there && arguments.has(kJson)) return Error{"-w - and --json both want standard output. Name a file"};
  const bool verify_icrc = !arguments.has(kNoIcrc);
  setup->input.parts.icrc = verify_icrc;
  const Result<std::unique_ptr<LiveCapture>> opened = LiveCapture::open(setup->capture);
  if (!opened) return opened.error();
  LiveCapture& capture = **opened;
  if (std::optional<Error> error = drop_privileges(setup->user)) return *std::move(error);
  const Result<std::unique_ptr<Recorder>> created = make_recorder(*setup, capture);
  if (!created) return created.error();
  Recorder* recorder = created->get();
  LiveSession session(capture, recorder, std::move(*setup), invocation.messages);
  Result<std::unique_ptr<Reporting>> reporting = Reporting::start(session.input(), verify_icrc, arguments);
  if (!reporting) return reporting.error();
  install_live_signal_handlers();
  if (!arguments.has(kQuiet)) tell_start(capture, invocation.messages);
  invocation.messages.start_progress();
  session.run(**reporting);
  session.finish();
  const Result<Report> report = (*reporting)->finish();
  if (!report) return report.error();
  print(*report, packets_there, invocation);
  if (!invocation.output.error()) session.input().finish(arguments.has(kAll));
  if (recorder != nullptr && recorder->error()) return with_rest(*recorder);
  if (capture.lost_interface()) return Error{"the capture ended early: see the warnings above"};
  return exit_code(*report, arguments);
}

constexpr Example kExamples[] = {
    {"rocescope live -i enp0s1", "until Ctrl-C, then the report"},
    {"rocescope live -i enp0s1 -a duration:60 --json | jq .findings", "a minute of it, as JSON"},
    {"rocescope live -i enp0s1 -w ring.pcapng -b filesize:100000 -b files:10", "keep the last gigabyte as well"},
    {"rocescope live -i any -f ''", "all packets of all interfaces"},
    {"ssh host rocescope live -i enp0s1 -w - | wireshark -k -i -", "watch the packets elsewhere"},
};

constexpr const Option* kReport[] = {&kJson, &kCsv, &kFailOn, &kCnpWindow, &kLinkSpeed, &kInterval, &kNoIcrc, &kColor};
constexpr const Option* kGeneral[] = {&kQuiet, &kAll, &kHelp};
constexpr OptionGroup kOptions[] = {kCaptureOptions, kUntilOptions,       kWriteOptions,      kDecodeOptions,
                                    kNarrowOptions,  {"Report", kReport}, {"Other", kGeneral}};

constexpr Section kSections[] = {
    {"DESCRIPTION",
     "Captures until Ctrl-C, SIGTERM, or what -c and -a say, and then tells what `analyze` would tell of the same "
     "packets. What came before that moment is still read and written; a second Ctrl-C ends the program at once.\n\n"
     "SIGUSR1 prints counters on standard error; SIGUSR2 hands what was captured to the files of -w at once, which "
     "otherwise happens whenever no packet is waiting. Whenever the program ends, however, the file is a capture that "
     "can "
     "be read, its last packet cut at worst. When a file cannot be written, as on a full disk, the capture ends: what "
     "was "
     "written stays, the report is given, and the program ends with 2.\n\n"
     "Packets that the kernel or an interface dropped are counted, in the report and at the end of the file, and no "
     "finding "
     "takes them for a loss of the network."},
    {"RIGHTS",
     "To capture takes the capability cap_net_raw. To let every user do it:\n\n"
     "  sudo setcap cap_net_raw=ep /usr/bin/rocescope\n\n"
     "It is given up once the interfaces are open. Root stays root, unless -Z names somebody else."},
    kFilterSection,
};

constexpr Command kCommand{
    .name = "live",
    .summary = "capture on interfaces and analyse at once",
    .examples = kExamples,
    .options = kOptions,
    .sections = kSections,
    .run = run,
};

}  // namespace

const Command& live_command() { return kCommand; }

}  // namespace rocescope::cli
