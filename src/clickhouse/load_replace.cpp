// Loading one capture: its rows replace those that were there.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "clickhouse/answer.hpp"
#include "clickhouse/store.hpp"

namespace rocescope::clickhouse {
namespace {

constexpr std::chrono::seconds kMostWait{60};
constexpr std::chrono::milliseconds kBetweenLooks{200};

/// What a server has of a partition.
struct Partition {
  std::uint64_t rows = 0;       ///< that are counted
  bool may_come_again = false;  ///< old rows may come back when the server starts again
};

/// `parts` has a line for each part: whether it is active, its rows, its first and last block. A replaced part does not
/// come back if another part has its blocks: an active one, or an empty one that current servers make for this purpose.
Partition partition_of(std::string_view parts) {
  struct Blocks {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  Partition partition;
  std::vector<Blocks> covering;
  std::vector<Blocks> replaced;
  unsigned is_active = 0;
  std::uint64_t rows = 0;
  Blocks blocks;
  while (take_number(parts, is_active) && take_number(parts, rows) && take_number(parts, blocks.first) &&
         take_number(parts, blocks.last)) {
    if (is_active != 0) partition.rows += rows;
    (is_active != 0 || rows == 0 ? covering : replaced).push_back(blocks);
  }
  partition.may_come_again = std::ranges::any_of(replaced, [&](const Blocks& gone) {
    return std::ranges::none_of(
        covering, [&](const Blocks& there) { return there.first <= gone.first && gone.last <= there.last; });
  });
  return partition;
}

}  // namespace

std::optional<Error> Load::replace(Server& server, std::size_t table, std::string_view stage,
                                   std::uint64_t rows) const {
  return settle(server, table, rows,
                fmt::format("ALTER TABLE {0}.{1} REPLACE PARTITION {2} FROM {0}.{3}", store_.database(),
                            tables()[table].name, capture_id_, stage));
}

// Before 2023, when a server was killed, parts of a dropped partition came back if they had been merged shortly before.
// A current server refuses to replace a partition by nothing.
std::optional<Error> Load::remove(Server& server, std::size_t table) const {
  constexpr Version kDropsForGood{23, 1};
  if (server.version() >= kDropsForGood) {
    return settle(
        server, table, 0,
        fmt::format("ALTER TABLE {}.{} DROP PARTITION {}", store_.database(), tables()[table].name, capture_id_));
  }
  const std::string nothing = parts_[table].stage + "_empty";
  std::optional<Error> error = run(server, create_stage(table, nothing));
  if (!error) error = replace(server, table, nothing, 0);
  if (!error) error = run(server, drop_stage(nothing));
  return error;
}

// A server of 2018 keeps the files of replaced parts: their rows come back after it was killed, or if it was just
// merging them. Dropping a partition, even one that the table does not have, stops merges and removes such files,
// unless a query reads them.
std::optional<Error> Load::settle(Server& server, std::size_t table, std::uint64_t rows,
                                  const std::string& statement) const {
  const std::string of_table = fmt::format("{}.{}", store_.database(), tables()[table].name);
  const std::string drop_nothing = fmt::format("ALTER TABLE {} DROP PARTITION {}", of_table, kNoCapture);
  const std::string look = fmt::format(
      "SELECT active, rows, min_block_number, max_block_number FROM system.parts WHERE database = '{}' AND table = "
      "'{}' AND "
      "partition = '{}'",
      store_.database(), tables()[table].name, capture_id_);
  const auto end = std::chrono::steady_clock::now() + kMostWait;
  bool is_as_wanted = false;
  while (true) {
    if (!is_as_wanted) {
      if (std::optional<Error> error = run(server, statement)) return error;
    }
    if (std::optional<Error> error = run(server, drop_nothing)) return error;
    const Result<std::string> parts = server.ask(look);
    if (!parts) return parts.error();
    const Partition partition = partition_of(*parts);
    is_as_wanted = partition.rows == rows;
    if (is_as_wanted && !partition.may_come_again) return std::nullopt;
    if (std::chrono::steady_clock::now() > end) {
      return Error{
          is_as_wanted
              ? fmt::format("{}: {} keeps rows that were replaced: a query may be reading them. Repeat the load",
                            server.url(), of_table)
              : fmt::format("{}: {} has {} rows of the capture, not {}: another load may be replacing them",
                            server.url(), of_table, partition.rows, rows)};
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

std::optional<Error> Load::remove_elsewhere() {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    Server& server = *store_.servers()[i];
    if (&server == &owner_ || known_[i].sequence == 0) continue;
    for (std::size_t table = 0; table < kTables; ++table) {
      if (std::optional<Error> error = remove(server, table)) return error;
    }
    if (std::optional<Error> error = enter(server, "moved", nullptr)) return error;
  }
  return std::nullopt;
}

}  // namespace rocescope::clickhouse
