// Says in words what is written of a type: each struct with the names and types of its members, each enumeration with its values.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "partial/carry.hpp"

namespace rocescope::partial {

/// A value of which nothing but the types of its members is asked for.
template <class T>
const T& zeros() noexcept {
  alignas(T) static std::array<std::byte, sizeof(T)> bytes{};  // takes no room in the program
  return *std::launder(reinterpret_cast<const T*>(bytes.data()));
}

/// The text of Description.
class DescriptionText {
 public:
  void add(std::string_view line);
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 protected:
  struct Structure {
    std::string name;
    std::string line;  // of its members
  };

  static void say(std::string& words, std::string_view more) { words += more; }
  static void say_integer(std::string& words, bool is_signed, std::size_t size);
  static void say_length(std::string& words, std::size_t length);
  /// Says the name of the type, of which `text` is text_of_type(). False: it has its line already.
  [[nodiscard]] bool begin(std::string_view text, std::string& words, Structure& structure);
  static void begin_member(Structure& structure, std::string_view name);
  void end(const Structure& structure);
  void say_enumeration(std::string_view text, const EnumeratorNames& names, std::string& words);

 private:
  std::set<std::string> known_;
  std::string text_;
};

/// Collects a line for each struct: `Traffic: packets u64, bytes u64`. Two programs of which these lines are equal read each other's
/// partial results. `Members`: as archives have it.
template <class Members>
class Description : public DescriptionText {
 public:
  /// The words for T, after which text() has the lines of all structs in it.
  template <class T>
  std::string type() {
    std::string words;
    say_type<T>(words);
    return words;
  }

 private:
  template <class T>
  void say_type(std::string& words) {
    if constexpr (InPartsByMembers<Members, T>) {
      say_type<decltype(Members::parts_of(std::declval<const T&>()))>(words);
    } else if constexpr (VisitedByMembers<Members, const T>) {
      say_structure<T>(words);
    } else if constexpr (std::is_enum_v<T>) {
      say_enumeration(detail::text_of_type<T>(), enumerators<T>(), words);
    } else if constexpr (std::same_as<T, bool>) {
      say(words, "bool");
    } else if constexpr (std::integral<T>) {
      say_integer(words, std::is_signed_v<T>, sizeof(T));
    } else if constexpr (Serial<T>) {
      say(words, "u24");
    } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) {
      say(words, "text");
    } else if constexpr (std::same_as<T, const OpcodeInfo*>) {
      say(words, "opcode");
    } else if constexpr (std::same_as<T, const FindingInfo*>) {
      say(words, "finding");
    } else if constexpr (detail::kIsOptional<T>) {
      say_type<typename T::value_type>(words);
      say(words, "?");
    } else if constexpr (detail::kIsBox<T>) {
      say_type<std::remove_cvref_t<decltype(*std::declval<const T&>())>>(words);
      say(words, "?");
    } else if constexpr (detail::kIsArray<T>) {
      say_type<typename T::value_type>(words);
      say_length(words, std::tuple_size_v<T>);
    } else if constexpr (detail::kIsSequence<T>) {
      say_type<typename T::value_type>(words);
      say(words, "[]");
    } else if constexpr (detail::kIsMap<T>) {
      say_type<typename T::mapped_type>(words);
      say(words, "[");
      say_type<typename T::key_type>(words);
      say(words, "]");
    } else if constexpr (detail::kIsTuple<T>) {
      say_tuple(std::type_identity<T>(), words);
    } else if constexpr (detail::kIsPointer<T>) {
      say_type<typename T::element_type>(words);
      say(words, "?");
    } else if constexpr (detail::kIsPerhaps<T>) {
      say_type<std::remove_cvref_t<decltype(*std::declval<const T&>().known)>>(words);
      say(words, "?");
    } else if constexpr (OneMember<T>) {
      say_type<std::remove_cvref_t<decltype(PrivateMembers::only_member(std::declval<T&>()))>>(words);
    } else if constexpr (InParts<T>) {
      say_type<decltype(PrivateMembers::parts_of(std::declval<const T&>()))>(words);
    } else {
      say_structure<T>(words);
    }
  }
  template <template <class...> class Tuple, class... Each>
  void say_tuple(std::type_identity<Tuple<Each...>> /*type*/, std::string& words) {
    std::string_view before = "(";
    ((say(words, std::exchange(before, ", ")), say_type<std::remove_cvref_t<Each>>(words)), ...);
    say(words, ")");
  }
  template <class T>
  void say_structure(std::string& words) {
    Structure structure;
    if (!begin(detail::text_of_type<T>(), words, structure)) return;
    const auto describe = [&]<class Member>(std::string_view member, const Member&) {
      begin_member(structure, member);
      say_type<Member>(structure.line);
    };
    if constexpr (VisitedByMembers<Members, const T>) {
      Members::visit(zeros<T>(), describe);
    } else {
      visit_fields(zeros<T>(), describe);
    }
    end(structure);
  }
};

}  // namespace rocescope::partial
