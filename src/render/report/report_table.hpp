// Aligned columns for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope::render {

enum class Align : bool { kLeft, kRight };

/// Rows of text under column titles; every column is as wide as its widest cell, and columns without any text in their
/// cells are left out.
class ReportTable {
 public:
  struct Column {
    std::string_view title;
    Align align = Align::kLeft;
  };

  explicit ReportTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell for each column.
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

  /// A line of titles, then one line a row, each indented by two spaces and ended by a line feed.
  void append_to(std::string& out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// All digits of `number`, in groups of three; an empty cell for 0.
[[nodiscard]] std::string count_or_nothing(std::uint64_t number);

}  // namespace rocescope::render
