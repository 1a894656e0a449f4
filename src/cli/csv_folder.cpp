#include "cli/csv_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
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

std::optional<Error> CsvFolder::check(const std::string& path) {
  const CsvFolder folder(path);
  std::error_code error;
  const bool is_new = std::filesystem::create_directories(path, error);
  if (error) return Error{fmt::format("cannot make the folder {}: {}", path, error.message())};
  if (is_new) {
    std::filesystem::remove(path, error);
    return std::nullopt;
  }
  std::vector<std::string_view> names{render::kMessagesCsv};
  for (const render::CsvTable& table : render::csv_tables()) names.push_back(table.file);
  for (const std::string_view name : names) {
    if (std::optional<Error> known = check_is_new(folder.file(name))) return known;
  }
  if (::access(path.c_str(), W_OK) != 0) return cannot_write(folder.file(render::kMessagesCsv));
  return std::nullopt;
}

Result<CsvFolder> CsvFolder::open(const std::string& path) {
  if (std::optional<Error> error = check(path)) return *std::move(error);
  CsvFolder folder(path);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return Error{fmt::format("cannot make the folder {}: {}", path, error.message())};
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

/// They were written before anything showed that there are no such connections.
void CsvFolder::drop_messages(std::span<const std::uint32_t> connections) {
  const std::string whole = file(render::kMessagesCsv);
  const std::string draft = whole + ".draft";
  std::ifstream from(whole, std::ios::binary);
  std::ofstream to(draft, std::ios::binary);
  for (std::string line; std::getline(from, line);) {
    const std::size_t begin = line.find(',') + 1;  // of the number of the connection
    std::uint32_t connection = 0;
    std::from_chars(line.data() + begin, line.data() + line.size(), connection);
    if (!std::ranges::binary_search(connections, connection)) to << line << '\n';
  }
  to.close();
  std::error_code error;
  if (from.eof() && to) std::filesystem::rename(draft, whole, error);
  if (!from.eof() || !to || error) {
    error_ = cannot_write(whole);
    std::filesystem::remove(draft, error);
  }
}

void CsvFolder::finish(const Report& report) {
  messages_.close();
  if (!error_ && !messages_) error_ = cannot_write(file(render::kMessagesCsv));
  if (!error_ && !report.damaged_connections.empty()) drop_messages(report.damaged_connections);
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
