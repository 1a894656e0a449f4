#include "render/report/row_documentation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace rocescope::render {
namespace {

using schema::Column;
using schema::Table;
using schema::Type;

std::string_view kind_of(Type type) {
  switch (type) {
    case Type::kTime:
      return "time";
    case Type::kDuration:
      return "ns";
    case Type::kBoolean:
      return "true or false";
    case Type::kId:
      return "text: 0x and 16 hex digits";
    case Type::kHex:
      return "text: hex digits";
    default:
      return {};
  }
}

/// The names of a column with names: `not_ect, ect1, ect0, ce`.
std::string names_of(const Column& column) {
  std::string names;
  for (std::size_t i = 0; !column.name_at(i).empty(); ++i) {
    names += fmt::format("{}{}", i == 0 ? "" : ", ", column.name_at(i));
  }
  return names;
}

/// What a column has, in one sentence.
std::string sentence_of(const Column& column) {
  std::string text(column.help);
  const auto with = [&](std::string_view more) {
    if (!more.empty()) text += fmt::format(" ({})", more);
  };
  switch (column.type) {
    case Type::kObject:
      return fmt::format("object {}: {}", column.table->name, text);
    case Type::kArray:
      return fmt::format("array of {}: {}", column.table->name, text);
    case Type::kNamed:
      return fmt::format("objects {} by name: {}; {}", column.table->name, text, names_of(column));
    case Type::kCounts:
      return fmt::format("numbers by name: {}; {}", text, names_of(column));
    case Type::kList:
      return fmt::format("array: {}", text);
    default:
      break;
  }
  with(kind_of(column.type));
  if (text != to_string(column.unit)) with(to_string(column.unit));
  return text;
}

/// `name` in a column of its own, `text` beside it in as many lines as it needs.
void append_entry(std::string_view name, std::string_view text, std::string& out) {
  constexpr std::size_t kName = 24;
  constexpr std::size_t kText = 50;
  std::string line = fmt::format("    {:<{}}", name, kName);
  if (name.size() >= kName) {
    out += line + '\n';
    line.assign(kName + 4, ' ');
  }
  while (text.size() > kText) {
    std::size_t end = text.rfind(' ', kText);
    if (end == std::string_view::npos) end = text.find(' ');
    if (end == std::string_view::npos) break;
    out += fmt::format("{}{}\n", line, text.substr(0, end));
    line.assign(kName + 4, ' ');
    text.remove_prefix(end + 1);
  }
  out += fmt::format("{}{}\n", line, text);
}

void append_columns(const Table& table, std::string_view prefix, bool totals, std::string& out) {
  for (const Column& column : table.columns) {
    if (totals && !is_total(column)) continue;
    if (column.type == Type::kMembers) {
      append_columns(*column.table, column.name, column.totals_only, out);
    } else if (column.type == Type::kSeries) {
      for (const Column& each : column.table->columns) append_entry(each.name, column.help, out);
    } else if (column.name.empty()) {
      append_entry(names_of(column), column.help, out);
    } else {
      append_entry(fmt::format("{}{}", prefix, column.name), sentence_of(column), out);
    }
  }
}

/// The tables of rows in rows, each once, in the order of their first column.
void collect(const Table& table, std::vector<const Table*>& tables) {
  for (const Column& column : table.columns) {
    if (column.table == nullptr) continue;
    if (column.type == Type::kMembers) {
      collect(*column.table, tables);
    } else if (column.type != Type::kSeries && std::ranges::find(tables, column.table) == tables.end()) {
      tables.push_back(column.table);
      collect(*column.table, tables);
    }
  }
}

}  // namespace

void append_documentation(const Table& table, std::string& out) {
  std::vector<const Table*> tables{&table};
  collect(table, tables);
  for (const Table* each : tables) {
    out += fmt::format("{}  {}: {}\n", each == &table ? "" : "\n", each->name, each->help);
    append_columns(*each, {}, false, out);
  }
}

}  // namespace rocescope::render
