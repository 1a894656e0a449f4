// How columns get at the values of a row: the functions behind the pointers of Column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "rocescope/detail/box.hpp"
#include "schema/column.hpp"

namespace rocescope::schema::detail {

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
  } else if constexpr (kIsOptional<T>) {
    if (more && (!sum || (how == Merge::kFirst ? *more < *sum : *sum < *more))) sum = more;
  } else {
    sum = how == Merge::kFirst ? std::min(sum, more) : std::max(sum, more);
  }
}

template <class Path, const auto& rows>
void add_row(void* into, const void* from) {
  using Row = typename Path::Row;
  const Row& source = *static_cast<const Row*>(from);
  if (Path::exists(source)) merge(rows, Path::make(*static_cast<Row*>(into)), Path::get(source));
}

/// What is at the end of the way.
template <auto... Members>
using ValueOf =
    std::remove_cvref_t<decltype(Path<Members...>::get(std::declval<const typename Path<Members...>::Row&>()))>;

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
using Part = typename PartOf<ValueOf<Members...>>::Type;

}  // namespace rocescope::schema::detail
