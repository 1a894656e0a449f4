// `rocescope dissect`: shows packets.
#include <string>
#include <utility>

#include "cli/commands.hpp"
#include "cli/connection_numbers.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/input_options.hpp"
#include "cli/input_sections.hpp"
#include "cli/packet_input.hpp"

namespace rocescope::cli {
namespace {

void show_packets(PacketInput& input, render::PacketPrinter& printer, Output& output) {
  printer.begin(output.text());
  while (const PacketRecord* record = input.next()) {
    printer.packet(*record, output.text());
    input.analysis().mark_displayed();
    output.commit();
    if (input.may_wait()) output.flush();
    if (output.error()) return;
  }
  printer.end(output.text());
  output.flush();
}

Result<ExitCode> run_dissect(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  Result<InputOptions> options = input_options(arguments, "dissect");
  if (!options) return options.error();
  const Result<std::unique_ptr<render::PacketPrinter>> printer = make_printer(arguments, output);
  if (!printer) return printer.error();
  options->parts = (*printer)->parts() | options->parts_to_choose();
  if (!check_can_be_read_twice(*options)) options->ahead = ReadingAhead::kInOwnThread;  // files, which never wait
  const Result<std::unique_ptr<PacketInput>> opened = PacketInput::open(std::move(*options), invocation.messages);
  if (!opened) return opened.error();
  PacketInput& input = **opened;
  if (arguments.has(kLineBuffered)) output.flush_always();
  if (!output.is_terminal()) invocation.messages.start_progress();
  input.take_express_lane();
  show_packets(input, **printer, output);
  if (output.error()) return ExitCode::kDone;
  input.finish(arguments.has(kVerbose));
  if (std::optional<Error> error = input.check_numbers()) return *std::move(error);
  return ExitCode::kDone;
}

constexpr Example kDissectExamples[] = {
    {"rocescope dissect lab.pcapng", "one line per packet"},
    {"rocescope dissect -V -c 1 lab.pcapng", "every field of the first packet"},
    {"rocescope dissect -Y 'infiniband.aeth.syndrome.opcode == 3' lab.pcapng", "the NAKs"},
    {"rocescope dissect -T fields -e frame.number -e infiniband.bth.psn lab.pcapng", "two columns of numbers"},
    {"rocescope dissect --qpn 0x11 -T ndjson lab.pcapng.zst | jq .", "one queue pair, as JSON"},
    {"ssh host sudo tcpdump -i eth0 -U -w - udp port 4791 | rocescope dissect -", "packets as they come"},
};

constexpr const Option* kDissectGeneral[] = {&kQuiet, &kVerbose, &kHelp};
constexpr OptionGroup kDissectOptions[] = {kInputOptions, kNarrowOptions, kFormatOptions, {"Other", kDissectGeneral}};

constexpr Section kDissectSections[] = {
    {"DESCRIPTION", R"(
Shows every packet of the captures, whatever it carries; -Y and the options beside it choose.)"},
    kInputSection,
    kFilterSection,
};

constexpr Command kDissectCommand{
    .name = "dissect",
    .summary = "show packets: a line each, every field, or the fields you name",
    .operands = "FILE...",
    .operand_completion = Completion::kFiles,
    .examples = kDissectExamples,
    .options = kDissectOptions,
    .sections = kDissectSections,
    .run = run_dissect,
};

}  // namespace

const Command& dissect_command() { return kDissectCommand; }

}  // namespace rocescope::cli
