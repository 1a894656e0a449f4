#include "cli/part_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "cli/program.hpp"
#include "partial/message_merging.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

using ReadPart = std::function<std::optional<Error>(partial::PartialReader&, Observations&)>;

Result<std::vector<partial::Part>> read_each(std::span<const std::string> files, const ReadPart& read) {
  std::vector<partial::Part> parts;
  for (const std::string& file : files) {
    Result<partial::PartialReader> reader = partial::PartialReader::open(file, version());
    if (!reader) return reader.error();
    partial::Part& part = parts.emplace_back(partial::Part{.name = file, .observations = {}, .connections = {}});
    if (std::optional<Error> error = read(*reader, part.observations)) return *std::move(error);
  }
  return parts;
}

}  // namespace

Result<std::vector<partial::Part>> read_heads(std::span<const std::string> files) {
  return read_each(files, [](partial::PartialReader& reader, Observations& observations) {
    return reader.read_head(observations);
  });
}

Result<MergedParts> merge_parts(std::span<const std::string> files, bool needs_messages) {
  bool has_messages = true;
  const auto read = [&](partial::PartialReader& reader, Observations& observations) -> std::optional<Error> {
    has_messages = has_messages && reader.has_messages();
    if (needs_messages && !has_messages) return reader.lacks_messages();
    return reader.read({}, observations);
  };
  Result<std::vector<partial::Part>> parts = read_each(files, read);
  if (!parts) return parts.error();
  Result<Observations> merged = partial::merge(*parts);
  if (!merged) return merged.error();
  MergedParts all{.parts = std::move(*parts), .observations = std::move(*merged)};
  const ShardFacts& shard = all.observations.shard;
  all.renumbers = shard.count > 0 && shard.whole_for.empty();
  all.has_messages = has_messages;
  all.is_whole = partial::missing_shards(all.observations).empty();
  if (!all.is_whole) return all;
  if (std::optional<Error> error = partial::complete(all.observations)) return *std::move(error);
  return all;
}

std::optional<Error> show_messages(const MergedParts& merged,
                                   const std::function<void(const partial::MessageRecord&)>& show) {
  partial::MessageMerging merging(merged.is_whole);
  for (const partial::Part& part : merged.parts) {
    Result<partial::PartialReader> reader = partial::PartialReader::open(part.name, version());
    if (!reader) return reader.error();
    merging.add(std::move(*reader), part, merged.renumbers);
  }
  return merging.run(show);
}

Error missing_text(const MergedParts& merged) {
  const std::vector<std::uint32_t> missing = partial::missing_shards(merged.observations);
  return {fmt::format("{} {} of {} {} missing: merge needs all of them, or --partial to put some together",
                      text::plural(missing.size(), "shard", "shards"), fmt::join(missing, ", "),
                      merged.observations.shard.count, text::plural(missing.size(), "is", "are"))};
}

}  // namespace rocescope::cli
