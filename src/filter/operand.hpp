// The values that a filter reads from a packet: fields, headers, parts of them, and results of functions.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "fields/catalog.hpp"
#include "filter/expected_fields.hpp"
#include "filter/slice.hpp"
#include "filter/value.hpp"

namespace rocescope::filter {

/// A function that takes values one by one; it ends the walk by returning true. Refers to a callable without owning it.
class Visitor {
 public:
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, Visitor>)
      // NOLINTNEXTLINE(google-explicit-constructor): a lambda must convert by itself
      Visitor(Callable&& callable)
  noexcept
      : callable_(std::addressof(callable)), call_([](const void* target, const Value& value) -> bool {
          return (*static_cast<std::add_pointer_t<const std::remove_reference_t<Callable>>>(target))(value);
        }) {}
  bool operator()(const Value& value) const { return call_(callable_, value); }

 private:
  const void* callable_;
  bool (*call_)(const void*, const Value&);
};

/// A producer of values.
class Operand {
 public:
  Operand() = default;
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;
  virtual ~Operand() = default;

  /// Calls `visit` with each value that the packet has; returns true as soon as `visit` does, else false.
  virtual bool any(const PacketRecord& record, Visitor visit) const = 0;
  /// Its name in messages, as the filter has it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The fields that its values are like: their types, and for constants compared with them widths and names; at least one.
  [[nodiscard]] virtual std::span<const Field* const> fields() const = 0;

  /// Whether its values are those of the fields of its name, as they are.
  [[nodiscard]] virtual bool is_field() const { return false; }

  /// What packets of the express lane have of it; null: anything.
  [[nodiscard]] virtual const ExpectedField* expected() const { return nullptr; }

  /// Whether the packet has a value.
  [[nodiscard]] virtual bool present(const PacketRecord& record) const {
    return any(record, [](const Value&) { return true; });
  }
  /// For a header: from now on the values reach to the end of the packet rather than of the header, as Wireshark has it
  /// where a protocol is searched.
  virtual void reach_on() {}
};

using OperandPtr = std::unique_ptr<Operand>;

/// An operand whose values are like one field made for it.
class SingleTypeOperand : public Operand {
 public:
  SingleTypeOperand(std::string name, FieldType type) : name_(std::move(name)), field_{name_, "", 0, 64, type} {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::span<const Field* const> fields() const override { return {&field_pointer_, 1}; }

 private:
  std::string name_;
  Field field_;
  const Field* field_pointer_ = &field_;
};

/// All fields of a name.
[[nodiscard]] OperandPtr make_field_operand(std::string name, std::vector<fields::FieldRef> refs);

/// A header or a protocol as a byte sequence. `name` is one that fields::find_headers knows, or `frame`.
[[nodiscard]] OperandPtr make_header_operand(std::string name);

/// Parts of the values of `inner`, which are not numbers.
[[nodiscard]] OperandPtr make_slice_operand(OperandPtr inner, std::vector<Slice> slices);

/// The bitwise and of the values of two operands. The right one's are used where their types fit those of the left one.
[[nodiscard]] OperandPtr make_mask_operand(OperandPtr left, OperandPtr right);

/// Values that the filter names.
[[nodiscard]] OperandPtr make_constant_operand(std::string name, std::vector<Constant> constants);

}  // namespace rocescope::filter
