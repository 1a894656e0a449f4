// Text tables of rows of the report: which columns they show, and how.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/report/report_sections.hpp"
#include "render/report/report_table.hpp"
#include "schema/column_path.hpp"

namespace rocescope::render {

/// How cells differ from what the type and the unit of their column ask for.
enum class Cells : std::uint8_t {
  kAsTyped,
  kUnlessZero,  ///< 0 leaves the cell empty
  kLeft,        ///< aligned to the left
  kGrouped,     ///< a number that is a quantity, though nothing adds it up
  kPerSecond,   ///< a number of bytes in a second, rounded: `1.20 MB/s`
};

/// A column of a text table.
template <class Row>
struct TextColumn {
  /// A column of the rows' table, or of a table that it leads to: schema::ColumnPath. Without `heading` it has that of the
  /// schema.
  TextColumn(const char* column_path, Cells column_cells = Cells::kAsTyped, std::string_view column_heading = {})
      : heading(column_heading), path(column_path), cells(column_cells) {}
  /// What `function` makes of the row.
  template <std::invocable<const Row&> Function>
  TextColumn(std::string_view column_heading, Function function, Align alignment = Align::kLeft)
      : heading(column_heading), text(std::move(function)), align(alignment) {}

  std::string_view heading;
  std::string_view path;
  Cells cells = Cells::kAsTyped;
  std::function<std::string(const Row&)> text;
  Align align = Align::kLeft;
};

/// A column of the schema as text.
class ColumnText {
 public:
  ColumnText(const schema::Table& table, std::string_view path, Cells cells = Cells::kAsTyped)
      : path_(table, path), cells_(cells) {}

  /// Throws std::logic_error where the column has none.
  [[nodiscard]] std::string_view heading() const;
  /// Numbers, times and lengths of time stand at the right.
  [[nodiscard]] Align align() const noexcept;
  /// The cell of a row; empty where the row has no value.
  [[nodiscard]] std::string operator()(const void* row, const SecondsSince& seconds) const;

 private:
  schema::ColumnPath path_;
  Cells cells_;
};

template <class Row>
class RowTable {
 public:
  RowTable(const Report& report, const schema::Rows<Row>& rows, std::vector<TextColumn<Row>> columns)
      : seconds_(report), layout_(headings(rows, columns)) {}

  RowTable(const RowTable&) = delete;
  RowTable& operator=(const RowTable&) = delete;

  void row(const Row& row) {
    std::vector<std::string> cells;
    for (const auto& cell : cells_) cells.push_back(cell(row));
    layout_.row(std::move(cells));
  }
  /// The first rows, as many as the page shows, and how many more there are.
  template <class Range>
  void rows(const Range& range, std::string_view what, ReportPage& page) {
    for (std::size_t i = 0; i < page.shown(range.size()); ++i) row(range[i]);
    end(page);
    page.rest(range.size(), what);
  }
  void end(ReportPage& page) const { layout_.append_to(page.out(), page.width()); }

 private:
  std::vector<ReportTable::Column> headings(const schema::Table& rows, std::vector<TextColumn<Row>>& columns) {
    std::vector<ReportTable::Column> titles;
    for (TextColumn<Row>& column : columns) {
      if (column.text) {
        titles.push_back({column.heading, column.align});
        cells_.push_back(std::move(column.text));
      } else {
        ColumnText text(rows, column.path, column.cells);
        titles.push_back({column.heading.empty() ? text.heading() : column.heading, text.align()});
        cells_.push_back([this, text = std::move(text)](const Row& row) { return text(&row, seconds_); });
      }
    }
    return titles;
  }

  SecondsSince seconds_;
  std::vector<std::function<std::string(const Row&)>> cells_;
  ReportTable layout_;
};

}  // namespace rocescope::render
