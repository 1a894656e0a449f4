// Loads reports into ClickHouse, exactly once.
//
// All rows of a capture are on one of the servers, in one partition of each table. They are collected in tables of the load's own, whose
// names begin with `stage_`, then take the place of the rows that the tables have of this capture (REPLACE PARTITION). So a load that was
// interrupted anywhere leaves nothing that a further load of the capture does not put right. The ledger `loads` says what was begun
// and what is done.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/row_binary.hpp"
#include "clickhouse/server.hpp"
#include "clickhouse/tables.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"

namespace rocescope::clickhouse {

/// No capture has this number.
inline constexpr std::uint64_t kNoCapture = 0;
/// The number of a capture of this name: FNV-1a, 64 bits.
[[nodiscard]] std::uint64_t capture_id_of(std::string_view name) noexcept;

/// The servers, with the database and its tables.
class Store {
 public:
  /// Connects to all servers, and makes missing tables there. Fails if one does not answer, or has tables of these
  /// names with other columns. `database` consists of letters, digits and underscores.
  [[nodiscard]] static Result<Store> open(std::span<const std::string> urls, std::string database,
                                          const Access& access);

  [[nodiscard]] const std::string& database() const noexcept { return database_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Server>>& servers() const noexcept { return servers_; }
  /// The server that has the rows of a capture. Depends on the URLs, not on their order; a new server takes over as few
  /// captures as possible.
  [[nodiscard]] Server& owner(std::uint64_t capture_id) const;

 private:
  explicit Store(std::string database) : database_(std::move(database)) {}
  [[nodiscard]] std::optional<Error> prepare(Server& server) const;

  std::string database_;
  std::vector<std::unique_ptr<Server>> servers_;
};

struct LoadOptions {
  std::string name;
  std::string program;  ///< its version
  bool has_messages = true;
  std::string packets_filter;    ///< of the packets that are added
  bool replaces_others = false;  ///< also a capture of this name that begins at another time
};

/// Loading the report of one capture.
class Load {
 public:
  /// Writes to the ledger what is planned. `store` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<Load>> begin(const Store& store, LoadOptions options);
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  /// Removes what it collected.
  ~Load();

  /// A message of the report. Waits for the server where that is slower.
  void add(const Connection& connection, std::size_t side, const Message& message);
  /// The same of a packet.
  void add(const PacketRecord& packet);
  /// Sends the rest, then replaces the rows of the capture. Call nothing after it.
  [[nodiscard]] std::optional<Error> finish(const Report& report);
  /// The first error, after which nothing is sent.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

  [[nodiscard]] const Server& server() const noexcept { return owner_; }
  /// How many were sent of each of tables().
  [[nodiscard]] std::uint64_t rows(std::size_t table) const noexcept { return parts_[table].rows; }

 private:
  /// Rows of one table on their way.
  struct Part {
    RowWriter writer;
    std::string stage;  ///< where they are collected
    std::string insert;
    bool is_made = false;
    std::uint64_t rows = 0;
    std::string block;  ///< the rows that were not sent yet
  };
  /// What the ledger of a server says of the capture.
  struct Known {
    std::uint64_t sequence = 0;
    bool is_there = false;  ///< this server has its rows, if a load was completed
    std::optional<std::int64_t> first_time;
  };

  Load(const Store& store, LoadOptions options);
  [[nodiscard]] std::optional<Error> look_up(Server& server, Known& known) const;
  [[nodiscard]] std::optional<Error> drop_stages(Server& server) const;
  [[nodiscard]] std::optional<Error> run(Server& server, const std::string& statement) const;
  [[nodiscard]] std::optional<Error> enter(Server& server, std::string_view state, const Report* report);
  [[nodiscard]] std::optional<Error> start();
  void append(std::size_t table, const void* row);
  void send(std::size_t table);
  /// Waits for the rows that are being sent.
  void wait();
  /// Deletes the messages of these connections from the stage: they were sent before it was known that the connections
  /// do not exist.
  [[nodiscard]] std::optional<Error> drop_messages(std::span<const std::uint32_t> connections);
  /// How many rows a stage has; `where`: the clause that selects them.
  [[nodiscard]] Result<std::uint64_t> count_in(std::string_view stage, std::string_view where) const;
  [[nodiscard]] std::optional<Error> check_counts() const;
  [[nodiscard]] std::optional<Error> check_name(const Report& report) const;
  [[nodiscard]] std::optional<Error> remove_elsewhere();
  /// Replaces the capture's rows of the table with those of the stage, `rows` in number.
  [[nodiscard]] std::optional<Error> replace(Server& server, std::size_t table, std::string_view stage,
                                             std::uint64_t rows) const;
  /// Deletes the capture's rows from the table.
  [[nodiscard]] std::optional<Error> remove(Server& server, std::size_t table) const;
  /// Runs `statement` until the table has `rows` rows of the capture, and rows that it had before cannot come back,
  /// even if the server is killed.
  [[nodiscard]] std::optional<Error> settle(Server& server, std::size_t table, std::uint64_t rows,
                                            const std::string& statement) const;
  [[nodiscard]] std::string create_stage(std::size_t table, std::string_view stage) const;
  [[nodiscard]] std::string drop_stage(std::string_view stage) const;

  const Store& store_;
  LoadOptions options_;
  std::uint64_t capture_id_;
  Server& owner_;
  std::vector<Known> known_;  ///< by server
  std::uint64_t sequence_ = 0;
  std::vector<Part> parts_;  ///< by table
  std::future<std::optional<Error>> sending_;
  std::string sent_;  ///< what is on its way
  std::optional<Error> error_;
};

}  // namespace rocescope::clickhouse
