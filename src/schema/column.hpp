// A kind of row of a report is a table of columns. Whatever writes, documents, adds up or exports rows reads their table.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "schema/value.hpp"

namespace rocescope::schema {

enum class Type : std::uint8_t {
  // One value. How documents write it stands behind.
  kNumber,  ///< a count or a small number
  kBoolean,
  kText,      ///< words; of an enumeration its to_string()
  kTime,      ///< nanoseconds since 1970-01-01 UTC
  kDuration,  ///< nanoseconds
  kAddress,   ///< IPv4, IPv6 or LID, as text
  kMac,       ///< as text
  kQpn,       ///< queue pair number, 24 bits
  kPsn,       ///< packet sequence number, 24 bits
  kKey,       ///< R_Key, Q_Key: 32 bits, as a number
  kId,   ///< 64 bits that are no quantity: text, 0x and 16 hex digits, since readers of JSON take numbers for doubles
  kHex,  ///< bytes, as text of hex digits
  // Several values
  kObject,   ///< a row of another table; it may be absent
  kArray,    ///< rows of another table
  kMembers,  ///< a row of another table whose columns stand among the others, with the column's name before theirs
  kNamed,    ///< rows of another table, each under a name
  kCounts,   ///< numbers by name; of a column without a name they stand among the others
  kList,     ///< values of `element`
  kSeries,   ///< rows of another table, as one list a column
};

/// Of a number.
enum class Unit : std::uint8_t { kNone, kPackets, kBytes, kMessages };

[[nodiscard]] constexpr std::string_view to_string(Unit unit) noexcept {
  constexpr std::string_view kNames[] = {"", "packets", "bytes", "messages"};
  return kNames[static_cast<std::size_t>(unit)];
}

/// How one value comes out of those of two rows, where the rows are added up.
enum class Merge : std::uint8_t {
  kUnsaid,  ///< the sum has none: of what is no number
  kNever,   ///< the sum has none of this number: it is no count, or follows from others
  // A sum may start as an empty row.
  kSum,    ///< counts by name: each
  kMax,    ///< of values that are never negative
  kParts,  ///< of rows in the row, column by column; of arrays those with the same key
  // The sum starts as one of the rows: an empty one would come first.
  kFirst,  ///< the earlier time, the lower number of a packet
  kLast,   ///< the later time
};

/// A number of a kCounts column.
struct Count {
  std::string_view name;
  std::uint64_t number = 0;
};

/// A row of a kNamed column.
struct Named {
  std::string_view name;
  const void* row = nullptr;
};

/// A function that lasts as long as the call it is given to. It is shown a row of the column's table; of a kNamed column a
/// Named, of a kCounts column a Count, of a kList column a Value.
class Visitor {
 public:
  template <class Function>
  explicit Visitor(Function& function)
      : function_(std::addressof(function)),
        call_([](void* context, const void* shown) { (*static_cast<Function*>(context))(shown); }) {}
  void operator()(const void* shown) const { call_(function_, shown); }

 private:
  void* function_;
  void (*call_)(void*, const void*);
};

struct Table;

/// A row is passed as a pointer to the type that its table describes; Rows<Row> and columns() hold the two together.
struct Column {
  std::string_view name;  ///< in all documents; of kMembers what stands before the names of the other table
  std::string_view help;  ///< for the manual: what it counts or says, in a line or two
  Type type = Type::kNumber;
  Unit unit = Unit::kNone;
  Merge merge = Merge::kUnsaid;
  Type element = Type::kNumber;                        ///< of kList
  bool absent_if_zero = false;                         ///< 0, or empty text, means that there is none
  bool optional = false;                               ///< a row may lack it otherwise
  bool skips_zeros = false;                            ///< of kCounts: documents leave out numbers that are 0
  bool totals_only = false;                            ///< of kMembers: those columns that is_total()
  bool in_csv = true;                                  ///< CSV has it, too
  std::string_view heading = {};                       ///< over the column of a text table
  std::string_view csv_prefix = {};                    ///< of kObject and kCounts: what CSV has before the names in it
  const Table* table = nullptr;                        ///< of the types with rows of another table
  std::string_view (*name_at)(std::size_t) = nullptr;  ///< of kNamed and kCounts: all names; empty behind the last

  void (*get)(const void* row, Value& value) = nullptr;    ///< of one value; leaves `value` alone where it is absent
  void (*each)(const void* row, Visitor visit) = nullptr;  ///< of several values, in their order
  bool (*present)(const void* row) = nullptr;              ///< null: always. CSV has the columns of a kObject anyway
  void (*add)(void* into, const void* from) = nullptr;     ///< does what `merge` says
};

/// What one kind of row holds.
struct Table {
  std::string_view name;  ///< of a row: `memory_region`
  std::string_view help;  ///< what a row is
  std::span<const Column> columns;
};

/// The table of rows of the type `Row`.
template <class Row>
struct Rows : Table {};

/// Reads one value; absent where the row has none.
inline void read(const Column& column, const void* row, Value& value) {
  value.clear();
  column.get(row, value);
  if (column.absent_if_zero && value.is_zero()) value.clear();
}

[[nodiscard]] constexpr bool is_single(Type type) noexcept { return type < Type::kObject; }

/// Adds a row to another of the same table, column by column.
void merge(const Table& table, void* into, const void* from);
template <class Row>
void merge(const Rows<Row>& table, Row& into, const Row& from) {
  merge(static_cast<const Table&>(table), static_cast<void*>(&into), static_cast<const void*>(&from));
}

/// Whether a column has a meaning for rows that were added up: the totals of evicted connections show these alone.
[[nodiscard]] constexpr bool is_total(const Column& column) noexcept {
  return column.merge == Merge::kSum || column.merge == Merge::kMax || column.merge == Merge::kParts;
}

}  // namespace rocescope::schema
