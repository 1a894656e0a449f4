// Writes a value, or reads it: the same function for both, so that neither can differ from the other.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "partial/fields.hpp"
#include "rocescope/detail/box.hpp"

namespace rocescope::partial {

template <class T>
concept OneMember = std::same_as<T, TimeTable> || std::same_as<T, SizeTable> || std::same_as<T, OperationTable> ||
    std::same_as<T, Sightings> || std::same_as<T, Breaches> || std::same_as<T, TransportSet>;
template <class T>
concept InParts = requires(const T& value) {
  PrivateMembers::parts_of(value);
};
template <class T>
concept Serial = std::same_as<T, Psn> || std::same_as<T, Qpn>;
template <class T>
concept Struct = Plain<T> || std::same_as<T, Connection> || std::same_as<T, CongestionState>;

/// One of them, or none. Written where it is, read into a value of its own.
template <class T>
struct Perhaps {
  std::unique_ptr<T> own;
  const T* known = nullptr;
};

namespace detail {
template <class T>
inline constexpr bool kIsSequence = false;
template <class T>
inline constexpr bool kIsSequence<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsSequence<std::deque<T>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t size>
inline constexpr bool kIsArray<std::array<T, size>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class Key, class T>
inline constexpr bool kIsMap<std::map<Key, T>> = true;
template <class Key, class T, class Hash>
inline constexpr bool kIsMap<std::unordered_map<Key, T, Hash>> = true;
template <class T>
inline constexpr bool kIsTuple = false;
template <class... Each>
inline constexpr bool kIsTuple<std::tuple<Each...>> = true;
template <class First, class Second>
inline constexpr bool kIsTuple<std::pair<First, Second>> = true;
template <class T>
inline constexpr bool kIsPointer = false;
template <class T>
inline constexpr bool kIsPointer<std::unique_ptr<T>> = true;
template <class T>
inline constexpr bool kIsPerhaps = false;
template <class T>
inline constexpr bool kIsPerhaps<Perhaps<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsBox = false;
template <class T>
inline constexpr bool kIsBox<Box<T>> = true;
}  // namespace detail

/// What only a state (state.hpp) has: the members of classes that are no part of a report.
template <class Members, class T>
concept VisitedByMembers = requires(T& value) {
  Members::visit(value, [](std::string_view, auto&) {});
};
template <class Members, class T>
concept InPartsByMembers = requires(const T& value) {
  Members::parts_of(value);
};

/// Entries of a map in the order of their keys, if they have one, so that equal maps are written alike.
template <class Map>
auto sorted_entries(const Map& map) {
  std::vector<const typename Map::value_type*> entries;
  entries.reserve(map.size());
  for (const auto& entry : map) entries.push_back(&entry);
  if constexpr (std::totally_ordered<typename Map::key_type>) {
    std::ranges::sort(entries, {}, [](const auto* entry) { return entry->first; });
  }
  return entries;
}

template <class Archive, class T>
void carry(Archive& archive, T& value);

template <class Archive, class T>
void carry_sequence(Archive& archive, T& value) {
  std::uint64_t size = value.size();
  archive.number(size);
  if constexpr (Archive::kReads) {
    value.clear();
    // Each element takes a byte or more, so what a file only claims to have takes no memory.
    for (; size > 0 && archive.is_good(); --size) carry(archive, value.emplace_back());
  } else {
    for (auto& each : value) carry(archive, each);
  }
}

template <class Archive, class T>
void carry_map(Archive& archive, T& value) {
  std::uint64_t size = value.size();
  archive.number(size);
  if constexpr (Archive::kReads) {
    value.clear();
    for (; size > 0 && archive.is_good(); --size) {
      typename T::key_type key{};
      carry(archive, key);
      carry(archive, value[key]);
    }
  } else {
    for (const auto* const entry : sorted_entries(value)) {
      carry(archive, entry->first);
      carry(archive, entry->second);
    }
  }
}

/// A whole number of any kind; signed ones so that small ones are short.
template <class Archive, class T>
void carry_number(Archive& archive, T& value) {
  std::uint64_t number = 0;
  if constexpr (std::is_signed_v<T>) {
    const auto wide = static_cast<std::int64_t>(value);
    number = (static_cast<std::uint64_t>(wide) << 1U) ^ static_cast<std::uint64_t>(wide >> 63);
  } else {
    number = static_cast<std::uint64_t>(value);
  }
  archive.number(number);
  if constexpr (Archive::kReads) {
    if constexpr (std::is_signed_v<T>) {
      const auto wide = static_cast<std::int64_t>((number >> 1U) ^ (0 - (number & 1U)));
      if (wide < std::numeric_limits<T>::min() || wide > std::numeric_limits<T>::max()) return archive.fail();
      value = static_cast<T>(wide);
    } else {
      if (number > std::uint64_t{std::numeric_limits<T>::max()}) return archive.fail();
      value = static_cast<T>(number);
    }
  }
}

/// Of a table that the program has.
template <class Archive, class T>
void carry_entry(Archive& archive, T& value) {
  if constexpr (requires { typename Archive::MayBeNull; } &&
                std::is_same_v<std::remove_const_t<T>, const OpcodeInfo*>) {
    bool has = value != nullptr;
    carry_number(archive, has);
    if constexpr (Archive::kReads) value = nullptr;
    if (!has) return;
  }
  archive.entry(value);
}

template <class Archive, class T>
void carry_enumeration(Archive& archive, T& value) {
  auto number = static_cast<std::underlying_type_t<T>>(value);
  carry_number(archive, number);
  if constexpr (Archive::kReads) {
    const EnumeratorNames& names = enumerators<T>();
    if (number >= names.size() || names[number].empty()) return archive.fail();
    value = static_cast<T>(number);
  }
}

template <class Archive, class T>
void carry_struct(Archive& archive, T& value) {
  const auto carry_member = [&](std::string_view, auto& member) { carry(archive, member); };
  if constexpr (VisitedByMembers<typename Archive::Members, T>) {
    Archive::Members::visit(value, carry_member);
  } else {
    visit_fields(value, carry_member);
  }
  if constexpr (Archive::kReads) {
    if (archive.is_good() && !is_sound(value)) archive.fail();
    if constexpr (requires { Archive::Members::is_sound(value); }) {
      if (archive.is_good() && !Archive::Members::is_sound(value)) archive.fail();
    }
  }
}

/// In the place of a value that others than its members make.
template <class Members, class Archive, class T>
void carry_parts(Archive& archive, T& value) {
  if constexpr (Archive::kReads) {
    std::remove_const_t<decltype(Members::parts_of(value))> parts{};
    carry(archive, parts);
    if (archive.is_good() && !Members::assemble(std::move(parts), value)) archive.fail();
  } else {
    auto parts = Members::parts_of(value);
    carry(archive, parts);
  }
}

/// A pointer to a value of its own, or null.
template <class Archive, class T>
void carry_pointer(Archive& archive, T& value) {
  using Value = typename std::remove_const_t<T>::element_type;
  bool has = value != nullptr;
  carry_number(archive, has);
  if constexpr (Archive::kReads) {
    if (!has) {
      value.reset();
    } else if constexpr (std::is_default_constructible_v<Value>) {
      value = std::make_unique<Value>();
    } else {
      value = Archive::Members::make(std::type_identity<Value>());
    }
  }
  if (has) carry(archive, *value);
}

template <class Archive, class T>
void carry(Archive& archive, T& value) {
  using Type = std::remove_const_t<T>;
  constexpr bool kReads = Archive::kReads;
  if constexpr (kReads) {
    if (!archive.is_good()) return;
  }
  if constexpr (InPartsByMembers<typename Archive::Members, Type>) {
    carry_parts<typename Archive::Members>(archive, value);
  } else if constexpr (VisitedByMembers<typename Archive::Members, T>) {
    carry_struct(archive, value);
  } else if constexpr (std::is_enum_v<Type>) {
    carry_enumeration(archive, value);
  } else if constexpr (std::integral<Type>) {
    carry_number(archive, value);
  } else if constexpr (Serial<Type>) {
    std::uint32_t number = value.value();
    carry_number(archive, number);
    if constexpr (kReads) value = Type(number);
  } else if constexpr (std::same_as<Type, std::string> || std::same_as<Type, std::string_view> ||
                       std::same_as<Type, std::vector<std::uint8_t>>) {
    archive.text(value);
  } else if constexpr (std::same_as<Type, const OpcodeInfo*> || std::same_as<Type, const FindingInfo*>) {
    carry_entry(archive, value);
  } else if constexpr (detail::kIsOptional<Type>) {
    bool has = value.has_value();
    carry_number(archive, has);
    if constexpr (kReads) {
      if (has) value = typename Type::value_type{};
    }
    if (has) carry(archive, *value);
  } else if constexpr (detail::kIsBox<Type>) {
    bool has = value.get() != nullptr;
    carry_number(archive, has);
    if constexpr (kReads) {
      if (has) static_cast<void>(value.make());
    }
    if (has) carry(archive, *value.get());
  } else if constexpr (detail::kIsArray<Type>) {
    if constexpr (std::same_as<typename Type::value_type, std::uint8_t>) {
      archive.bytes(value);
    } else {
      for (auto& each : value) carry(archive, each);
    }
  } else if constexpr (detail::kIsSequence<Type>) {
    const typename Archive::Level level(archive);
    carry_sequence(archive, value);
  } else if constexpr (detail::kIsMap<Type>) {
    carry_map(archive, value);
  } else if constexpr (detail::kIsTuple<Type>) {
    std::apply([&](auto&... each) { (carry(archive, each), ...); }, value);
  } else if constexpr (detail::kIsPointer<Type>) {
    carry_pointer(archive, value);
  } else if constexpr (detail::kIsPerhaps<Type>) {
    bool has = value.known != nullptr;
    carry_number(archive, has);
    if constexpr (kReads) {
      if (has) value.own = Archive::Members::make(std::type_identity<std::remove_cvref_t<decltype(*value.known)>>());
      if (has) carry(archive, *value.own);
    } else if (has) {
      carry(archive, *value.known);
    }
  } else if constexpr (OneMember<Type>) {
    carry(archive, PrivateMembers::only_member(value));
  } else if constexpr (InParts<Type>) {
    carry_parts<PrivateMembers>(archive, value);
  } else {
    static_assert(Struct<Type>, "a type that a partial result cannot hold yet");
    carry_struct(archive, value);
  }
}

}  // namespace rocescope::partial
