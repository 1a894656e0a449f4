// The rows of a table: `number<&Flow::payload_bytes>("payload_bytes", "...").bytes().sum()`.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rocescope/detail/box.hpp"
#include "rocescope/times.hpp"
#include "schema/column.hpp"

namespace rocescope::schema {
namespace detail {

template <class T>
inline constexpr bool kIsBox = false;
template <class T>
inline constexpr bool kIsBox<Box<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
struct OwnerOf;
template <class Owner, class T>
struct OwnerOf<T Owner::*> {
  using Type = Owner;
};
/// Of a function without captures: what it takes.
template <class T>
requires requires { &T::operator(); }
struct OwnerOf<T> : OwnerOf<decltype(+std::declval<T>())> {};
template <class Row, class Result>
struct OwnerOf<Result (*)(const Row&)> {
  using Type = Row;
};
template <class Row, class Result>
struct OwnerOf<Result (*)(const Row&) noexcept> {
  using Type = Row;
};

/// How to get from a row to a value: members of members, through boxes, or a function alone.
template <auto First, auto... Rest>
struct Path {
  using Row = typename OwnerOf<std::remove_cv_t<decltype(First)>>::Type;
  static constexpr bool kIsFunction = !std::is_member_pointer_v<decltype(First)>;

  /// The value, or what a box without one reads as.
  static decltype(auto) get(const Row& row) {
    if constexpr (kIsFunction) {
      return First(row);
    } else if constexpr (sizeof...(Rest) == 0) {
      return open(row.*First);
    } else {
      return Path<Rest...>::get(open(row.*First));
    }
  }
  /// Whether the row has one: no box on the way is empty.
  static bool exists(const Row& row) {
    if constexpr (kIsBox<std::remove_cvref_t<decltype(row.*First)>>) {
      if ((row.*First).get() == nullptr) return false;
    }
    if constexpr (sizeof...(Rest) > 0) {
      return Path<Rest...>::exists(open(row.*First));
    } else {
      return true;
    }
  }
  /// The same to be changed; boxes on the way are filled.
  static auto& make(Row& row) {
    if constexpr (sizeof...(Rest) == 0) {
      return fill(row.*First);
    } else {
      return Path<Rest...>::make(fill(row.*First));
    }
  }

 private:
  template <class T>
  static const auto& open(const T& member) {
    if constexpr (kIsBox<T>) {
      return *member;
    } else {
      return member;
    }
  }
  template <class T>
  static auto& fill(T& member) {
    if constexpr (kIsBox<T>) {
      return member.make();
    } else {
      return member;
    }
  }
};

template <class Path>
void get_value(const void* row, Value& value) {
  value.set(Path::get(*static_cast<const typename Path::Row*>(row)));
}

template <class T>
concept Range = requires(const T& range) {
  range.begin() != range.end();
};

/// Shows the parts of a value: of a pointer and an optional what it has, of a range each, else itself.
template <class Path>
void show_parts(const void* row, Visitor visit) {
  const auto& value = Path::get(*static_cast<const typename Path::Row*>(row));
  using T = std::remove_cvref_t<decltype(value)>;
  if constexpr (std::is_pointer_v<T>) {
    if (value != nullptr) visit(value);
  } else if constexpr (kIsOptional<T>) {
    if (value) visit(&*value);
  } else if constexpr (Range<T>) {
    for (const auto& part : value) visit(&part);
  } else {
    visit(&value);
  }
}

/// Shows the values of a list, each as a Value.
template <class Path>
void show_list(const void* row, Visitor visit) {
  Value value;
  for (const auto& part : Path::get(*static_cast<const typename Path::Row*>(row))) {
    value.set(part);
    visit(&value);
  }
}

/// The names of an array with an element for each value of `Name`, from `first` on.
template <class Name, std::size_t first, std::size_t size>
std::string_view enum_name_at(std::size_t index) {
  return first + index < size ? std::string_view(to_string(static_cast<Name>(first + index))) : std::string_view();
}

template <class Path, class Name, std::size_t first>
void show_counts(const void* row, Visitor visit) {
  const auto& numbers = Path::get(*static_cast<const typename Path::Row*>(row));
  for (std::size_t i = first; i < numbers.size(); ++i) {
    const Count count{to_string(static_cast<Name>(i)), numbers[i]};
    visit(&count);
  }
}

template <class Path, auto name_of>
void show_named(const void* row, Visitor visit) {
  for (const auto& part : Path::get(*static_cast<const typename Path::Row*>(row))) {
    const Named named{name_of(part), &part};
    visit(&named);
  }
}

template <class Path, Merge how>
void add_value(void* into, const void* from) {
  using Row = typename Path::Row;
  const Row& source = *static_cast<const Row*>(from);
  if (!Path::exists(source)) return;
  auto& sum = Path::make(*static_cast<Row*>(into));
  const auto& more = Path::get(source);
  using T = std::remove_cvref_t<decltype(sum)>;
  if constexpr (how == Merge::kSum) {
    if constexpr (Range<T>) {
      std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus());
    } else {
      sum += more;
    }
  } else if constexpr (how == Merge::kMax) {
    sum = std::max(sum, more);
  }
}

template <class Path, const auto& rows>
void add_row(void* into, const void* from) {
  using Row = typename Path::Row;
  const Row& source = *static_cast<const Row*>(from);
  if (Path::exists(source)) merge(rows, Path::make(*static_cast<Row*>(into)), Path::get(source));
}

}  // namespace detail

/// A column of a table of `Row`s, and how its entry is completed.
template <class Row_, class Path = void>
struct ColumnOf : Column {
  using Row = Row_;

  [[nodiscard]] constexpr ColumnOf packets() const { return with(&Column::unit, Unit::kPackets); }
  [[nodiscard]] constexpr ColumnOf bytes() const { return with(&Column::unit, Unit::kBytes); }
  [[nodiscard]] constexpr ColumnOf messages() const { return with(&Column::unit, Unit::kMessages); }
  /// 0 means that there is none.
  [[nodiscard]] constexpr ColumnOf unless_zero() const { return with(&Column::absent_if_zero, true); }
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

  [[nodiscard]] constexpr ColumnOf sum() const { return merged<Merge::kSum>(); }
  [[nodiscard]] constexpr ColumnOf max() const { return merged<Merge::kMax>(); }
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
  column.each = &show_parts<Path<Members...>>;
  return column;
}

/// What a range, an optional or a pointer has of; else the type itself.
template <class T>
struct PartOf {
  using Type = T;
};
template <class T>
struct PartOf<T*> {
  using Type = std::remove_const_t<T>;
};
template <class T>
struct PartOf<std::optional<T>> {
  using Type = T;
};
template <Range T>
struct PartOf<T> {
  using Type = std::remove_cvref_t<decltype(*std::declval<const T&>().begin())>;
};
template <auto... Members>
using Part = typename PartOf<
    std::remove_cvref_t<decltype(Path<Members...>::get(std::declval<const typename Path<Members...>::Row&>()))>>::Type;

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

/// The columns of a table. Does not compile where two have one name, or one has no name or no help.
template <class Row, class... Columns>
consteval std::array<Column, sizeof...(Columns)> columns(const Columns&... entries) {
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
  return all;
}

}  // namespace rocescope::schema
