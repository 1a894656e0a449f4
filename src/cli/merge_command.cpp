// `rocescope merge`: the report of a partial result.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "cli/commands.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/program.hpp"
#include "cli/report_options.hpp"
#include "partial/partial.hpp"
#include "render/report/report_json.hpp"
#include "rocescope/render.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kMergeJson{.name = "json", .help = "the report as one JSON document"};

Result<ExitCode> run_merge(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  const std::span<const std::string> files = arguments.operands();
  if (files.empty()) return Error{"merge needs the name of a partial result, which `analyze --partial` writes"};
  if (files.size() > 1) return Error{"merge takes one partial result so far"};
  Result<partial::PartialReader> reader = partial::PartialReader::open(files.front(), version());
  if (!reader) return reader.error();
  if (arguments.has(kCsv) && !reader->has_messages()) {
    return Error{
        fmt::format("{} has no messages, and --csv writes them: analyze it without --no-messages", files.front())};
  }
  Result<std::optional<CsvFolder>> csv = open_csv(arguments);
  if (!csv) return csv.error();
  MessageVisitor on_message;
  if (*csv) {
    on_message = [&](const Connection& connection, std::size_t side, const Message& message) {
      (*csv)->add(connection, side, message);
    };
  }
  Observations observations;
  if (std::optional<Error> error = reader->read(on_message, observations)) return *std::move(error);
  const Report report = conclude(std::move(observations));
  if (*csv) (*csv)->finish(report);
  if (arguments.has(kMergeJson)) {
    render::append_report_json(report, output.text());
  } else {
    render::append_report_text(report, output.text(), report_style(arguments, output));
  }
  output.flush();
  if (*csv && (*csv)->error()) return *(*csv)->error();
  return exit_code(report, arguments);
}

constexpr Example kMergeExamples[] = {
    {"rocescope analyze --partial lab.rsp lab.pcapng", "a partial result"},
    {"rocescope merge --json lab.rsp", "the report that analyze --json gave"},
};

constexpr const Option* kMergeReport[] = {&kMergeJson, &kCsv, &kFailOn, &kColor};
constexpr const Option* kMergeGeneral[] = {&kQuiet, &kAll, &kHelp};
constexpr OptionGroup kMergeOptions[] = {{"Report", kMergeReport}, {"Other", kMergeGeneral}};

std::span<const Section> merge_sections() {
  static const Section kSections[] = {
      {"PARTIAL RESULTS", R"(
A partial result is what `analyze --partial` read of captures: every row of the report, histograms, rates, the evidence
for findings, and the messages; no packets. Findings are drawn here, by the same rules, so that the report is the one that
analyze gives of the captures, byte for byte.

The file is compressed, and each of its sections has checksums. If any of it is damaged or missing, merge names the section
and reports nothing. A partial result of a version of rocescope whose tables are others is refused, too: its first section
says in words what every other one holds.)"},
  };
  return kSections;
}

}  // namespace

const Command& merge_command() {
  static const Command kCommand{
      .name = "merge",
      .summary = "report on a partial result, which analyze --partial writes",
      .operands = "FILE",
      .operand_completion = Completion::kFiles,
      .examples = kMergeExamples,
      .options = kMergeOptions,
      .sections = merge_sections(),
      .run = run_merge,
  };
  return kCommand;
}

}  // namespace rocescope::cli
