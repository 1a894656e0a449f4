#include "cli/csv_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "render/report/report_csv.hpp"

namespace rocescope::cli {
namespace {

Error cannot_write(const std::string& file) {
  return Error{fmt::format("cannot write {}: {}", file, std::strerror(errno))};
}

}  // namespace

Result<CsvFolder> CsvFolder::open(const std::string& path) {
  CsvFolder folder(path);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return Error{fmt::format("cannot make the folder {}: {}", path, error.message())};
  std::vector<std::string_view> names{render::kMessagesCsv};
  for (const render::CsvTable& table : render::csv_tables()) names.push_back(table.file);
  for (const std::string_view name : names) {
    if (!std::filesystem::exists(folder.file(name), error)) continue;
    return Error{fmt::format("{} is there already, and --csv overwrites nothing. Name a new or an empty folder",
                             folder.file(name))};
  }
  folder.messages_.open(folder.file(render::kMessagesCsv), std::ios::binary);
  if (!folder.messages_) return cannot_write(folder.file(render::kMessagesCsv));
  std::string header;
  render::append_message_header(header);
  folder.messages_ << header;
  return folder;
}

void CsvFolder::ended(const Connection& connection, std::size_t side, const Message& message) {
  if (message.completion_frame != ended_with_) rows_.clear();
  ended_with_ = message.completion_frame;
  render::append_message_row(connection, side, message, rows_);
}

void CsvFolder::packet(std::uint64_t number) {
  // One that ended with no packet was given up to make room.
  if (ended_with_ == number || ended_with_ == 0) write(rows_);
  rows_.clear();
}

void CsvFolder::open_message(const Connection& connection, std::size_t side, const Message& message) {
  std::string row;
  render::append_message_row(connection, side, message, row);
  write(row);
}

void CsvFolder::write(const std::string& rows) {
  if (error_ || rows.empty()) return;
  messages_ << rows;
  if (!messages_) error_ = cannot_write(file(render::kMessagesCsv));
}

void CsvFolder::finish(const Report& report) {
  messages_.close();
  if (!error_ && !messages_) error_ = cannot_write(file(render::kMessagesCsv));
  for (const render::CsvTable& table : render::csv_tables()) {
    if (error_) return;
    std::string text;
    table.append(report, text);
    std::ofstream out(file(table.file), std::ios::binary);
    out << text;
    out.close();
    if (!out) error_ = cannot_write(file(table.file));
  }
}

}  // namespace rocescope::cli
