#include "cli/part_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "cli/program.hpp"
#include "partial/message_merging.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {

Result<std::vector<partial::Part>> read_heads(std::span<const std::string> files) {
  std::vector<partial::Part> heads;
  for (const std::string& file : files) {
    std::uint64_t start = 0;
    do {
      Result<partial::PartialReader> reader = partial::PartialReader::open(file, version(), start);
      if (!reader) return reader.error();
      partial::Part& part =
          heads.emplace_back(partial::Part{.name = file, .start = start, .observations = {}, .connections = {}});
      start = reader->next();
      if (std::optional<Error> error = reader->read_head(part.observations)) return *std::move(error);
    } while (start != 0);
  }
  return heads;
}

Result<MergedParts> merge_parts(std::span<const PartFile> files, bool needs_messages) {
  std::vector<partial::Part> parts;
  bool has_messages = true;
  for (const PartFile& file : files) {
    Result<partial::PartialReader> reader = partial::PartialReader::open(file.name, version(), file.start);
    if (!reader) return reader.error();
    has_messages = has_messages && reader->has_messages();
    if (needs_messages && !has_messages) return reader->lacks_messages();
    partial::Part& part = parts.emplace_back(
        partial::Part{.name = file.name, .start = file.start, .observations = {}, .connections = {}});
    if (std::optional<Error> error = reader->read({}, part.observations)) return *std::move(error);
  }
  Result<Observations> merged = partial::merge(parts);
  if (!merged) return merged.error();
  MergedParts all{.parts = std::move(parts), .observations = std::move(*merged)};
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
    Result<partial::PartialReader> reader = partial::PartialReader::open(part.name, version(), part.start);
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
