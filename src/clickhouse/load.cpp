// Loading one capture: its rows are sent and counted.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

#include "clickhouse/answer.hpp"
#include "clickhouse/store.hpp"
#include "rocescope/text.hpp"
#include "schema/tables.hpp"

namespace rocescope::clickhouse {
namespace {

// A server takes all rows of an INSERT or none, if they are fewer than one of its blocks, 1,048,576 rows.
constexpr std::uint64_t kMostRows = 500'000;
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

/// In single quotes.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

std::int64_t now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

/// `INSERT INTO d.t (capture_id,number,...) FORMAT RowBinary`
std::string insert_text(const Table& table, std::string_view database, std::string_view into) {
  std::string text = fmt::format("INSERT INTO {}.{} ({}", database, into, kCaptureId);
  for (const Column& column : columns_of(table)) {
    text += "," + column.name;
    if (column.flagged) text += "," + flag_of(column);
  }
  return text + ") FORMAT RowBinary";
}

}  // namespace

Load::Load(const Store& store, LoadOptions options)
    : store_(store),
      options_(std::move(options)),
      capture_id_(capture_id_of(options_.name)),
      owner_(store.owner(capture_id_)) {
  std::random_device random;
  const std::uint64_t load = std::uint64_t{random()} << 32U | random();
  for (const Table& table : tables()) {
    const std::string stage = fmt::format("stage_{}_{:016x}_{:016x}", table.name, capture_id_, load);
    parts_.push_back({.writer = RowWriter(table, capture_id_),
                      .stage = stage,
                      .insert = insert_text(table, store.database(), stage),
                      .block = {}});
  }
}

Load::~Load() {
  wait();
  for (const Part& part : parts_) {
    if (part.is_made) (void)owner_.ask(drop_stage(part.stage));
  }
}

Result<std::unique_ptr<Load>> Load::begin(const Store& store, LoadOptions options) {
  std::unique_ptr<Load> load(new Load(store, std::move(options)));
  if (std::optional<Error> error = load->start()) return *std::move(error);
  return load;
}

std::optional<Error> Load::start() {
  for (const auto& server : store_.servers()) {
    Known& known = known_.emplace_back();
    if (std::optional<Error> error = look_up(*server, known)) return error;
    if (std::optional<Error> error = drop_stages(*server)) return error;
    sequence_ = std::max(sequence_, known.sequence);
  }
  return enter(owner_, "planned", nullptr);
}

std::optional<Error> Load::run(Server& server, const std::string& statement) const {
  const Result<std::string> answer = server.ask(statement);
  return answer ? std::nullopt : std::optional(answer.error());
}

std::optional<Error> Load::look_up(Server& server, Known& known) const {
  const auto wrong = [&](std::string_view answer) {
    return Error{fmt::format("{}: an answer that cannot be: '{}'", server.url(), answer)};
  };
  const std::string of_capture = fmt::format("FROM {}.loads WHERE capture_id = {}", store_.database(), capture_id_);
  const std::string name = quoted(options_.name);
  const Result<std::string> all =
      server.ask(fmt::format("SELECT countIf(name != {}), max(sequence) {}", name, of_capture));
  if (!all) return all.error();
  std::string_view text = *all;
  std::uint64_t others = 0;
  if (!take_number(text, others) || !take_number(text, known.sequence)) return wrong(*all);
  if (others > 0) {
    return Error{
        fmt::format("{}: another capture has the number {} of '{}' already: --name gives this one another name",
                    server.url(), capture_id_, options_.name)};
  }
  const Result<std::string> last =
      server.ask(fmt::format("SELECT toUInt8(state = 'done'), first_time_known, first_time {} AND state != 'planned' "
                             "ORDER BY sequence DESC LIMIT 1",
                             of_capture));
  if (!last) return last.error();
  text = *last;
  if (text.empty()) return std::nullopt;
  unsigned is_done = 0;
  unsigned has_time = 0;
  std::int64_t first_time = 0;
  if (!take_number(text, is_done) || !take_number(text, has_time) || !take_number(text, first_time))
    return wrong(*last);
  known.is_there = is_done != 0;
  if (has_time != 0) known.first_time = first_time;
  return std::nullopt;
}

std::optional<Error> Load::drop_stages(Server& server) const {
  const Result<std::string> stages = server.ask(
      fmt::format("SELECT name FROM system.tables WHERE database = '{}' AND name LIKE 'stage\\_%\\_{:016x}\\_%'",
                  store_.database(), capture_id_));
  if (!stages) return stages.error();
  std::string_view rest = *stages;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (std::optional<Error> error = run(server, drop_stage(name))) return error;
  }
  return std::nullopt;
}

std::optional<Error> Load::enter(Server& server, std::string_view state, const Report* report) {
  LoadRow row{.name = options_.name,
              .state = state,
              .sequence = ++sequence_,
              .changed = now(),
              .program = options_.program,
              .has_messages = options_.has_messages,
              .packets_filter = options_.packets_filter,
              .totals = {}};
  if (report != nullptr) {
    row.totals = report->totals;
    row.evicted = report->evicted.connections;
    for (std::size_t i = 0; i < kTables; ++i) row.rows[i] = parts_[i].rows;
  }
  std::string block;
  RowWriter(ledger(), capture_id_).append(&row, block);
  return server.insert(insert_text(ledger(), store_.database(), ledger().name), block);
}

void Load::add(const Connection& connection, std::size_t side, const Message& message) {
  const schema::MessageOf row{connection, side, message};
  append(kMessages, &row);
}

void Load::add(const PacketRecord& packet) { append(kPackets, &packet); }

void Load::append(std::size_t table, const void* row) {
  if (error_) return;
  Part& part = parts_[table];
  part.writer.append(row, part.block);
  ++part.rows;
  if (part.rows % kMostRows == 0 || part.block.size() >= kMostBytes) send(table);
}

void Load::send(std::size_t table) {
  wait();
  Part& part = parts_[table];
  if (error_ || part.block.empty()) return;
  if (!part.is_made) {
    part.is_made = true;
    error_ = run(owner_, create_stage(table, part.stage));
    if (error_) return;
  }
  sent_.clear();
  std::swap(sent_, part.block);
  sending_ = std::async(std::launch::async, [this, &part] { return owner_.insert(part.insert, sent_); });
}

void Load::wait() {
  if (!sending_.valid()) return;
  std::optional<Error> error = sending_.get();
  if (error && !error_) error_ = std::move(error);
}

Result<std::uint64_t> Load::count_in(std::string_view stage, std::string_view where) const {
  const Result<std::string> answer =
      owner_.ask(fmt::format("SELECT count() FROM {}.{}{}", store_.database(), stage, where));
  if (!answer) return answer.error();
  std::string_view text = *answer;
  std::uint64_t there = 0;
  if (!take_number(text, there)) return Error{fmt::format("{}: an answer that cannot be: '{}'", owner_.url(), *answer)};
  return there;
}

std::optional<Error> Load::check_counts() const {
  for (const Part& part : parts_) {
    if (!part.is_made) continue;
    const Result<std::uint64_t> there = count_in(part.stage, "");
    if (!there) return there.error();
    if (*there != part.rows) {
      return Error{
          fmt::format("{}: {} rows were sent to {}, and it has {}", owner_.url(), part.rows, part.stage, *there)};
    }
  }
  return std::nullopt;
}

/// Copies the other rows, since a server deletes rows of a table at a time of its choice.
std::optional<Error> Load::drop_messages(std::span<const std::uint32_t> connections) {
  Part& part = parts_[kMessages];
  if (connections.empty() || !part.is_made) return std::nullopt;
  const std::string damaged = fmt::format(" WHERE connection IN ({})", fmt::join(connections, ","));
  const Result<std::uint64_t> dropped = count_in(part.stage, damaged);
  if (!dropped) return dropped.error();
  if (*dropped == 0) return std::nullopt;
  const std::string whole = part.stage + "_whole";
  std::optional<Error> error =
      run(owner_, fmt::format("RENAME TABLE {0}.{1} TO {0}.{2}", store_.database(), part.stage, whole));
  if (!error) error = run(owner_, create_stage(kMessages, part.stage));
  if (!error) {
    error = run(owner_, fmt::format("INSERT INTO {0}.{1} SELECT * FROM {0}.{2} WHERE NOT (connection IN ({3}))",
                                    store_.database(), part.stage, whole, fmt::join(connections, ",")));
  }
  if (std::optional<Error> kept = run(owner_, drop_stage(whole)); !error) error = std::move(kept);
  part.rows -= *dropped;
  if (!error && part.rows == 0) {
    error = run(owner_, drop_stage(part.stage));
    part.is_made = false;
  }
  return error ? error : check_counts();
}

std::optional<Error> Load::check_name(const Report& report) const {
  if (options_.replaces_others) return std::nullopt;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const Known& known = known_[i];
    if (!known.is_there || !known.first_time || known.first_time == report.totals.first_time) continue;
    return Error{fmt::format(
        "{}: a capture named {} is there that begins at another time ({} UTC): give this one a --name of its own, or "
        "replace the other with --replace",
        store_.servers()[i]->url(), options_.name, date_and_time(*known.first_time, Zone::kUtc, 9))};
  }
  return std::nullopt;
}

std::string Load::create_stage(std::size_t table, std::string_view stage) const {
  return fmt::format("CREATE TABLE {0}.{1} AS {0}.{2}", store_.database(), stage, tables()[table].name);
}

std::string Load::drop_stage(std::string_view stage) const {
  return fmt::format("DROP TABLE IF EXISTS {}.{}", store_.database(), stage);
}

std::optional<Error> Load::finish(const Report& report) {
  for (std::size_t i = 0; i < kTables; ++i) {
    auto take = [&](const void* row) { append(i, row); };
    if (tables()[i].each != nullptr) tables()[i].each(report, schema::Visitor(take));
    send(i);
  }
  wait();
  if (!error_) error_ = check_counts();
  if (!error_) error_ = drop_messages(report.damaged_connections);
  if (!error_) error_ = check_name(report);
  if (!error_) error_ = remove_elsewhere();
  for (std::size_t i = 0; i < kTables && !error_; ++i) {
    error_ = parts_[i].is_made ? replace(owner_, i, parts_[i].stage, parts_[i].rows) : remove(owner_, i);
  }
  if (!error_) error_ = enter(owner_, "done", &report);
  return error_;
}

}  // namespace rocescope::clickhouse
