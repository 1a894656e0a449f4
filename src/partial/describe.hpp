// Says in words what is written of a type: each struct with the names and types of its members, each enumeration with its values.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <new>
#include <set>
#include <string>
#include <string_view>

#include "partial/carry.hpp"

namespace rocescope::partial {

/// A value of which nothing but the types of its members is asked for.
template <class T>
const T& zeros() noexcept {
  alignas(T) static constexpr std::array<std::byte, sizeof(T)> kZeros{};
  return *std::launder(reinterpret_cast<const T*>(kZeros.data()));
}

/// Collects a line for each struct: `Traffic: packets u64, bytes u64`. Two programs of which these lines are equal read each other's
/// partial results. `Members`: as archives have it.
template <class Members>
class Description {
 public:
  /// The words for T, after which text() has the lines of all structs in it.
  template <class T>
  std::string type() {
    if constexpr (InPartsByMembers<Members, T>) {
      return type<decltype(Members::parts_of(std::declval<const T&>()))>();
    } else if constexpr (VisitedByMembers<Members, const T>) {
      return structure<T>();
    } else if constexpr (std::is_enum_v<T>) {
      return enumeration<T>();
    } else if constexpr (std::same_as<T, bool>) {
      return "bool";
    } else if constexpr (std::integral<T>) {
      return fmt::format("{}{}", std::is_signed_v<T> ? 'i' : 'u', 8 * sizeof(T));
    } else if constexpr (Serial<T>) {
      return "u24";
    } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) {
      return "text";
    } else if constexpr (std::same_as<T, const OpcodeInfo*>) {
      return "opcode";
    } else if constexpr (std::same_as<T, const FindingInfo*>) {
      return "finding";
    } else if constexpr (detail::kIsOptional<T>) {
      return type<typename T::value_type>() + "?";
    } else if constexpr (detail::kIsBox<T>) {
      return type<std::remove_cvref_t<decltype(*std::declval<const T&>())>>() + "?";
    } else if constexpr (detail::kIsArray<T>) {
      return fmt::format("{}[{}]", type<typename T::value_type>(), std::tuple_size_v<T>);
    } else if constexpr (detail::kIsSequence<T>) {
      return type<typename T::value_type>() + "[]";
    } else if constexpr (detail::kIsMap<T>) {
      return fmt::format("{}[{}]", type<typename T::mapped_type>(), type<typename T::key_type>());
    } else if constexpr (detail::kIsTuple<T>) {
      return tuple(std::type_identity<T>());
    } else if constexpr (detail::kIsPointer<T>) {
      return type<typename T::element_type>() + "?";
    } else if constexpr (detail::kIsPerhaps<T>) {
      return type<std::remove_cvref_t<decltype(*std::declval<const T&>().known)>>() + "?";
    } else if constexpr (OneMember<T>) {
      return type<std::remove_cvref_t<decltype(PrivateMembers::only_member(std::declval<T&>()))>>();
    } else if constexpr (InParts<T>) {
      return type<decltype(PrivateMembers::parts_of(std::declval<const T&>()))>();
    } else {
      return structure<T>();
    }
  }
  void add(std::string_view line) { text_ += fmt::format("{}\n", line); }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  template <template <class...> class Tuple, class... Each>
  std::string tuple(std::type_identity<Tuple<Each...>> /*type*/) {
    std::string words;
    ((words += fmt::format("{}{}", words.empty() ? "(" : ", ", type<std::remove_cvref_t<Each>>())), ...);
    return words + ")";
  }
  template <class T>
  static std::string name_of() {
    std::string_view text = detail::text_of_type<T>();  // "... T = rocescope::SizeTable::Row]"
    text.remove_suffix(1);
    return std::string(text.substr(text.rfind(' ') + 1 + std::string_view("rocescope::").size()));
  }
  template <class T>
  std::string structure() {
    const std::string name = name_of<T>();
    if (!known_.insert(name).second) return name;
    std::string line;
    const auto describe = [&]<class Member>(std::string_view member, const Member&) {
      line += fmt::format("{}{} {}", line.empty() ? "" : ", ", member, type<Member>());
    };
    if constexpr (VisitedByMembers<Members, const T>) {
      Members::visit(zeros<T>(), describe);  // of some there is no empty one
    } else {
      static const T kEmpty{};
      visit_fields(kEmpty, describe);
    }
    add(fmt::format("{}: {}", name, line));
    return name;
  }
  template <class T>
  std::string enumeration() {
    const std::string name = name_of<T>();
    if (!known_.insert(name).second) return name;
    std::string line;
    const EnumeratorNames& names = enumerators<T>();
    for (std::size_t value = 0; value < names.size(); ++value) {
      if (!names[value].empty()) line += fmt::format("{}{}={}", line.empty() ? "" : ", ", names[value], value);
    }
    add(fmt::format("{}: {}", name, line));
    return name;
  }

  std::set<std::string> known_;
  std::string text_;
};

}  // namespace rocescope::partial
