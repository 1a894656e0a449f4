// The folder of `analyze --csv`.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "rocescope/connection.hpp"
#include "rocescope/message.hpp"
#include "rocescope/report.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// Writes the tables of a report, the one of messages while they pass.
class CsvFolder {
 public:
  /// Makes the folder if there is none. Fails when one of the files is there already.
  [[nodiscard]] static Result<CsvFolder> open(const std::string& path);

  /// A message that ended. It is written if packet() follows for the packet that it ended with.
  void ended(const Connection& connection, std::size_t side, const Message& message);
  /// A packet that the report is about.
  void packet(std::uint64_t number);
  /// A message that did not end, of a connection in the report.
  void open_message(const Connection& connection, std::size_t side, const Message& message);
  /// Writes all other tables and ends.
  void finish(const Report& report);
  /// What went wrong first: nothing is written then.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

 private:
  explicit CsvFolder(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  void write(const std::string& rows);

  std::string path_;
  std::ofstream messages_;
  std::string rows_;              // of messages that ended with one packet
  std::uint64_t ended_with_ = 0;  // that packet's number; 0: with none
  std::optional<Error> error_;
};

}  // namespace rocescope::cli
