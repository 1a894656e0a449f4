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

  /// A line of titles, then one line a row, each indented by two spaces and ended by a line feed. Where that takes more than
  /// `width` columns of a terminal, it leaves table columns out, and says which in a last line; 0: any width will do.
  void append_to(std::string& out, std::size_t width = 0) const;

 private:
  /// The widths of the columns; of one that is left out: 0.
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::vector<std::string_view> leave_out(std::vector<std::size_t>& widths, std::size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// In which order tables leave out columns, for the manual.
[[nodiscard]] std::string columns_left_out_text();

/// All digits of `number`, in groups of three; an empty cell for 0.
[[nodiscard]] std::string count_or_nothing(std::uint64_t number);

}  // namespace rocescope::render
