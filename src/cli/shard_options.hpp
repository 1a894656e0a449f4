// --shard: a part of the host pairs alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/input_options.hpp"
#include "cli/option.hpp"
#include "rocescope/detail/shard.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

inline constexpr Option kShard{
    .name = "shard",
    .argument = "I/N",
    .help = "follow the I-th of N parts of the host pairs alone",
    .more =
        R"(N programs, on one machine or many, read the same captures and each follows a part of them; `merge` makes the report of
           all of their partial results, the same as without --shard. N is 64 at most. SHARDS below says when one of them has to follow
           all.)"};
inline constexpr Option kJobs{
    .name = "jobs",
    .argument = "N",
    .help = "analyze with N processes",
    .more =
        R"(As N programs with --shard do, one after the other being merged. Takes N processors, and room for their partial results in
           TMPDIR. If the packets cannot be shared out (SHARDS below), a warning says so, and one process does it.)"};

/// None: --shard is not given.
[[nodiscard]] Result<std::optional<Shard>> read_shard(const Arguments& arguments);
/// None: --jobs is not given.
[[nodiscard]] Result<std::optional<std::uint32_t>> read_jobs(const Arguments& arguments);

/// The options that change what is counted, as they were given; not the files.
[[nodiscard]] std::vector<std::string> counting_words(const Arguments& arguments);
/// What is asked of each shard in the same words: options that change what is counted, then the files.
[[nodiscard]] std::vector<std::string> shard_words(const Arguments& arguments, const InputOptions& options);

/// Why shards cannot know what the options ask for, so that the first one has to follow all packets; empty: they can.
[[nodiscard]] std::string reason_for_whole(const InputOptions& options);

}  // namespace rocescope::cli
