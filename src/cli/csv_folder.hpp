// The folder of `analyze --csv`.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Writes the tables of a report, the one of messages while packets are read.
class CsvFolder {
 public:
  /// Creates the folder if needed. Fails if one of the files exists.
  [[nodiscard]] static Result<CsvFolder> open(const std::string& path);
  /// Why it would fail, as far as that can be seen before.
  [[nodiscard]] static std::optional<Error> check(const std::string& path);

  /// A message of the report.
  void add(const Connection& connection, std::size_t side, const Message& message);
  /// Writes all other tables and ends. Where that fails, none is left.
  void finish(const Report& report);
  /// Instead: takes the messages away again.
  void remove();
  /// The first error, after which nothing is written.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  /// Of the table that is written, messages of these connections.
  void drop_messages(std::span<const std::uint32_t> connections);
  explicit CsvFolder(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  std::string path_;
  std::ofstream messages_;
  std::vector<std::string> made_;  // files
  std::string row_;                // for use again
  std::optional<Error> error_;
};

}  // namespace rocescope::cli
