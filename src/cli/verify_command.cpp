// `rocescope verify`: compares a capture with what the programs at both ends recorded.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/input_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/packet_input.hpp"
#include "cli/signals.hpp"
#include "render/report/agreement_json.hpp"
#include "render/report/agreement_text.hpp"
#include "truth/result_folder.hpp"
#include "truth/truth_file.hpp"
#include "verify/verify.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kVerifyTruth{
    .name = "truth",
    .argument = "FILE",
    .help = "a truth file of rdmagen or the lab",
    .more = R"(Or the folder of a run of the lab, for all its truth files. Without it FILE.ndjson beside FILE.pcapng
           is read, if there is one; to verify a folder, the truth files in it are read.)",
    .completion = Completion::kFiles,
    .repeatable = true};
constexpr Option kVerifyJson{.name = "json", .help = "the result as one JSON document"};
constexpr Option kVerifyAll{
    .name = "verbose", .letter = 'v', .help = "every difference, not 20; describe the captures"};

/// The files that --truth names, else the ones in the folder or beside the captures that the user named.
Result<std::vector<std::string>> truth_files(const Arguments& arguments, const std::vector<std::string>& captures) {
  std::vector<std::string> files = arguments.values(kVerifyTruth);
  if (!files.empty()) return files;
  for (const std::string& capture : captures) {
    if (truth::is_folder(capture)) return std::vector{capture};
    if (capture == "-") continue;
    const std::string beside = std::filesystem::path(capture).replace_extension(".ndjson").string();
    if (beside != capture && ::access(beside.c_str(), F_OK) == 0) files.push_back(beside);
  }
  if (files.empty()) {
    return Error{"no truth given, and there is none beside the capture. Usage: rocescope verify --truth FILE CAPTURE"};
  }
  return files;
}

Agreement compare(PacketInput& input, const truth::Truth& truth) {
  verify::MessageList list;
  input.analysis().on_message([&list](const Connection& connection, std::size_t side, const Message& message) {
    list.add(connection, side, message);
  });
  const Report report = input.report();
  return verify::verify(truth, report, list);
}

/// Compares the captures that `options` name, read as one. `name` is their name in the result, if they lie in a result folder;
/// empty: none.
Result<ExitCode> verify_captures(InputOptions options, const Result<std::vector<std::string>>& files,
                                 std::string_view name, Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  options.ahead = ReadingAhead::kInOwnThread;
  options.purpose = Purpose::kReport;
  // An unreadable capture first: a mistyped name has no truth beside it either.
  const Result<std::unique_ptr<PacketInput>> input = PacketInput::open(std::move(options), invocation.messages);
  if (!input) return input.error();
  if (!files) return files.error();
  const Result<truth::Truth> truth = truth::read_truth(*files);
  if (!truth) return truth.error();
  invocation.messages.start_progress();
  const Agreement agreement = compare(**input, *truth);
  if (arguments.has(kVerifyJson)) {
    render::append_agreement_json(agreement, name, output.text());
  } else {
    const std::string_view place = name.empty() ? "beside the capture" : "in the folder";
    render::append_agreement_text(agreement,
                                  {.all = arguments.has(kVerifyAll),
                                   .found = arguments.has(kVerifyTruth) ? std::string_view() : place,
                                   .color = wants_color(arguments, output),
                                   .capture = name.empty() ? "The capture" : name},
                                  output.text());
  }
  output.flush();
  if (!output.error()) (*input)->finish(arguments.has(kVerifyAll));
  if (!agreement.compares()) return ExitCode::kError;
  return agreement.agrees() ? ExitCode::kDone : ExitCode::kFinding;
}

/// Compares each capture of a result folder of the lab: all of them show the same packets.
Result<ExitCode> verify_folder(const std::string& folder, Invocation& invocation) {
  const Result<std::vector<std::string>> captures = truth::captures_in(folder);
  if (!captures) return captures.error();
  const Result<std::vector<std::string>> truths = truth_files(invocation.arguments, {folder});
  ExitCode worst = ExitCode::kDone;
  for (const std::string& capture : *captures) {
    if (interrupted()) return ExitCode::kInterrupted;
    Result<InputOptions> options = input_options(invocation.arguments, "verify");
    if (!options) return options.error();
    options->files = {capture};
    if (&capture != &captures->front() && !invocation.arguments.has(kVerifyJson)) invocation.output.text() += '\n';
    const Result<ExitCode> code = verify_captures(std::move(*options), truths, capture, invocation);
    if (!code) invocation.messages.error(code.error().message);  // the others may be sound
    worst = std::max(worst, code ? *code : ExitCode::kError);
  }
  return worst;
}

Result<ExitCode> run_verify(Invocation& invocation) {
  Result<InputOptions> options = input_options(invocation.arguments, "verify");
  if (!options) return options.error();
  if (options->files.size() == 1 && truth::is_folder(options->files.front())) {
    return verify_folder(options->files.front(), invocation);
  }
  const Result<std::vector<std::string>> truths = truth_files(invocation.arguments, options->files);
  return verify_captures(std::move(*options), truths, {}, invocation);
}

constexpr Example kVerifyExamples[] = {
    {"rocescope verify lab-results/rdmagen-cm-mixed", "what a run of the lab left"},
    {"rocescope verify --truth server.ndjson --truth client.ndjson run.pcapng", "what both sides wrote"},
    {"rocescope verify run.pcapng", "the truth is run.ndjson, beside the capture"},
    {"rocescope verify --json run.pcapng | jq .differences", "as JSON"},
};

constexpr const Option* kTruthTable[] = {&kVerifyTruth};
constexpr const Option* kResult[] = {&kVerifyJson, &kColor};
constexpr const Option* kVerifyGeneral[] = {&kQuiet, &kVerifyAll, &kHelp};
constexpr OptionGroup kVerifyOptions[] = {
    {"Truth", kTruthTable}, kInputOptions, {"Result", kResult}, {"Other", kVerifyGeneral}};

std::span<const Section> verify_sections() {
  static const Section kSections[] = {
      {"DESCRIPTION", R"(
Compares a capture with the truth: the files in which `rdmagen --truth` and the lab record what they did. In a folder
that a run of the lab left, it compares each capture of the wire with all truth files; if there is no capture of the
wire, the one made inside a machine. A capture must be whole, from before the connections were set up. The exit code is
0 if all agrees, 1 if something differs, 2 if nothing could be compared.)"},
      {"READING THE RESULT", R"(
Each row has one kind of fact. "in the truth" is what the truth files say: their number, or how many lines say it. It
does not depend on the capture. "in the capture" is what the capture shows. "agree" is how many are the same.

A row below it with "only in the truth", "only in the capture" or "in both" explains a part of the difference: how much,
and why. A reason explains no more than it can: 18 lost packets explain a difference of 18, and not one of 19. "in both"
are facts that both sides have and that cannot be compared. "differing" is what is neither the same nor explained. The
capture agrees with the truth if it is 0 in each row.

For example, rcvd_seq_err of the client is 23 in the truth and 28 in the capture: the device counted 23 NAKs, and the
capture has 28. The row below it has "only in the capture", 5, and the reason: rxe does not count NAKs that acknowledge
nothing new, and 5 of the 28 are of that kind.)"},
      {"WHAT IS COMPARED", R"(
queue pairs: each that posted work is in the capture, and no other is at the addresses of the truth. Their peers'
addresses, the PSN of their first request and the path MTU, where the truth has them.

states: the states of a connected queue pair in their order, without their times. The truth must have each state that
the capture shows. Explained: a state that was passed through before one that the capture shows, INIT, RTR, RTS of a
queue pair that sent nothing, and ERR after a local error, which the capture lacks; and ERR of a program that was killed,
whose queue pairs the kernel puts into that state, which the truth lacks.

messages: work requests and messages of a connected queue pair are paired in their order, one to one, and compared:
opcode, bytes, remote address, R_Key, immediate, the R_Key to invalidate, and the PSN that follows from the requests before.
After a difference, the place where both match again shows which of them are missing or extra. Explained: work requests
that were flushed, or whose program ended first, if no later one was sent.

bytes: those of SEND, WRITE, READ and ATOMIC WRITE. If the bytes of a message differ, all of them count as differing.

outcomes: the completions of work requests beside the acknowledgement, the NAK, or the lack of both. Explained: requests
without a completion, which succeeded when a later one did, and those of a program that ended first; completions of
requests that were flushed or failed locally; and outcomes where only the direction of the requests was captured.

receives: bytes and immediate of each receive that succeeded, beside the SENDs and WRITEs with immediate to its queue
pair, in order. Explained: messages that no response acknowledges, those after the last receive of a program that ended
first, and on UC those that no receive has.

keys and regions: R_Keys that work requests and packets name; and whether all that was carried out lies within memory
that was registered under its key.

datagrams: messages, bytes and immediates of each pair of UD queue pairs.

CM requests, established, rejects, disconnects: the program's events beside REQ and SIDR_REQ, REP and SIDR_REP, REJ by
reason, DREQ.

RoCE packets: all that the capture has, beside what the devices of the lab sent, and beside what they received. Counters:
by how much those of the device of each host grew, beside what the capture makes of them (see `rocescope analyze -v`),
under the name that mlx5 or rxe gives them. Explained: packets that were lost before or behind the capture point and
copies that the network made, as many as one device sent and the other did not receive, or the other way round; damaged
packets; packets that are in the capture twice. Where a device and the capture saw different numbers of packets, each of
those may be one that another counter counts. rxe leaves NAKs that acknowledge nothing new out of rcvd_seq_err.)"},
      kInputSection,
      {"JSON", render::agreement_json_documentation()},
  };
  return kSections;
}

}  // namespace

const Command& verify_command() {
  static const Command kCommand{
      .name = "verify",
      .summary = "compare a capture with the truth that rdmagen or the lab wrote",
      .operands = "FILE...",
      .operand_completion = Completion::kFiles,
      .examples = kVerifyExamples,
      .options = kVerifyOptions,
      .sections = verify_sections(),
      .run = run_verify,
  };
  return kCommand;
}

}  // namespace rocescope::cli
