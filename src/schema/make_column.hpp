// The rows of a table: `number<&Flow::payload_bytes>("payload_bytes", "...").bytes().sum()`.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "rocescope/times.hpp"
#include "schema/column.hpp"
#include "schema/row_access.hpp"

namespace rocescope::schema {

/// A column of a table of `Row`s, and how its entry is completed.
template <class Row_, class Path = void>
struct ColumnOf : Column {
  using Row = Row_;

  [[nodiscard]] constexpr ColumnOf packets() const { return with(&Column::unit, Unit::kPackets); }
  [[nodiscard]] constexpr ColumnOf bytes() const { return with(&Column::unit, Unit::kBytes); }
  [[nodiscard]] constexpr ColumnOf messages() const { return with(&Column::unit, Unit::kMessages); }
  [[nodiscard]] constexpr ColumnOf nanoseconds() const { return with(&Column::type, Type::kDuration); }
  /// 0 means that there is none.
  [[nodiscard]] constexpr ColumnOf unless_zero() const { return with(&Column::absent_if_zero, true); }
  /// The same of empty text.
  [[nodiscard]] constexpr ColumnOf unless_empty() const { return unless_zero(); }
  [[nodiscard]] constexpr ColumnOf without_zeros() const { return with(&Column::skips_zeros, true); }
  [[nodiscard]] constexpr ColumnOf not_in_csv() const { return with(&Column::in_csv, false); }
  [[nodiscard]] constexpr ColumnOf csv(std::string_view prefix) const { return with(&Column::csv_prefix, prefix); }
  /// Of the other table only what has a meaning for rows that were added up.
  [[nodiscard]] constexpr ColumnOf totals() const { return with(&Column::totals_only, true); }
  /// The heading in text tables.
  [[nodiscard]] constexpr ColumnOf titled(std::string_view words) const { return with(&Column::heading, words); }
  /// Documents have the object only where this is true of the row.
  template <auto Condition>
  [[nodiscard]] constexpr ColumnOf where() const {
    return with(
        &Column::present, +[](const void* row) -> bool { return Condition(*static_cast<const Row*>(row)); });
  }

  /// Of a number among others that are added up: the sum has none.
  [[nodiscard]] constexpr ColumnOf not_added() const { return with(&Column::merge, Merge::kNever); }
  [[nodiscard]] constexpr ColumnOf sum() const { return merged<Merge::kSum>(); }
  [[nodiscard]] constexpr ColumnOf max() const { return merged<Merge::kMax>(); }
  /// The same. The count of what it is the maximum is for others: see stream_counts().
  [[nodiscard]] constexpr ColumnOf max_of(auto) const { return max(); }
  [[nodiscard]] constexpr ColumnOf earliest() const { return merged<Merge::kFirst>(); }
  [[nodiscard]] constexpr ColumnOf latest() const { return merged<Merge::kLast>(); }
  /// Column by column, as the table of the rows says.
  template <const auto& rows>
  [[nodiscard]] constexpr ColumnOf parts() const {
    return with(&Column::merge, Merge::kParts).with(&Column::add, &detail::add_row<Path, rows>);
  }
  /// As `function(Row& into, const Row& from)` does it.
  template <auto function>
  [[nodiscard]] constexpr ColumnOf parts_by() const {
    return with(&Column::merge, Merge::kParts)
        .with(
            &Column::add,
            +[](void* into, const void* from) { function(*static_cast<Row*>(into), *static_cast<const Row*>(from)); });
  }

 private:
  template <class T>
  [[nodiscard]] constexpr ColumnOf with(T Column::*member, std::type_identity_t<T> value) const {
    ColumnOf changed = *this;
    changed.*member = value;
    return changed;
  }
  template <Merge how>
  [[nodiscard]] constexpr ColumnOf merged() const {
    return with(&Column::merge, how).with(&Column::add, &detail::add_value<Path, how>);
  }
};

namespace detail {

template <auto... Members>
using ColumnFor = ColumnOf<typename Path<Members...>::Row, Path<Members...>>;

template <auto... Members>
constexpr ColumnFor<Members...> single(Type type, std::string_view name, std::string_view help) {
  ColumnFor<Members...> column;
  column.name = name;
  column.help = help;
  column.type = type;
  column.optional = kIsOptional<ValueOf<Members...>>;
  column.get = &get_value<Path<Members...>>;
  return column;
}

template <auto... Members>
constexpr ColumnFor<Members...> several(Type type, std::string_view name, const Table* table, std::string_view help) {
  ColumnFor<Members...> column;
  column.name = name;
  column.help = help;
  column.type = type;
  column.table = table;
  column.optional = kIsOptional<ValueOf<Members...>>;
  column.each = &show_parts<Path<Members...>>;
  return column;
}

}  // namespace detail

// A column of one value. `Members` are the way to it (&Side::requests, &StreamTotals::acks), or a function of the row.
template <auto... Members>
constexpr auto number(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kNumber, name, help);
}
template <auto... Members>
constexpr auto boolean(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kBoolean, name, help);
}
template <auto... Members>
constexpr auto text(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kText, name, help);
}
template <auto... Members>
constexpr auto time(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kTime, name, help);
}
template <auto... Members>
constexpr auto duration(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kDuration, name, help);
}
template <auto... Members>
constexpr auto address(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kAddress, name, help);
}
template <auto... Members>
constexpr auto mac(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kMac, name, help);
}
template <auto... Members>
constexpr auto qpn(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kQpn, name, help);
}
template <auto... Members>
constexpr auto psn(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kPsn, name, help);
}
template <auto... Members>
constexpr auto key(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kKey, name, help);
}
template <auto... Members>
constexpr auto id(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kId, name, help);
}
template <auto... Members>
constexpr auto hex(std::string_view name, std::string_view help) {
  return detail::single<Members...>(Type::kHex, name, help);
}

// A column of rows of another table.
template <auto... Members>
constexpr auto object(std::string_view name, const Rows<detail::Part<Members...>>& rows, std::string_view help) {
  return detail::several<Members...>(Type::kObject, name, &rows, help);
}
template <auto... Members>
constexpr auto array(std::string_view name, const Rows<detail::Part<Members...>>& rows, std::string_view help) {
  return detail::several<Members...>(Type::kArray, name, &rows, help);
}
template <auto... Members>
constexpr auto members(const Rows<detail::Part<Members...>>& rows, std::string_view prefix = {}) {
  return detail::several<Members...>(Type::kMembers, prefix, &rows, "");
}
template <auto... Members>
constexpr auto series(const Rows<detail::Part<Members...>>& rows, std::string_view help) {
  return detail::several<Members...>(Type::kSeries, "", &rows, help);
}
/// Values of one type.
template <auto... Members>
constexpr auto list(std::string_view name, Type element, std::string_view help) {
  auto column = detail::several<Members...>(Type::kList, name, nullptr, help);
  column.element = element;
  column.each = &detail::show_list<detail::Path<Members...>>;
  return column;
}
/// Rows that `name_of` gives names, of those that `name_at` has.
template <auto name_of, auto name_at, auto... Members>
constexpr auto named(std::string_view name, const Rows<detail::Part<Members...>>& rows, std::string_view help) {
  auto column = detail::several<Members...>(Type::kNamed, name, &rows, help);
  column.each = &detail::show_named<detail::Path<Members...>, name_of>;
  column.name_at = name_at;
  return column;
}
/// Numbers in an array by the values of the enumeration `Name`, from `first` on.
template <class Name, std::size_t first, auto... Members>
constexpr auto counts(std::string_view name, std::string_view help) {
  using Path = detail::Path<Members...>;
  using Numbers = std::remove_cvref_t<decltype(Path::get(std::declval<const typename Path::Row&>()))>;
  auto column = detail::several<Members...>(Type::kCounts, name, nullptr, help);
  column.each = &detail::show_counts<Path, Name, first>;
  column.name_at = &detail::enum_name_at<Name, first, std::tuple_size_v<Numbers>>;
  return column;
}

/// Times by kind. Here, since rows of several tables have them.
template <auto... Members>
constexpr auto times(const Rows<TimeSeries>& rows, std::string_view help) {
  return named<[](const TimeSeries& series) { return to_string(series.kind); },
               &detail::enum_name_at<TimeKind, 0, kTimeKinds>, Members...>("times", rows, help);
}

namespace detail {

/// Whether rows with these columns are never added up, or can be without losing a count: each number says how.
constexpr bool say_how_they_add_up(std::span<const Column> columns) {
  bool are_added = false;
  bool is_unsaid = false;
  for (const Column& column : columns) {
    are_added = are_added || column.add != nullptr;
    const bool is_number = column.type == Type::kNumber || column.type == Type::kCounts;
    is_unsaid = is_unsaid || (is_number && column.merge == Merge::kUnsaid);
  }
  return !(are_added && is_unsaid);
}

}  // namespace detail

/// The columns of a table, a constexpr variable. Does not compile where two have one name, one has no name or no help, or
/// rows are added up and a number does not say how.
template <class Row, class... Columns>
constexpr std::array<Column, sizeof...(Columns)> columns(const Columns&... entries) {
  static_assert((std::same_as<typename Columns::Row, Row> && ...), "a column of another row");
  std::array<Column, sizeof...(Columns)> all{static_cast<const Column&>(entries)...};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool spread = all[i].type == Type::kMembers || all[i].type == Type::kSeries;
    const bool unnamed = all[i].name.empty() && all[i].type != Type::kCounts;
    if (!spread && (unnamed || all[i].help.empty())) throw "a column without name or help";
    for (std::size_t k = 0; k < i; ++k) {
      if (!spread && all[k].name == all[i].name && all[k].type != Type::kMembers) throw "two columns of one name";
    }
  }
  if (!detail::say_how_they_add_up(all)) throw "a number that does not say how it adds up";
  return all;
}

}  // namespace rocescope::schema
