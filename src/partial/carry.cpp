#include "partial/carry.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>

#include "sorting/sort.hpp"

namespace rocescope::partial {
namespace {

/// Calls `function` with a number as `type` has it.
template <class Function>
void with_number(const Type& type, Function function) {
  switch (type.size) {
    case 1:
      return type.is_signed ? function(std::int8_t{}) : function(std::uint8_t{});
    case 2:
      return type.is_signed ? function(std::int16_t{}) : function(std::uint16_t{});
    case 4:
      return type.is_signed ? function(std::int32_t{}) : function(std::uint32_t{});
    default:
      return type.is_signed ? function(std::int64_t{}) : function(std::uint64_t{});
  }
}

/// A whole number of any kind.
std::uint64_t load(const void* value, const Type& type) {
  std::uint64_t wide = 0;
  with_number(type, [&](auto number) {
    std::memcpy(&number, value, sizeof number);
    wide = static_cast<std::uint64_t>(number);
  });
  return wide;
}
void store(std::uint64_t wide, void* value, const Type& type) {
  with_number(type, [&](auto number) {
    number = static_cast<decltype(number)>(wide);
    std::memcpy(value, &number, sizeof number);
  });
}

void write_number(WritingArchive& archive, const void* value, const Type& type) {
  const std::uint64_t number = load(value, type);
  // Signed ones so that small ones are short.
  archive.number(type.is_signed ? (number << 1U) ^ (0 - (number >> 63U)) : number);
}

/// What write_number() wrote; more than the type holds fails.
std::uint64_t read_number(ReadingArchive& archive, const Type& type) {
  std::uint64_t number = 0;
  archive.number(number);
  const std::size_t bits = type.is_bool ? 1 : 8 * type.size;
  if (number > 1 && bits < 64 && (number >> bits) != 0) {
    archive.fail();
    return 0;
  }
  return type.is_signed ? (number >> 1U) ^ (0 - (number & 1U)) : number;
}

/// Writes what it is shown.
class WritingVisitor final : public MemberVisitor {
 public:
  explicit WritingVisitor(WritingArchive& archive) : archive_(archive) {}
  void visit(std::string_view /*name*/, void* member, const Type& type) override { write(archive_, member, type); }

 private:
  WritingArchive& archive_;
};
class ReadingVisitor final : public MemberVisitor {
 public:
  explicit ReadingVisitor(ReadingArchive& archive) : archive_(archive) {}
  void visit(std::string_view /*name*/, void* member, const Type& type) override { read(archive_, member, type); }

 private:
  ReadingArchive& archive_;
};

const void* element_of(const void* array, const Type& type, std::size_t place) {
  return static_cast<const std::byte*>(array) + place * type.size;
}

bool is_byte(const Type& type) {
  return type.kind == Kind::kNumber && type.size == 1 && !type.is_signed && !type.is_bool;
}

void write_map(WritingArchive& archive, const void* value, const Type& type) {
  std::vector<MapEntry> entries;
  type.map->list(value, entries);
  if (type.map->is_before != nullptr) sorting::sort(entries, type.map->is_before);
  archive.number(entries.size());
  for (const MapEntry& entry : entries) {
    write(archive, entry.key, *type.map->key);
    write(archive, entry.value, *type.element);
  }
}

void read_sequence(ReadingArchive& archive, void* value, const Type& type) {
  const ReadingArchive::Level level(archive);
  std::uint64_t size = 0;
  archive.number(size);
  type.sequence->clear(value);
  // Each element takes at least a byte of the file, so a false size takes no memory.
  for (; size > 0 && archive.is_good(); --size) read(archive, type.sequence->add(value), *type.element);
}

void read_map(ReadingArchive& archive, void* value, const Type& type) {
  std::uint64_t size = 0;
  archive.number(size);
  type.map->clear(value);
  for (; size > 0 && archive.is_good(); --size) type.map->read(archive, value);
}

bool read_bool(ReadingArchive& archive) {
  std::uint64_t number = 0;
  archive.number(number);
  if (number > 1) archive.fail();
  return number == 1;
}

void read_holder(ReadingArchive& archive, void* value, const Type& type) {
  if (read_bool(archive)) {
    read(archive, type.holder->make(value), *type.element);
  } else if (type.holder->clear != nullptr) {
    type.holder->clear(value);
  }
}

void read_enum(ReadingArchive& archive, void* value, const Type& type) {
  const std::uint64_t number = read_number(archive, type);
  if (!archive.is_good()) return;
  const EnumeratorNames& names = type.enumeration->names();
  if (number >= names.size() || names[static_cast<std::size_t>(number)].empty()) return archive.fail();
  store(number, value, type);
}

template <class Serial>
void read_serial(ReadingArchive& archive, void* value) {
  std::uint64_t number = 0;
  archive.number(number);
  if (number > std::numeric_limits<std::uint32_t>::max()) return archive.fail();
  detail::as<Serial>(value) = Serial(static_cast<std::uint32_t>(number));
}

void read_struct(ReadingArchive& archive, void* value, const Type& type) {
  ReadingVisitor visitor(archive);
  type.structure->visit(value, visitor);
  if (!archive.is_good() || type.structure->is_sound == nullptr) return;
  if (!type.structure->is_sound(value)) archive.fail();
}

}  // namespace

const void* zeros() noexcept {
  alignas(kZerosAlignment) static std::array<std::byte, kMostZeros> bytes{};  // takes no room in the program
  return bytes.data();
}

void show(const StructTable& structure, const void* value, MemberVisitor& visitor) {
  if (structure.show != nullptr) return structure.show(value, visitor);
  structure.visit(const_cast<void*>(value), visitor);
}

void visit_all(const std::string_view* names, const MemberAt* members, std::size_t count, MemberVisitor& visitor) {
  for (std::size_t i = 0; i < count; ++i) visitor.visit(names[i], members[i].member, *members[i].type);
}

void write(WritingArchive& archive, const void* value, const Type& type) {
  switch (type.kind) {
    case Kind::kNumber:
    case Kind::kEnum:
      return write_number(archive, value, type);
    case Kind::kPsn:
      return archive.number(detail::as<Psn>(value).value());
    case Kind::kQpn:
      return archive.number(detail::as<Qpn>(value).value());
    case Kind::kString:
      return archive.text(detail::as<std::string>(value));
    case Kind::kWord:
      return archive.text(detail::as<std::string_view>(value));
    case Kind::kBytes:
      return archive.text(detail::as<std::vector<std::uint8_t>>(value));
    case Kind::kOpcode: {
      const auto* const opcode = detail::as<const OpcodeInfo*>(value);
      if (archive.may_lack_opcodes()) archive.number(opcode == nullptr ? 0 : 1);
      if (!archive.may_lack_opcodes() || opcode != nullptr) archive.entry(opcode);
      return;
    }
    case Kind::kFinding:
      return archive.entry(detail::as<const FindingInfo*>(value));
    case Kind::kHolder: {
      const void* const held = type.holder->get(value);
      archive.number(held == nullptr ? 0 : 1);
      if (held != nullptr) write(archive, held, *type.element);
      return;
    }
    case Kind::kArray:
      if (is_byte(*type.element)) return archive.bytes({static_cast<const std::uint8_t*>(value), type.count});
      for (std::size_t i = 0; i < type.count; ++i) write(archive, element_of(value, type, i), *type.element);
      return;
    case Kind::kSequence: {
      const std::size_t size = type.sequence->size(value);
      archive.number(size);
      for (std::size_t i = 0; i < size; ++i) write(archive, type.sequence->at(value, i), *type.element);
      return;
    }
    case Kind::kMap:
      return write_map(archive, value, type);
    case Kind::kOnlyMember:
      return write(archive, type.only_member(const_cast<void*>(value)), *type.element);
    case Kind::kParts:
      return type.parts->write(archive, value);
    case Kind::kTuple:
    case Kind::kStruct: {
      WritingVisitor visitor(archive);
      return show(*type.structure, value, visitor);
    }
  }
}

void read(ReadingArchive& archive, void* value, const Type& type) {
  if (!archive.is_good()) return;
  switch (type.kind) {
    case Kind::kNumber: {
      const std::uint64_t number = read_number(archive, type);
      if (archive.is_good()) store(number, value, type);
      return;
    }
    case Kind::kEnum:
      return read_enum(archive, value, type);
    case Kind::kPsn:
      return read_serial<Psn>(archive, value);
    case Kind::kQpn:
      return read_serial<Qpn>(archive, value);
    case Kind::kString:
      return archive.text(detail::as<std::string>(value));
    case Kind::kWord:
      return archive.text(detail::as<std::string_view>(value));
    case Kind::kBytes:
      return archive.text(detail::as<std::vector<std::uint8_t>>(value));
    case Kind::kOpcode: {
      auto& opcode = detail::as<const OpcodeInfo*>(value);
      if (archive.may_lack_opcodes()) {
        opcode = nullptr;
        if (!read_bool(archive)) return;
      }
      return archive.entry(opcode);
    }
    case Kind::kFinding:
      return archive.entry(detail::as<const FindingInfo*>(value));
    case Kind::kHolder:
      return read_holder(archive, value, type);
    case Kind::kArray:
      if (is_byte(*type.element)) return archive.bytes({static_cast<std::uint8_t*>(value), type.count});
      for (std::size_t i = 0; i < type.count; ++i)
        read(archive, const_cast<void*>(element_of(value, type, i)), *type.element);
      return;
    case Kind::kSequence:
      return read_sequence(archive, value, type);
    case Kind::kMap:
      return read_map(archive, value, type);
    case Kind::kTuple: {
      ReadingVisitor visitor(archive);
      return type.structure->visit(value, visitor);
    }
    case Kind::kOnlyMember:
      return read(archive, type.only_member(value), *type.element);
    case Kind::kParts:
      return type.parts->read(archive, value);
    case Kind::kStruct:
      return read_struct(archive, value, type);
  }
}

}  // namespace rocescope::partial
