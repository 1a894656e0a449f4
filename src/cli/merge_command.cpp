// `rocescope merge`: the report of partial results.
#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/format_options.hpp"
#include "cli/general_options.hpp"
#include "cli/merging.hpp"
#include "cli/part_page.hpp"
#include "cli/partial_file.hpp"
#include "cli/report_options.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kMergeJson{.name = "json", .help = "the report as one JSON document"};
constexpr Option kMergePartial{.name = "partial",
                               .argument = "FILE",
                               .help = "write one partial result of all to FILE, and no report",
                               .more = "An existing file is never overwritten. FILE has its name once it is complete.",
                               .completion = Completion::kFiles};

Result<ExitCode> run_merge(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const std::vector<std::string>& files = arguments.operands();
  if (files.empty()) return Error{"merge needs the names of partial results, which `analyze --partial` writes"};
  Result<std::unique_ptr<PartialFile>> partial = PartialFile::open(arguments, kMergePartial);
  if (!partial) return partial.error();
  for (const Option* const option : {&kMergeJson, &kCsv, &kMergeHtml, &kFailOn}) {
    if (*partial && arguments.has(*option))
      return Error{fmt::format("--partial writes no report, so --{} does nothing with it", option->name)};
  }
  return merge_files(files, arguments.has(kMergeJson), partial->get(), invocation);
}

constexpr Example kMergeExamples[] = {
    {"rocescope analyze --partial lab.rsp lab.pcapng", "a partial result"},
    {"rocescope merge --json lab.rsp", "the report that analyze --json gave"},
    {"rocescope analyze --shard 1/2 --partial 1.rsp lab.pcapng", "one half of the host pairs"},
    {"rocescope analyze --shard 2/2 --partial 2.rsp lab.pcapng", "the other half"},
    {"rocescope merge --json 1.rsp 2.rsp", "the report of both halves"},
    {"rocescope analyze --partial run.rsp run.pcapng", "the capture of another host"},
    {"rocescope merge lab.rsp run.rsp", "of both hosts: two reports, and what was lost between"},
};

constexpr const Option* kMergeReport[] = {&kMergeJson,       &kCsv,    &kMergeHtml, &kMergePartial,
                                          &kMergeNoMessages, &kFailOn, &kColor};
constexpr const Option* kMergeGeneral[] = {&kQuiet, &kAll, &kHelp};
constexpr OptionGroup kMergeOptions[] = {{"Report", kMergeReport}, {"Other", kMergeGeneral}};

std::span<const Section> merge_sections() {
  static const Section kSections[] = {
      {"PARTIAL RESULTS", R"(
A partial result is what `analyze --partial` read of captures: every row of the report, histograms, rates, the evidence
for findings, and the messages; no packets. Findings are drawn here, by the same rules, so that the report is the one that
analyze gives of the captures, byte for byte.

The results of all shards of the same captures (`analyze --shard`), in any order, give the report of an analysis without
--shard. With --partial, some of them are put together into one partial result, which is merged with others later; all of
them into the one of an analysis without --shard, which export loads. Results of several capture points follow each other in the file, also where
shards of some of them are missing. If a shard is missing or there twice, or if the captures or the options were not the same, merge
says so and reports nothing. It knows captures by the names that analyze was given: those of other hosts need others.

Results of captures at several points, mostly on different hosts, give one report for each analysis, those that begin first
before others: each is the report that analyze gives of it, with the points numbered over all of them. Frames are numbered as
there, so that filters work on its captures. With --json they are in the array `reports` of one document; with --csv each is in
a folder of its own, named after the number of its first point, with --html a page in a folder. Each lists its own
points and those that it is compared with. One of them is in memory at a time.

What several points saw of one direction of a queue pair is compared by its messages, in the section "Between capture points" of
their reports: how many request packets of each message came to both, which messages came to one of them only, how long they
took by both clocks, and from both directions which point they pass first. Packets count as lost if the one point saw
more of a message than the other before it was answered there; that is at least what was lost, or damaged so that nothing
names it. READ responses are counted between READs whose responses both points saw once each. ACKs are not compared, nor
are packets from times when one of the points was not watched. Of a queue pair that more than four points saw, four are
compared. The clocks of hosts may differ by any time; a queue pair that sends 2^24 packets
within the difference needs clocks that agree better than that.

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
      .summary = "report on partial results, which analyze --partial writes",
      .operands = "FILE...",
      .operand_completion = Completion::kFiles,
      .examples = kMergeExamples,
      .options = kMergeOptions,
      .sections = merge_sections(),
      .run = run_merge,
  };
  return kCommand;
}

}  // namespace rocescope::cli
