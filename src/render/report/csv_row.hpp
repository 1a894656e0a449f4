// Rows of CSV (RFC 4180; lines end with LF).
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocescope::render {

/// Appends one row. Each cell is given with the name of its column: shown the same cells, a row of names is the header of
/// the rows of values.
class CsvRow {
 public:
  enum class Show : bool { kNames, kValues };

  CsvRow(Show show, std::string& out) : show_(show), out_(out) {}

  /// Stands before the names that follow.
  void prefix(std::string_view prefix) { prefix_ = prefix; }

  void text(std::string_view name, std::string_view value);
  template <std::integral Number>
  void number(std::string_view name, Number value) {
    if constexpr (std::signed_integral<Number>) {
      signed_number(name, value);
    } else {
      unsigned_number(name, value);
    }
  }
  /// An empty cell where there is none.
  template <std::integral Number>
  void number(std::string_view name, const std::optional<Number>& value) {
    if (value) {
      number(name, *value);
    } else {
      text(name, {});
    }
  }
  /// 64 bits that are no quantity, as JSON has them: `0x000000000000002a`.
  void address(std::string_view name, const std::optional<std::uint64_t>& value);
  void end();

 private:
  void start();
  void cell(std::string_view text);
  void signed_number(std::string_view name, std::int64_t value);
  void unsigned_number(std::string_view name, std::uint64_t value);

  Show show_;
  std::string& out_;
  std::string prefix_;
  bool first_ = true;
};

}  // namespace rocescope::render
