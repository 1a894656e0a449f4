// `rocescope flow`: a ladder of one connection.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/connection_numbers.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/input_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/output.hpp"
#include "cli/packet_input.hpp"
#include "cli/signals.hpp"
#include "ladder/command_spans.hpp"
#include "ladder/failed_messages.hpp"
#include "ladder/ladder.hpp"
#include "ladder/truth_timeline.hpp"
#include "render/ladder/ladder_printer.hpp"
#include "rocescope/detail/elapsed.hpp"
#include "rocescope/text.hpp"
#include "truth/truth_file.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kOneConnection{.name = "connection",
                                .argument = "N",
                                .help = "connection N, as `analyze` numbers them",
                                .more = "Default: the connection with the most trouble; if none has any, the largest."};
constexpr Option kFlowTruth{
    .name = "truth",
    .argument = "FILE",
    .help = "add the events that rdmagen or the lab recorded",
    .more = R"(The file of one side or of both sides; or the folder of a run of the lab, for all its files. May be given
           twice.)",
    .completion = Completion::kFiles,
    .repeatable = true};
constexpr Option kFlowJson{.name = "json", .help = "the same as JSON, one object a line"};
constexpr Option kUnfold{.name = "verbose", .letter = 'v', .help = "a line for each packet; describe the captures"};

/// Prints packets and truth as one, by time.
class Narrator {
 public:
  Narrator(render::LadderPrinter& printer, const Connection& connection, const TruthTimeline* timeline,
           const Narrowing& narrowing, std::int64_t start, Output& output)
      : printer_(printer),
        connection_(connection),
        timeline_(timeline),
        narrowing_(narrowing),
        start_(start),
        output_(output) {}

  void render(const LadderEvent& event) {
    if (!narrowing_.admits_time(event.time, start_)) return;
    begin(event.time);
    render_truth_until(event.time);
    printer_.event(event, output_.text());
    output_.commit();
    ++rendered_;
  }

  void end() {
    if (timeline_ != nullptr) {
      begin(timeline_->events.front().time);
      render_truth_until(INT64_MAX);
    }
    if (begun_) printer_.end(output_.text());
    output_.flush();
  }

  [[nodiscard]] std::uint64_t rendered() const noexcept { return rendered_; }

 private:
  void begin(std::int64_t time) {
    if (begun_) return;
    begun_ = true;
    if (timeline_ != nullptr && !timeline_->phases.empty()) time = std::min(time, timeline_->phases.front().begin);
    printer_.begin(connection_, time, timeline_, output_.text());
  }

  void render_truth_until(std::int64_t time) {
    if (timeline_ == nullptr) return;
    const auto& [events, phases, sides, posts] = *timeline_;
    while (true) {
      const std::int64_t next_phase = phase_ < phases.size() ? phases[phase_].begin : INT64_MAX;
      const std::int64_t next_event = event_ < events.size() ? events[event_].time : INT64_MAX;
      if (std::min(next_phase, next_event) > time || std::min(next_phase, next_event) == INT64_MAX) return;
      if (next_phase <= next_event) {
        printer_.phase(phases[phase_++], output_.text());
      } else {
        printer_.truth(events[event_++], output_.text());
      }
    }
  }

  render::LadderPrinter& printer_;
  const Connection& connection_;
  const TruthTimeline* timeline_;
  const Narrowing& narrowing_;
  std::int64_t start_;  ///< of the capture
  Output& output_;
  bool begun_ = false;
  std::uint64_t rendered_ = 0;
  std::size_t phase_ = 0;
  std::size_t event_ = 0;
};

/// Finds a side whose clock is ahead of the capture's: it posts a request after the request was captured.
class ClockWatch {
 public:
  explicit ClockWatch(const TruthTimeline* timeline) : timeline_(timeline) {}

  void see(const LadderEvent& event) {
    const auto* run = std::get_if<PacketRun>(&event.what);
    if (run == nullptr || !run->opcode->request || first_request_[event.sender]) return;
    first_request_[event.sender] = event.time;
  }
  void warn(Messages& messages) const {
    if (timeline_ == nullptr) return;
    for (const std::uint8_t side : kConnectionSides) {
      const std::int64_t post = timeline_->first_posts[side];
      if (post == 0 || !first_request_[side] || post <= *first_request_[side]) continue;
      messages.warning(fmt::format(
          "the {}'s clock is ahead of the capture's by {} or more: its first request is posted after it was captured",
          to_string(timeline_->sides[side]), text::duration(elapsed(*first_request_[side], post))));
    }
  }

 private:
  const TruthTimeline* timeline_;
  std::array<std::optional<std::int64_t>, 2> first_request_;
};

Result<const Connection*> choose(const Report& report, const FinalNumbers& numbers, const Arguments& arguments) {
  if (report.connections.empty()) return no_connection(0, {});
  const GivenOption* given = arguments.last(kOneConnection);
  if (given == nullptr) return &report.connections.front();
  const std::optional<std::uint64_t> number = parse_number(given->value, 0xFFFFFFFF);
  if (!number || *number == 0) return wrong_value(*given, "a connection's number, from 1 up");
  const std::uint32_t final = numbers.of(static_cast<std::uint32_t>(*number));
  const auto found = std::ranges::find(report.connections, final, &Connection::number);
  if (found != report.connections.end()) return &*found;
  std::vector<std::uint32_t> there;
  for (const Connection& connection : report.connections) there.push_back(connection.number);
  return no_connection(*number, std::move(there));
}

/// Why this connection is shown when the user named none.
std::string remark_on_choice(const Report& report, const Arguments& arguments) {
  const std::size_t connections = report.connections.size();
  if (connections == 1 || arguments.has(kOneConnection)) return {};
  return fmt::format("the first of {} in `analyze`, by trouble; --connection N for another", connections);
}

Result<std::optional<TruthTimeline>> read_timeline(const Arguments& arguments, const Connection& connection) {
  const std::vector<std::string> files = arguments.values(kFlowTruth);
  if (files.empty()) return std::optional<TruthTimeline>();
  const Result<truth::Truth> truth = truth::read_truth(files);
  if (!truth) return truth.error();
  std::optional<TruthTimeline> timeline = truth_timeline(*truth, connection);
  if (timeline && !timeline->events.empty()) return timeline;
  return Error{fmt::format("{} has no queue pairs of connection {} ({} and {})", fmt::join(files, ", "),
                           connection.number, to_text(connection.sides[0].address),
                           to_text(connection.sides[1].address))};
}

ShownTimes shown_times(const Narrowing& narrowing, std::int64_t start) {
  ShownTimes shown;
  if (narrowing.from) shown.from = narrowing.from->absolute(start);
  if (narrowing.to) shown.to = narrowing.to->absolute(start);
  return shown;
}

std::size_t ladder_width() {
  constexpr std::size_t kDefault = 80;
  constexpr std::size_t kWidest = 132;
  return std::min(terminal_width().value_or(kDefault), kWidest);
}

Result<ExitCode> run_flow(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  Result<InputOptions> options = input_options(arguments, "flow");
  if (!options) return options.error();
  if (std::optional<Error> error = check_can_be_read_twice(*options)) return *std::move(error);
  const Result<std::unique_ptr<PacketInput>> whole = PacketInput::open(options->whole(), invocation.messages);
  if (!whole) return whole.error();
  invocation.messages.start_progress();
  FailedMessages failed;
  (*whole)->analysis().on_message(std::bind_front(&FailedMessages::add, &failed));
  const Report report = (*whole)->report();
  if (interrupted()) return ExitCode::kInterrupted;
  const Result<const Connection*> chosen = choose(report, (*whole)->numbers(), arguments);
  if (!chosen) return chosen.error();
  const Connection& connection = **chosen;
  const Result<std::optional<TruthTimeline>> read = read_timeline(arguments, connection);
  if (!read) return read.error();
  const TruthTimeline* timeline = *read ? &**read : nullptr;

  const Narrowing narrowing = std::exchange(options->narrowing, {});
  options->numbers = (*whole)->numbers();
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(std::move(*options), invocation.messages);
  if (!input) return input.error();
  const CommandSpans commands(report.commands.commands, connection, shown_times(narrowing, report.start.value_or(0)));
  const std::unique_ptr<render::LadderPrinter> printer =
      arguments.has(kFlowJson) ? render::make_ladder_json(&commands)
                               : render::make_ladder_text({.color = wants_color(arguments, output),
                                                           .details = arguments.has(kUnfold),
                                                           .width = ladder_width(),
                                                           .remark = remark_on_choice(report, arguments),
                                                           .commands = &commands});
  Narrator narrator(*printer, connection, timeline, narrowing, report.start.value_or(0), output);
  ClockWatch clocks(timeline);
  Ladder ladder(LadderScope(report.connections, connection.number),
                {.fold = !arguments.has(kUnfold), .apart = failed.of(connection), .commands = &commands},
                [&](const LadderEvent& event) {
                  clocks.see(event);
                  narrator.render(event);
                });
  while (const PacketRecord* record = (*input)->next()) {
    ladder.add(*record);
    if (output.error()) return ExitCode::kDone;
  }
  ladder.finish();
  narrator.end();
  if (output.error()) return ExitCode::kDone;
  if (narrator.rendered() == 0) {
    invocation.messages.warning(fmt::format("connection {} has no packets between --from and --to", connection.number));
  }
  clocks.warn(invocation.messages);
  if (failed.left_out() > 0) {
    invocation.messages.warning(
        fmt::format("{} of the capture failed behind the first {}: they may share lines with others",
                    text::count(failed.left_out(), "message"), text::count(FailedMessages::kMost)));
  }
  if (report.commands.unlisted > 0) {
    invocation.messages.warning(fmt::format("{} of the capture came behind the first {}: they are not shown",
                                            text::count(report.commands.unlisted, "command"),
                                            text::count(CommandReport::kMostListed)));
  }
  (*input)->finish(arguments.has(kUnfold));
  return ExitCode::kDone;
}

constexpr Example kFlowExamples[] = {
    {"rocescope flow lab.pcapng", "the connection with the most trouble"},
    {"rocescope flow --connection 3 lab.pcapng", "another one"},
    {"rocescope flow --connection 3 -v lab.pcapng | less", "every packet"},
    {"rocescope flow --connection 3 --json lab.pcapng | jq .type", "as data"},
};

constexpr const Option* kChoice[] = {&kOneConnection, &kFrom, &kTo};
constexpr const Option* kFlowOutput[] = {&kFlowTruth, &kFlowJson, &kColor};
constexpr const Option* kFlowGeneral[] = {&kQuiet, &kUnfold, &kHelp};
constexpr OptionGroup kFlowOptions[] = {
    kInputOptions, {"Which packets", kChoice}, {"Ladder", kFlowOutput}, {"Other", kFlowGeneral}};

std::span<const Section> flow_sections() {
  static const Section kSections[] = {
      {"THE LADDER", R"(
Each line shows the number of its first frame, the time since the first line, the silence before it on this
connection, and an arrow from the sender to the other side. CM messages, or those of rdmagen's exchange, come before
and after the data.

Consecutive whole messages of the same size share one line (16 x WRITE), and so do their acknowledgements, which may
begin before the line above them has ended. A message that was refused, lost or sent more than once has its own line,
and so has one without an answer when its queue pair failed or was torn down. Trouble has a line of its own, with a ! and the tracker's verdict below
it: packets sent again and why, NAKs, RNR NAKs with their time, gaps, packets out of order or seen twice,
congestion notifications.

Where the connection carries commands of a protocol above RoCE, the lanes to the right of the ladder show how long each
was outstanding: from the . beside its request to the ' beside its response, or the x if it failed. A lane that does not
begin or end belongs to a command whose request or response is not shown, or is not in the capture. At most 8 commands
have lanes at once; a line at the end counts the others. Messages that only ACKs answer, such as those of rsockets and
datagrams of RDS, have none; nor has a connection where only one direction was seen. The response says how long its
command took, and how much of that was the target's time, as `analyze` has it (latency and target_time of commands.csv).

The captures are read twice, first to find the connections, so pipes are not accepted.)"},
      {"TRUTH", R"(
--truth takes the files that rdmagen and the lab write (NDJSON). Events that the wire cannot show appear at their side
with a *: devices opened, memory registered, queue pairs created and moved from state to state, each at its end and
with its duration. Bars show the phases of the connection: discovery, queue pair, memory, connection, data,
tear-down; a list at the end sums them up. A phase begins with the first event on either side that belongs to it, and
ends when another one begins. Each side's times come from its own clock; a warning says if that clock is ahead of the
clock of the capture.)"},
      kInputSection,
      {"JSON", render::ladder_json_documentation()},
  };
  return kSections;
}

}  // namespace

const Command& flow_command() {
  static const Command kCommand{
      .name = "flow",
      .summary = "show a connection as a ladder: handshake, messages, recovery",
      .operands = "FILE...",
      .operand_completion = Completion::kFiles,
      .examples = kFlowExamples,
      .options = kFlowOptions,
      .sections = flow_sections(),
      .run = run_flow,
  };
  return kCommand;
}

}  // namespace rocescope::cli
