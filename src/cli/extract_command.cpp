// `rocescope extract`: packets into a new capture, with their verdicts as comments.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/pcapng_writer.hpp"
#include "cli/commands.hpp"
#include "cli/connection_numbers.hpp"
#include "cli/finding_name.hpp"
#include "cli/general_options.hpp"
#include "cli/input_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/packet_input.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"
#include "ladder/command_spans.hpp"
#include "render/packets/command_comments.hpp"
#include "render/packets/renumbered_frames.hpp"
#include "render/packets/verdict_notes.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kExtractWrite{.name = "write",
                               .letter = 'w',
                               .argument = "FILE",
                               .help = "the pcapng file to write; - is standard output",
                               .more = "An existing file is overwritten, unless it is one of the captures.",
                               .completion = Completion::kFiles};
constexpr Option kExtractFinding{
    .name = "finding",
    .argument = "ID",
    .help = "packets of the finding ID of `analyze`, such as rnr",
    .more =
        R"(The packets that the finding's display filter selects, on every connection with that finding. The captures
           are read twice, so they cannot come through a pipe.)",
    .completion = Completion::kFindings,
    .repeatable = true};
constexpr Option kNoComments{.name = "no-comments", .help = "add no comments; keep those of the input"};

/// The interfaces of all captures, in the order in which they appear, in the one section of the new file.
class Interfaces {
 public:
  explicit Interfaces(PcapngWriter& writer) : writer_(writer) {}

  /// Adds new interfaces, and updates the counts of lost packets.
  void update(std::span<const CaptureInfo> captures) {
    add_captures(captures);
    for (std::size_t i = 0; i < captures.size(); ++i) {
      add(captures[i], i);
      for (std::size_t j = 0; j < numbers_[i].size(); ++j)
        writer_.set_dropped(numbers_[i][j], captures[i].interfaces[j].dropped);
    }
  }
  /// The number of the frame's interface in the new file.
  [[nodiscard]] std::uint32_t of(const Frame& frame, std::span<const CaptureInfo> captures) {
    const bool known = frame.capture_id < numbers_.size() && frame.interface_id < numbers_[frame.capture_id].size();
    if (!known) {
      add_captures(captures);
      add(captures[frame.capture_id], frame.capture_id);
    }
    return numbers_[frame.capture_id][frame.interface_id];
  }

 private:
  /// The new ones, with their interfaces: there may be a section for each packet, so those of before are left alone.
  void add_captures(std::span<const CaptureInfo> captures) {
    for (std::size_t i = numbers_.size(); i < captures.size(); ++i) add(captures[i], i);
  }
  /// The new interfaces of a capture.
  void add(const CaptureInfo& capture, std::size_t number) {
    if (number == numbers_.size()) numbers_.emplace_back();
    for (std::size_t i = numbers_[number].size(); i < capture.interfaces.size(); ++i) {
      numbers_[number].push_back(writer_.interfaces());
      writer_.add_interface(capture.interfaces[i]);
    }
  }

  PcapngWriter& writer_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // by capture and interface
};

/// Copies the packets of `input`; returns how many got a comment. `commands`: null if they are not known.
std::uint64_t copy_packets(PacketInput& input, bool comment, const CommandSpans* commands, PcapngWriter& writer) {
  Interfaces interfaces(writer);
  render::RenumberedFrames renumbered;
  std::vector<std::string> comments;
  std::uint64_t commented = 0;
  while (const PacketRecord* record = input.next()) {
    const Frame& frame = record->packet->frame;
    const std::span<const std::string> own = input.analysis().comments();
    comments.assign(own.begin(), own.end());
    if (comment) {
      comments.push_back(render::verdict_comment(*record, renumbered));
      bool has_new = !comments.back().empty();
      if (commands != nullptr) {
        for (std::string& text : render::command_comments(frame.number, *commands, renumbered)) {
          comments.push_back(std::move(text));
          has_new = true;
        }
      }
      commented += has_new ? 1U : 0U;
    }
    if (!writer.write(frame, interfaces.of(frame, input.analysis().noted_captures()), comments)) break;
    renumbered.add(frame.number);
    if (input.may_wait() && !writer.flush()) break;
  }
  input.analysis().stop();  // after which the source is no other thread's
  interfaces.update(input.source().info());
  return commented;
}

/// Reads all of the captures. Sets the numbers of connections.
Result<Report> read_whole(InputOptions& options, Messages& messages) {
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(options.whole(), messages);
  if (!input) return input.error();
  messages.start_progress();
  Report report = (*input)->report();
  options.numbers = (*input)->numbers();
  return report;
}

Result<std::vector<const FindingInfo*>> findings_of(const Arguments& arguments) {
  std::vector<const FindingInfo*> wanted;
  for (const std::string& name : arguments.values(kExtractFinding)) {
    const Result<const FindingInfo*> info = finding_named(name);
    if (!info) return info.error();
    wanted.push_back(*info);
  }
  return wanted;
}

/// Also requires that a packet belongs to one of these findings.
std::optional<Error> narrow_to_findings(const std::vector<const FindingInfo*>& wanted, const Report& report,
                                        const Arguments& arguments, InputOptions& options) {
  std::string findings;
  for (const Finding& finding : report.findings) {
    if (std::ranges::find(wanted, finding.info) == wanted.end() || finding.filter.empty()) continue;
    findings += fmt::format("{}({})", findings.empty() ? "" : " || ", finding.filter);
  }
  const GivenOption* own = arguments.last(kDisplayFilter);
  // No frame has the number 0.
  std::string text = findings.empty() ? "frame.number == 0" : findings;
  if (own != nullptr) text = fmt::format("({}) && ({})", own->value, text);
  Result<filter::Filter> filter = filter::compile(text);
  if (!filter) return filter.error();
  options.filter = std::move(*filter);
  return std::nullopt;
}

std::string section_comment(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(file == "-" ? "standard input" : file);
  return fmt::format("Packets of {}. Comments name frames by their numbers there, and (here N) by those in this file.",
                     fmt::join(names, " and "));
}

Error with_rest(const PcapngWriter& writer) {
  if (writer.packets() == 0) return *writer.error();
  return {fmt::format(
      "{}. {} in it", writer.error()->message,
      writer.packets() == 1 ? "The first packet is" : "The first " + text::count(writer.packets(), "packet") + " are")};
}

Result<ExitCode> run_extract(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Result<InputOptions> options = input_options(arguments, "extract");
  if (!options) return options.error();
  const GivenOption* output = arguments.last(kExtractWrite);
  if (output == nullptr) return Error{"no file to write given: -w FILE, or -w - for standard output"};
  const Result<std::vector<const FindingInfo*>> findings = findings_of(arguments);
  if (!findings) return findings.error();
  const std::optional<Error> once = check_can_be_read_twice(*options);
  if (once && !findings->empty()) return *once;
  std::optional<CommandSpans> commands;
  const bool comment = !arguments.has(kNoComments);
  if (!once && (comment || !findings->empty())) {
    const Result<Report> report = read_whole(*options, invocation.messages);
    if (!report) return report.error();
    if (!findings->empty()) {
      if (std::optional<Error> error = narrow_to_findings(*findings, *report, arguments, *options)) return *error;
    }
    if (comment && !report->commands.commands.empty()) commands.emplace(report->commands.commands);
  }
  if (interrupted()) return ExitCode::kInterrupted;
  const std::vector<std::string> files = options->files;
  options->notes = true;
  if (!once) options->ahead = ReadingAhead::kInOwnThread;  // files, which never wait
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(std::move(*options), invocation.messages);
  if (!input) return input.error();
  const PcapngSection section{.application = fmt::format("{} {}", kProgramName, version()),
                              .comment = section_comment(files)};
  const Result<std::unique_ptr<PcapngWriter>> created = PcapngWriter::create(output->value, section, files);
  if (!created) return created.error();
  PcapngWriter& writer = **created;
  invocation.messages.start_progress();
  (*input)->take_express_lane();
  const std::uint64_t commented = copy_packets(**input, comment, commands ? &*commands : nullptr, writer);
  if (!writer.finish()) return with_rest(writer);
  const std::string_view name = output->value == "-" ? std::string_view("standard output") : output->value;
  if (std::optional<Error> error = (*input)->check_numbers()) return *std::move(error);
  if (writer.packets() == 0) {
    invocation.messages.warning(fmt::format("no packet matches: {} has none", name));
  }
  (*input)->finish(arguments.has(kVerbose));
  if (arguments.has(kVerbose)) {
    invocation.messages.note(fmt::format("{}: {}, {} with a new comment, {}", name,
                                         text::count(writer.packets(), "packet"), text::count(commented),
                                         text::count(writer.interfaces(), "interface")));
  }
  return ExitCode::kDone;
}

constexpr Example kExtractExamples[] = {
    {"rocescope extract --connection 1 -w one.pcapng lab.pcapng", "a connection"},
    {"rocescope extract -w annotated.pcapng lab.pcapng", "all packets, with comments"},
    {"rocescope extract --message 7 --message 8 -w two.pcapng lab.pcapng", "two messages"},
    {"rocescope extract -Y infiniband.aeth -w answers.pcapng lab.pcapng", "what passes a filter"},
    {"rocescope extract --qpn 0x11 -w - lab.pcapng | capinfos -", "one queue pair, to another program"},
};

constexpr const Option* kAlso[] = {&kExtractFinding};
constexpr const Option* kExtractOutput[] = {&kExtractWrite, &kNoComments};
constexpr const Option* kExtractGeneral[] = {&kQuiet, &kVerbose, &kHelp};
constexpr OptionGroup kExtractOptions[] = {
    kInputOptions, kNarrowOptions, {"Of findings", kAlso}, {"Output", kExtractOutput}, {"Other", kExtractGeneral}};

constexpr Section kExtractSections[] = {
    {"DESCRIPTION", R"(
Writes the packets that pass all conditions into a pcapng file: their bytes, original lengths, times to the nanosecond
and comments as they were, their interfaces with name, description, filter, operating system, link type, snap length
and count of lost packets. The interfaces of several captures, or sections, become those of one section. Host
names and decryption secrets in a capture are left out.

Each packet gets the verdict that `dissect` shows as a comment. Wireshark shows it in front of the packet and finds it
with the filter frame.comment. A packet in order gets no comment. A verdict takes all packets of the capture into
account, written or not. Comments name frames by their numbers in the capture, as the other commands do, and in
parentheses by their numbers in the new file, where these differ:

  frame 1215: retransmission of 1204 (here 12), asked for by the NAK in 1210 (here 18)

A packet that begins or ends a command of a protocol above RoCE says so, with the number of the command in the
commands.csv of `analyze`, which packet has its other end, how long it took, how much of that was the target's time, and
how it ended. A message with several commands has a comment for each, up to 8. For this the captures are read twice:
from a pipe there are no such comments.

  NVMe-oF Read, command 17: issued in packet 12, completed here after 1.20 ms (43.0 us target), Success

--connection leaves out the CM messages that set up the connection: they belong to queue pair 1.)"},
    kInputSection,
    kFilterSection,
};

constexpr Command kExtractCommand{
    .name = "extract",
    .summary = "write packets into a pcapng file, with verdicts as comments",
    .operands = "FILE...",
    .operand_completion = Completion::kFiles,
    .examples = kExtractExamples,
    .options = kExtractOptions,
    .sections = kExtractSections,
    .run = run_extract,
};

}  // namespace

const Command& extract_command() { return kExtractCommand; }

}  // namespace rocescope::cli
