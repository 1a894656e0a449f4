#include "render/report/row_table.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>

#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

using schema::Column;
using schema::Merge;
using schema::Type;
using schema::Unit;

/// Negative where data came before the RTU.
std::string length_text(std::int64_t ns) {
  return ns < 0 ? fmt::format("-{}", text::duration(-ns)) : text::duration(ns);
}

/// A number that names something (a packet, a path MTU) stays as it is.
std::string number_text(const Column& column, std::uint64_t number, Cells cells) {
  if (cells == Cells::kPerSecond) return text::quantity(static_cast<double>(number), "B/s");
  const bool adds_up = column.merge == Merge::kSum || column.merge == Merge::kParts;
  if (column.unit == Unit::kBytes) return adds_up ? bytes(number) : fmt::format("{}", number);
  const bool quantity = adds_up || column.unit != Unit::kNone || cells == Cells::kGrouped;
  return quantity ? text::count(number) : fmt::format("{}", number);
}

struct CellText {
  const Column& column;
  Cells cells;
  const SecondsSince& seconds;

  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(std::int64_t value) const {
    if (column.type == Type::kTime) return seconds(value);
    return column.type == Type::kDuration ? length_text(value) : fmt::format("{}", value);
  }
  std::string operator()(std::uint64_t value) const {
    switch (column.type) {
      case Type::kTime:
        return seconds(static_cast<std::int64_t>(value));
      case Type::kDuration:
        return length_text(static_cast<std::int64_t>(value));
      case Type::kQpn:
        return to_text(Qpn(static_cast<std::uint32_t>(value)));
      case Type::kKey:
        return fmt::format("0x{:08x}", value);
      case Type::kId:
        return fmt::format("0x{:016x}", value);
      case Type::kPsn:
        return fmt::format("{}", value);
      default:
        return number_text(column, value, cells);
    }
  }
  std::string operator()(std::string_view value) const { return std::string(value); }
  std::string operator()(const IpAddress& value) const { return to_text(value); }
  std::string operator()(const ByteArray<6>& value) const {
    std::string text;
    append_mac(value, text);
    return text;
  }
  std::string operator()(Bytes value) const {
    std::string text;
    append_hex(value, text);
    return text;
  }
};

}  // namespace

std::string_view ColumnText::heading() const {
  const Column& column = path_.column();
  if (column.heading.empty()) throw std::logic_error("no heading of the column " + std::string(column.name));
  return column.heading;
}

Align ColumnText::align() const noexcept {
  if (cells_ == Cells::kLeft) return Align::kLeft;
  switch (path_.column().type) {
    case Type::kNumber:
    case Type::kCounts:
    case Type::kTime:
    case Type::kDuration:
    case Type::kQpn:
    case Type::kPsn:
      return Align::kRight;
    default:
      return Align::kLeft;
  }
}

std::string ColumnText::operator()(const void* row, const SecondsSince& seconds) const {
  schema::Value value;
  path_.read(row, value);
  if (cells_ == Cells::kUnlessZero && value.is_zero()) return {};
  return std::visit(CellText{path_.column(), cells_, seconds}, value.content());
}

}  // namespace rocescope::render
