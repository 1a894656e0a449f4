#include "clickhouse/row_binary.hpp"

#include <cstddef>
#include <string_view>
#include <variant>

#include "rocescope/text.hpp"
#include "schema/flat_row.hpp"

namespace rocescope::clickhouse {
namespace {

void append_little_endian(std::uint64_t value, std::size_t size, std::string& out) {
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

/// LEB128: seven bits a byte, the lowest first.
void append_length(std::uint64_t length, std::string& out) {
  constexpr std::uint64_t kSevenBits = 0x7F;
  constexpr std::uint64_t kGoesOn = 0x80;
  for (; length > kSevenBits; length >>= 7U) out += static_cast<char>((length & kSevenBits) | kGoesOn);
  out += static_cast<char>(length);
}

void append_string(std::string_view text, std::string& out) {
  append_length(text.size(), out);
  out += text;
}

std::size_t size_of(Form form) {
  if (form == Form::kUInt8) return 1;
  return form == Form::kUInt32 ? 4 : 8;
}

/// The number that a value is stored as.
struct NumberOf {
  std::uint64_t operator()(bool value) const { return value ? 1 : 0; }
  std::uint64_t operator()(std::uint64_t value) const { return value; }
  std::uint64_t operator()(std::int64_t value) const { return static_cast<std::uint64_t>(value); }
  template <class Other>
  std::uint64_t operator()(const Other& /*value*/) const {
    return 0;
  }
};

/// Appends a value as in reports; appends nothing if it is absent.
struct TextOf {
  std::string& out;
  void operator()(std::string_view value) const { out += value; }
  void operator()(const IpAddress& value) const { append_address(value, out); }
  void operator()(const ByteArray<6>& value) const { append_mac(value, out); }
  void operator()(Bytes value) const { append_hex(value, out); }
  template <class Other>
  void operator()(const Other& /*value*/) const {}
};

class RowCells final : public schema::FlatCells {
 public:
  RowCells(const std::vector<Column>& columns, std::string& out) : column_(columns.data()), out_(out) {}

  void value(const schema::Column& /*column*/, const schema::Value& value) override {
    const Column& column = *column_++;
    if (column.form == Form::kString) return text(value);
    if (column.form >= Form::kNumbers) return append_length(0, out_);  // an absent list
    append_little_endian(std::visit(NumberOf(), value.content()), size_of(column.form), out_);
    if (column.flagged) out_ += value.absent() ? '\0' : '\1';
  }
  void list(const schema::Column& column, const void* row) override {
    const Form form = (column_++)->form;
    std::size_t parts = 0;
    auto count = [&](const void* /*part*/) { ++parts; };
    column.each(row, schema::Visitor(count));
    append_length(parts, out_);
    auto append = [&](const void* part) {
      const auto& value = *static_cast<const schema::Value*>(part);
      if (form == Form::kStrings) return text(value);
      append_little_endian(std::visit(NumberOf(), value.content()), 8, out_);
    };
    column.each(row, schema::Visitor(append));
  }
  void count(const schema::Column& /*column*/, std::uint64_t number) override {
    append_little_endian(number, 8, out_);
    if ((column_++)->flagged) out_ += '\1';
  }

 private:
  void text(const schema::Value& value) {
    text_.clear();
    std::visit(TextOf{text_}, value.content());
    append_string(text_, out_);
  }

  const Column* column_;
  std::string& out_;
  std::string text_;
};

}  // namespace

RowWriter::RowWriter(const Table& table, std::uint64_t capture_id)
    : rows_(table.rows), capture_id_(capture_id), columns_(columns_of(table)) {}

void RowWriter::append(const void* row, std::string& out) const {
  append_little_endian(capture_id_, 8, out);
  RowCells cells(columns_, out);
  schema::visit_cells(*rows_, row, cells);
}

}  // namespace rocescope::clickhouse
