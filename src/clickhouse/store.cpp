#include "clickhouse/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace rocescope::clickhouse {
namespace {

/// Every bit of the result depends on every bit of the number (the end of SplitMix64).
std::uint64_t mixed(std::uint64_t number) noexcept {
  number = (number ^ number >> 30U) * 0xBF58476D1CE4E5B9U;
  number = (number ^ number >> 27U) * 0x94D049BB133111EBU;
  return number ^ number >> 31U;
}

/// By table and column.
using Types = std::map<std::pair<std::string, std::string>, std::string>;

Result<Types> types_at(Server& server, std::string_view database) {
  const Result<std::string> answer =
      server.ask(fmt::format("SELECT table, name, type FROM system.columns WHERE database = '{}'", database));
  if (!answer) return answer.error();
  Types types;
  std::string_view rest = *answer;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    types.emplace(std::pair(line.substr(0, first), line.substr(first + 1, second - first - 1)),
                  line.substr(second + 1));
  }
  return types;
}

/// The statements that make or change the table: it does not exist, or an older version made it.
Result<std::vector<std::string>> changes_of(const Server& server, const Table& table, std::string_view database,
                                            const Types& types) {
  const auto type_of = [&](const std::string& column) {
    const auto type = types.find({std::string(table.name), column});
    return type == types.end() ? std::string_view() : std::string_view(type->second);
  };
  const auto first = types.lower_bound({std::string(table.name), std::string()});
  if (first == types.end() || first->first.first != table.name) return std::vector{create_table(table, database)};
  std::vector<std::string> changes;
  std::optional<Error> error;
  std::string before;
  const auto check = [&](const std::string& name, std::string_view type) {
    const std::string_view there = type_of(name);
    if (there.empty() && !before.empty()) {
      changes.push_back(
          fmt::format("ALTER TABLE `{}`.`{}` ADD COLUMN `{}` {} AFTER `{}`", database, table.name, name, type, before));
    } else if (there != type && !error) {
      error = Error{fmt::format("{}: the column {} of the table {}.{} is {}, not {}: choose another --database",
                                server.url(), name, database, table.name,
                                there.empty() ? std::string_view("not there") : there, type)};
    }
    before = name;
  };
  check(std::string(kCaptureId), type_name(Form::kUInt64));
  for (const Column& column : columns_of(table)) {
    check(column.name, type_name(column.form));
    if (column.flagged) check(flag_of(column), type_name(Form::kUInt8));
  }
  if (error) return *std::move(error);
  return changes;
}

}  // namespace

std::uint64_t capture_id_of(std::string_view name) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return std::max(hash, kNoCapture + 1);
}

Result<Store> Store::open(std::span<const std::string> urls, std::string database, const Access& access) {
  Store store(std::move(database));
  for (const std::string& url : urls) {
    Result<std::unique_ptr<Server>> server = connect(url, access);
    if (!server) return server.error();
    store.servers_.push_back(std::move(*server));
  }
  for (const auto& server : store.servers_) {
    if (std::optional<Error> error = store.prepare(*server)) return *std::move(error);
  }
  return store;
}

std::optional<Error> Store::prepare(Server& server) const {
  // Asks first: a user who may write into a database may not have the right to make one.
  const Result<std::string> is_there =
      server.ask(fmt::format("SELECT count() FROM system.databases WHERE name = '{}'", database_));
  if (!is_there) return is_there.error();
  if (is_there->starts_with('0')) {
    const Result<std::string> made = server.ask(create_database(database_));
    if (!made) return made.error();
  }
  const Result<Types> types = types_at(server, database_);
  if (!types) return types.error();
  std::vector<const Table*> all{&ledger()};
  for (const Table& table : tables()) all.push_back(&table);
  for (const Table* const table : all) {
    const Result<std::vector<std::string>> changes = changes_of(server, *table, database_, *types);
    if (!changes) return changes.error();
    for (const std::string& change : *changes) {
      const Result<std::string> changed = server.ask(change);
      if (!changed) return changed.error();
    }
  }
  return std::nullopt;
}

Server& Store::owner(std::uint64_t capture_id) const {
  const auto score = [&](const std::unique_ptr<Server>& server) {
    return mixed(capture_id ^ capture_id_of(server->url()));
  };
  return **std::ranges::max_element(servers_, {}, score);
}

}  // namespace rocescope::clickhouse
