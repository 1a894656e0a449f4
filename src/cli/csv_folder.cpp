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

/// Nothing: there is no such file.
std::optional<Error> check_is_new(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  return Error{fmt::format("{} is there already, and --csv overwrites nothing. Name a new or an empty folder", file)};
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
    if (std::optional<Error> known = check_is_new(folder.file(name))) return *std::move(known);
  }
  folder.messages_.open(folder.file(render::kMessagesCsv), std::ios::binary);
  if (!folder.messages_) return cannot_write(folder.file(render::kMessagesCsv));
  folder.made_.push_back(folder.file(render::kMessagesCsv));
  std::string header;
  render::append_message_header(header);
  folder.messages_ << header;
  return folder;
}

void CsvFolder::add(const Connection& connection, std::size_t side, const Message& message) {
  if (error_) return;
  row_.clear();
  render::append_message_row(connection, side, message, row_);
  messages_ << row_;
  if (!messages_) error_ = cannot_write(file(render::kMessagesCsv));
}

void CsvFolder::remove() {
  messages_.close();
  std::error_code ignored;
  for (const std::string& each : made_) std::filesystem::remove(each, ignored);
  made_.clear();
}

void CsvFolder::finish(const Report& report) {
  messages_.close();
  if (!error_ && !messages_) error_ = cannot_write(file(render::kMessagesCsv));
  for (const render::CsvTable& table : render::csv_tables()) {
    if (error_) break;
    error_ = check_is_new(file(table.file));  // it may be another output of this run
    if (error_) break;
    std::string text;
    table.append(report, text);
    std::ofstream out(file(table.file), std::ios::binary);
    if (out) made_.push_back(file(table.file));
    out << text;
    out.close();
    if (!out) error_ = cannot_write(file(table.file));
  }
  if (error_) remove();
}

}  // namespace rocescope::cli
