// Writes a value, reads it and says in words what is written of its type. What each type takes for that is a small table, made by the
// compiler; one walk over these tables (carry.cpp) serves all types, so that nothing is compiled for each type and direction.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "partial/archives.hpp"
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
/// fields.hpp lists its members.
template <class T>
concept VisitedAsFields = std::same_as<T, Connection> || std::same_as<T, CongestionState>;

/// A value or none. Writing reads it in place; reading makes a new value.
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
inline constexpr bool kIsSorted = false;
template <class Key, class T>
inline constexpr bool kIsSorted<std::map<Key, T>> = true;
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

/// What only a state (state.hpp) has: the members of classes that are no part of a report. `Members::Of<T>` says what
/// it has of a T.
template <class Members, class T>
concept InPartsByMembers = requires(const T& value) {
  Members::template Of<T>::parts_of(value);
};

inline constexpr std::size_t kMostZeros = 65'536;
inline constexpr std::size_t kZerosAlignment = 64;
[[nodiscard]] const void* zeros() noexcept;
/// A value of which only the types of the members are needed.
template <class T>
const T& zeros() noexcept {
  static_assert(sizeof(T) <= kMostZeros && alignof(T) <= kZerosAlignment);
  return *std::launder(static_cast<const T*>(zeros()));
}

struct Type;

/// Gets the members of a value. It must not change members of a constant value.
class MemberVisitor {
 public:
  virtual void visit(std::string_view name, void* member, const Type& type) = 0;

 protected:
  ~MemberVisitor() = default;
};

// What the kinds of types take.

/// A value, or none.
struct HolderTable {
  const void* (*get)(const void* holder);  ///< null: none
  void* (*make)(void* holder);             ///< an empty value
  void (*clear)(void* holder);             ///< null: reading leaves a holder without a value as it is
};
struct SequenceTable {
  std::size_t (*size)(const void* sequence);
  const void* (*at)(const void* sequence, std::size_t place);
  void (*clear)(void* sequence);
  void* (*add)(void* sequence);
};
struct MapEntry {
  const void* key;
  const void* value;
};
struct MapTable {
  const Type* key;
  void (*list)(const void* map, std::vector<MapEntry>& entries);
  bool (*is_before)(const MapEntry& a, const MapEntry& b);  ///< null: they are in order, or have none
  void (*clear)(void* map);
  void (*read)(ReadingArchive& archive, void* map);  ///< one entry
};
struct StructTable {
  const char* text;  ///< text_of_type()
  void (*visit)(void* value, MemberVisitor& visitor);
  void (*show)(const void* value, MemberVisitor& visitor);  ///< null: visit() changes nothing
  bool (*is_sound)(const void* value);                      ///< null: whatever its members are
};
struct EnumTable {
  const char* text;
  const EnumeratorNames& (*names)();
};
/// Others than its members make it.
struct PartsTable {
  void (*write)(WritingArchive& archive, const void* value);
  void (*read)(ReadingArchive& archive, void* value);
};

enum class Kind : std::uint8_t {
  kNumber,
  kEnum,
  kPsn,
  kQpn,
  kString,
  kWord,  ///< std::string_view
  kBytes,
  kOpcode,
  kFinding,
  kHolder,
  kArray,
  kSequence,
  kMap,
  kTuple,
  kOnlyMember,
  kParts,
  kStruct,
};

struct Type {
  Kind kind;
  bool is_bool = false;
  bool is_signed = false;
  std::size_t size = 0;           ///< of the value
  std::size_t count = 0;          ///< of elements of an array
  const Type* element = nullptr;  ///< of what has others in it
  union {
    const void* none = nullptr;
    const HolderTable* holder;
    const SequenceTable* sequence;
    const MapTable* map;
    const StructTable* structure;  ///< of a tuple too, whose members have no names
    const EnumTable* enumeration;
    const PartsTable* parts;
    void* (*only_member)(void* value);
  };
};

/// Shows `visitor` the members of a value, which it must not change.
void show(const StructTable& structure, const void* value, MemberVisitor& visitor);

struct MemberAt {
  void* member;
  const Type* type;
};
void visit_all(const std::string_view* names, const MemberAt* members, std::size_t count, MemberVisitor& visitor);

void write(WritingArchive& archive, const void* value, const Type& type);
void read(ReadingArchive& archive, void* value, const Type& type);

namespace detail {

template <class Members, class T>
struct TypeOf;

/// Passes a member to a visitor.
template <class Members>
struct Visit {
  MemberVisitor& visitor;
  template <class T>
  void operator()(std::string_view name, T& member) const {
    using Member = std::remove_const_t<T>;
    visitor.visit(name, const_cast<Member*>(&member), TypeOf<Members, Member>::kType);
  }
};

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}
template <class T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

template <class Members, class T>
consteval auto holder_table() {
  if constexpr (kIsOptional<T>) {
    return HolderTable{[](const void* holder) -> const void* { return as<T>(holder) ? &*as<T>(holder) : nullptr; },
                       [](void* holder) -> void* {
                         as<T>(holder) = typename T::value_type{};
                         return &*as<T>(holder);
                       },
                       nullptr};
  } else if constexpr (kIsBox<T>) {
    return HolderTable{[](const void* holder) -> const void* { return as<T>(holder).get(); },
                       [](void* holder) -> void* {
                         static_cast<void>(as<T>(holder).make());
                         return as<T>(holder).get();
                       },
                       nullptr};
  } else if constexpr (kIsPointer<T>) {
    return HolderTable{[](const void* holder) -> const void* { return as<T>(holder).get(); },
                       [](void* holder) -> void* {
                         using Value = typename T::element_type;
                         if constexpr (std::is_default_constructible_v<Value>) {
                           as<T>(holder) = std::make_unique<Value>();
                         } else {
                           as<T>(holder) = Members::template Of<Value>::make();
                         }
                         return as<T>(holder).get();
                       },
                       [](void* holder) { as<T>(holder).reset(); }};
  } else {
    return HolderTable{[](const void* holder) -> const void* { return as<T>(holder).known; },
                       [](void* holder) -> void* {
                         using Value = std::remove_cvref_t<decltype(*as<T>(holder).known)>;
                         as<T>(holder).own = Members::template Of<Value>::make();
                         return as<T>(holder).own.get();
                       },
                       nullptr};
  }
}
template <class Members, class T>
inline constexpr HolderTable kHolderTable = holder_table<Members, T>();

template <class T>
inline constexpr SequenceTable kSequenceTable = {
    [](const void* sequence) { return as<T>(sequence).size(); },
    [](const void* sequence, std::size_t place) -> const void* { return &as<T>(sequence)[place]; },
    [](void* sequence) { as<T>(sequence).clear(); },
    [](void* sequence) -> void* { return &as<T>(sequence).emplace_back(); }};

template <class Members, class T>
consteval auto map_table() {
  using Key = typename T::key_type;
  using Value = typename T::mapped_type;
  MapTable table = {&TypeOf<Members, Key>::kType,
                    [](const void* map, std::vector<MapEntry>& entries) {
                      for (const auto& [key, value] : as<T>(map)) entries.push_back({&key, &value});
                    },
                    nullptr, [](void* map) { as<T>(map).clear(); },
                    [](ReadingArchive& archive, void* map) {
                      Key key{};
                      partial::read(archive, &key, TypeOf<Members, Key>::kType);
                      partial::read(archive, &as<T>(map)[key], TypeOf<Members, Value>::kType);
                    }};
  // Equal maps are written alike.
  if constexpr (!kIsSorted<T> && std::totally_ordered<Key>) {
    table.is_before = [](const MapEntry& a, const MapEntry& b) { return as<Key>(a.key) < as<Key>(b.key); };
  }
  return table;
}
template <class Members, class T>
inline constexpr MapTable kMapTable = map_table<Members, T>();

template <class Members, class T>
inline constexpr StructTable kTupleTable = {
    nullptr,
    [](void* value, MemberVisitor& visitor) {
      std::apply([&](auto&... each) { (Visit<Members>{visitor}({}, each), ...); }, as<T>(value));
    },
    nullptr, nullptr};

/// Shows a visitor all members of a struct. Needs only their addresses.
template <class Members, class T>
struct VisitAll {
  MemberVisitor& visitor;
  template <class... Member>
  void operator()(Member&... member) const {
    const MemberAt members[] = {{&member, &TypeOf<Members, Member>::kType}...};
    visit_all(kMemberNames<T>.data(), members, sizeof...(Member), visitor);
  }
};

template <class Members, class T>
concept VisitedByMembers = requires(T& value, const Visit<Members>& visit) {
  Members::template Of<std::remove_const_t<T>>::visit(value, visit);
};

template <class Members, class T>
consteval StructTable struct_table() {
  static_assert(sizeof(T) <= kMostZeros && alignof(T) <= kZerosAlignment);
  StructTable table{text_of_type<T>(), nullptr, nullptr, nullptr};
  if constexpr (VisitedByMembers<Members, T>) {
    table.visit = [](void* value, MemberVisitor& visitor) {
      Members::template Of<T>::visit(as<T>(value), Visit<Members>{visitor});
    };
    if constexpr (VisitedByMembers<Members, const T>) {
      table.show = [](const void* value, MemberVisitor& visitor) {
        Members::template Of<T>::visit(as<T>(value), Visit<Members>{visitor});
      };
    }
  } else if constexpr (VisitedAsFields<T>) {
    table.visit = [](void* value, MemberVisitor& visitor) { visit_fields(as<T>(value), Visit<Members>{visitor}); };
    table.show = [](const void* value, MemberVisitor& visitor) { visit_fields(as<T>(value), Visit<Members>{visitor}); };
  } else {
    static_assert(Plain<T>, "a type that a partial result cannot hold yet");
    table.visit = [](void* value, MemberVisitor& visitor) {
      with_members(as<T>(value), VisitAll<Members, T>{visitor});
    };
  }
  constexpr bool kHasOwnRule = requires(const T& value) { Members::template Of<T>::is_sound(value); };
  constexpr bool kHasRule = requires { static_cast<bool (*)(const T&)>(partial::is_sound); };
  if constexpr (kHasOwnRule) {
    static_assert(!kHasRule);
    table.is_sound = [](const void* value) { return Members::template Of<T>::is_sound(as<T>(value)); };
  } else if constexpr (kHasRule) {
    table.is_sound = [](const void* value) { return partial::is_sound(as<T>(value)); };
  }
  return table;
}
template <class Members, class T>
inline constexpr StructTable kStructTable = struct_table<Members, T>();

template <class T>
inline constexpr EnumTable kEnumTable = {text_of_type<T>(), enumerators<T>};

/// `In`: the class with parts_of() and assemble().
template <class Members, class In, class T>
struct Parts {
  using Type = decltype(In::parts_of(std::declval<const T&>()));
  static constexpr PartsTable kTable = {[](WritingArchive& archive, const void* value) {
                                          const Type parts = In::parts_of(as<T>(value));
                                          partial::write(archive, &parts, TypeOf<Members, Type>::kType);
                                        },
                                        [](ReadingArchive& archive, void* value) {
                                          Type parts{};
                                          partial::read(archive, &parts, TypeOf<Members, Type>::kType);
                                          if (archive.is_good() && !In::assemble(std::move(parts), as<T>(value)))
                                            archive.fail();
                                        }};
};

template <class Members, class Holder, class T>
consteval Type holder_type() {
  return {.kind = Kind::kHolder, .element = &TypeOf<Members, T>::kType, .holder = &kHolderTable<Members, Holder>};
}
template <class Members, class In, class T>
consteval Type parts_type() {
  using Table = Parts<Members, In, T>;
  return {.kind = Kind::kParts, .element = &TypeOf<Members, typename Table::Type>::kType, .parts = &Table::kTable};
}

template <class Members, class T>
consteval Type type_of() {
  if constexpr (std::is_enum_v<T>) {
    using Number = std::underlying_type_t<T>;
    return {
        .kind = Kind::kEnum, .is_signed = std::is_signed_v<Number>, .size = sizeof(T), .enumeration = &kEnumTable<T>};
  } else if constexpr (std::integral<T>) {
    return {
        .kind = Kind::kNumber, .is_bool = std::same_as<T, bool>, .is_signed = std::is_signed_v<T>, .size = sizeof(T)};
  } else if constexpr (std::same_as<T, Psn>) {
    return {.kind = Kind::kPsn};
  } else if constexpr (std::same_as<T, Qpn>) {
    return {.kind = Kind::kQpn};
  } else if constexpr (std::same_as<T, std::string>) {
    return {.kind = Kind::kString};
  } else if constexpr (std::same_as<T, std::string_view>) {
    return {.kind = Kind::kWord};
  } else if constexpr (std::same_as<T, std::vector<std::uint8_t>>) {
    return {.kind = Kind::kBytes};
  } else if constexpr (std::same_as<T, const OpcodeInfo*>) {
    return {.kind = Kind::kOpcode};
  } else if constexpr (std::same_as<T, const FindingInfo*>) {
    return {.kind = Kind::kFinding};
  } else if constexpr (kIsArray<T>) {
    return {.kind = Kind::kArray,
            .size = sizeof(typename T::value_type),
            .count = std::tuple_size_v<T>,
            .element = &TypeOf<Members, typename T::value_type>::kType};
  } else if constexpr (kIsSequence<T>) {
    return {.kind = Kind::kSequence,
            .element = &TypeOf<Members, typename T::value_type>::kType,
            .sequence = &kSequenceTable<T>};
  } else if constexpr (kIsMap<T>) {
    return {
        .kind = Kind::kMap, .element = &TypeOf<Members, typename T::mapped_type>::kType, .map = &kMapTable<Members, T>};
  } else if constexpr (kIsTuple<T>) {
    return {.kind = Kind::kTuple, .structure = &kTupleTable<Members, T>};
  } else if constexpr (kIsOptional<T>) {
    return holder_type<Members, T, typename T::value_type>();
  } else if constexpr (kIsBox<T>) {
    return holder_type<Members, T, std::remove_cvref_t<decltype(*std::declval<const T&>())>>();
  } else if constexpr (kIsPerhaps<T>) {
    return holder_type<Members, T, std::remove_cvref_t<decltype(*std::declval<const T&>().known)>>();
  } else if constexpr (InPartsByMembers<Members, T>) {
    return parts_type<Members, typename Members::template Of<T>, T>();
  } else if constexpr (kIsPointer<T>) {
    return holder_type<Members, T, typename T::element_type>();
  } else if constexpr (VisitedByMembers<Members, T>) {
    return {.kind = Kind::kStruct, .structure = &kStructTable<Members, T>};
  } else if constexpr (OneMember<T>) {
    using Member = std::remove_cvref_t<decltype(PrivateMembers::only_member(std::declval<T&>()))>;
    return {.kind = Kind::kOnlyMember,
            .element = &TypeOf<Members, Member>::kType,
            .only_member = [](void* value) -> void* { return &PrivateMembers::only_member(as<T>(value)); }};
  } else if constexpr (InParts<T>) {
    return parts_type<Members, PrivateMembers, T>();
  } else {
    return {.kind = Kind::kStruct, .structure = &kStructTable<Members, T>};
  }
}

template <class Members, class T>
struct TypeOf {
  static constexpr Type kType = type_of<Members, T>();
};

}  // namespace detail

/// Of archives with these members.
template <class Members, class T>
const Type& type_of() {
  return detail::TypeOf<Members, T>::kType;
}

template <std::derived_from<WritingArchive> Archive, class T>
void carry(Archive& archive, const T& value) {
  write(archive, &value, type_of<typename Archive::Members, T>());
}
template <std::derived_from<ReadingArchive> Archive, class T>
void carry(Archive& archive, T& value) {
  read(archive, &value, type_of<typename Archive::Members, T>());
}

}  // namespace rocescope::partial
