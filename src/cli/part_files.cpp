#include "cli/part_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "capture/own_thread.hpp"
#include "cli/program.hpp"
#include "partial/message_merging.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

/// What reading a file came to.
struct ReadPart {
  partial::Part part;
  bool has_messages = false;
  std::optional<Error> error;
  std::exception_ptr failure;  // such as no memory
};

void read_part(const PartFile& file, bool needs_messages, ReadPart& read) noexcept {
  try {
    Result<partial::PartialReader> reader = partial::PartialReader::open(file.name, version(), file.start);
    if (!reader) {
      read.error = reader.error();
      return;
    }
    read.has_messages = reader->has_messages();
    read.part.name = file.name;
    read.part.start = file.start;
    read.error =
        needs_messages && !read.has_messages ? reader->lacks_messages() : reader->read({}, read.part.observations);
  } catch (...) {
    read.failure = std::current_exception();
  }
}

/// Reads the files in as many threads as there are processors. Of those behind one that cannot be read, some are left out.
void read_all(std::span<const PartFile> files, bool needs_messages, std::span<ReadPart> read) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  const auto work = [&] {
    while (!has_failed) {  // what a thread has taken it reads, so that all before one that fails are read
      const std::size_t i = next++;
      if (i >= files.size()) return;
      read_part(files[i], needs_messages, read[i]);
      if (read[i].error || read[i].failure) has_failed = true;
    }
  };
  std::vector<std::thread> others(std::min<std::size_t>(files.size(), std::thread::hardware_concurrency()));
  if (!others.empty()) others.pop_back();  // one of them is this one
  for (std::thread& other : others) other = own_thread(work);
  work();
  for (std::thread& other : others) {
    if (other.joinable()) other.join();
  }
}

}  // namespace

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

Result<MergedParts> read_parts(std::span<const PartFile> files, bool needs_messages) {
  std::vector<ReadPart> read(files.size());
  read_all(files, needs_messages, read);
  std::vector<partial::Part> parts;
  bool has_messages = true;
  for (ReadPart& each : read) {
    if (each.failure) std::rethrow_exception(each.failure);
    if (each.error) return *std::move(each.error);
    has_messages = has_messages && each.has_messages;
    parts.push_back(std::move(each.part));
  }
  Result<Observations> merged = partial::merge(parts);
  if (!merged) return merged.error();
  MergedParts all{.parts = std::move(parts), .observations = std::move(*merged)};
  const ShardFacts& shard = all.observations.shard;
  all.renumbers = shard.count > 0 && shard.whole_for.empty();
  all.has_messages = has_messages;
  all.is_whole = partial::missing_shards(all.observations).empty();
  if (all.is_whole) all.excess = partial::complete(all.observations).value_or("");
  return all;
}

Result<MergedParts> merge_parts(std::span<const PartFile> files, bool needs_messages) {
  Result<MergedParts> all = read_parts(files, needs_messages);
  if (all && !all->excess.empty()) return Error{all->excess + ". Analyze the captures without --shard"};
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
