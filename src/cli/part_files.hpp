// The files that `rocescope merge` reads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "partial/merging.hpp"
#include "partial/partial.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// A partial result: a file, or what begins at a byte of it, where it has those of several capture points.
struct PartFile {
  std::string name;
  std::uint64_t start = 0;
};

/// What says which captures each result in the files is of: PartialReader::read_head().
[[nodiscard]] Result<std::vector<partial::Part>> read_heads(std::span<const std::string> files);

/// Partial results of the same captures, put together.
struct MergedParts {
  std::vector<partial::Part> parts;  ///< what went through partial::merge()
  Observations observations;         ///< complete, if `is_whole`
  bool renumbers = false;            ///< they are shards, and none has all
  bool is_whole = true;              ///< no shard is missing
  bool has_messages = true;          ///< all of them
  std::string excess;                ///< why partial::complete() cannot complete them; empty: it did, or has not to
};
/// Reads all but the messages of the files. Fails where one has none and `needs_messages`.
[[nodiscard]] Result<MergedParts> read_parts(std::span<const PartFile> files, bool needs_messages);
/// The same; fails where there is an excess.
[[nodiscard]] Result<MergedParts> merge_parts(std::span<const PartFile> files, bool needs_messages);

[[nodiscard]] std::optional<Error> show_messages(const MergedParts& merged,
                                                 const std::function<void(const partial::MessageRecord&)>& show);

/// Which shards are missing, in words.
[[nodiscard]] Error missing_text(const MergedParts& merged);

}  // namespace rocescope::cli
