#include "cli/merging.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "cli/program.hpp"
#include "cli/report_options.hpp"
#include "partial/merging.hpp"
#include "partial/message_merging.hpp"
#include "partial/partial.hpp"
#include "render/report/report_json.hpp"
#include "rocescope/render.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

Error missing_text(const Observations& merged) {
  const std::vector<std::uint32_t> missing = partial::missing_shards(merged);
  return {fmt::format("{} {} of {} {} missing: merge needs all of them, or --partial to put some together",
                      text::plural(missing.size(), "shard", "shards"), fmt::join(missing, ", "), merged.shard.count,
                      text::plural(missing.size(), "is", "are"))};
}

/// Reads all but the messages of the files.
Result<std::vector<partial::Part>> read_parts(std::span<const std::string> files, bool needs_messages) {
  std::vector<partial::Part> parts;
  for (const std::string& file : files) {
    Result<partial::PartialReader> reader = partial::PartialReader::open(file, version());
    if (!reader) return reader.error();
    if (needs_messages && !reader->has_messages()) {
      return Error{fmt::format("{} has no messages, which are needed here: analyze it without --no-messages", file)};
    }
    partial::Part& part = parts.emplace_back(partial::Part{.name = file, .observations = {}, .connections = {}});
    if (std::optional<Error> error = reader->read({}, part.observations)) return *std::move(error);
  }
  return parts;
}

/// Shows the messages of `parts`, which were merged. `renumbers`: they are shards, of which none has all.
std::optional<Error> show_messages(const std::vector<partial::Part>& parts, bool renumbers, bool is_whole,
                                   const std::function<void(const partial::MessageRecord&)>& show) {
  partial::MessageMerging merging(is_whole);
  for (const partial::Part& part : parts) {
    Result<partial::PartialReader> reader = partial::PartialReader::open(part.name, version());
    if (!reader) return reader.error();
    merging.add(std::move(*reader), part, renumbers);
  }
  return merging.run(show);
}

}  // namespace

Result<ExitCode> merge_files(std::span<const std::string> files, bool as_json, PartialFile* partial,
                             Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& output = invocation.output;
  const bool needs_messages = arguments.has(kCsv) || (partial != nullptr && partial->has_messages());
  Result<std::vector<partial::Part>> parts = read_parts(files, needs_messages);
  if (!parts) return parts.error();
  Result<Observations> merged = partial::merge(*parts);
  if (!merged) return merged.error();
  const bool renumbers = merged->shard.count > 0 && merged->shard.whole_for.empty();
  const bool is_whole = partial::missing_shards(*merged).empty();
  if (is_whole) {
    if (std::optional<Error> error = partial::complete(*merged)) return *std::move(error);
  }
  if (partial != nullptr) {
    if (partial->has_messages()) {
      const auto add = [&](const partial::MessageRecord& record) { partial->writer().add(record); };
      if (std::optional<Error> error = show_messages(*parts, renumbers, is_whole, add)) return *std::move(error);
    }
    if (std::optional<Error> error = partial->finish(*merged)) return *std::move(error);
    return ExitCode::kDone;
  }
  if (!is_whole) return missing_text(*merged);
  Result<std::optional<CsvFolder>> csv = open_csv(arguments);
  if (!csv) return csv.error();
  if (*csv) {
    Connection connection;
    const auto add = [&](const partial::MessageRecord& record) {
      if (record.connection == 0) return;
      connection.number = record.connection;
      for (std::size_t i = 0; i < 2; ++i) {
        connection.sides[i].address = record.sides[i].address;
        connection.sides[i].qpn = record.sides[i].qpn;
      }
      (*csv)->add(connection, record.side, record.message);
    };
    if (std::optional<Error> error = show_messages(*parts, renumbers, true, add)) {
      (*csv)->remove();
      return *std::move(error);
    }
  }
  const Report report = conclude(std::move(*merged));
  if (*csv) (*csv)->finish(report);
  if (as_json) {
    render::append_report_json(report, output.text());
  } else {
    render::append_report_text(report, output.text(), report_style(arguments, output));
  }
  output.flush();
  if (*csv && (*csv)->error()) return *(*csv)->error();
  return exit_code(report, arguments);
}

}  // namespace rocescope::cli
