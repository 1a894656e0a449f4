// The parts of a test that the parser has read, and how they become a predicate.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "filter/operand.hpp"
#include "filter/predicate.hpp"
#include "filter/token.hpp"

namespace rocescope::filter {

/// How deep parentheses, functions, slices and masks may nest: enough for people, and too little to exhaust the stack.
inline constexpr int kMaxDepth = 200;

/// A piece of a filter: a predicate, an operand that has not been compared with anything, or a value. After an error it
/// is empty.
struct Term {
  PredicatePtr predicate;
  OperandPtr operand;
  std::optional<Token> literal;
  bool is_header = false;    ///< of `operand`: a header or protocol as a whole
  bool is_function = false;  ///< of `operand`: what a function made
  bool is_field = false;     ///< of `operand`: neither slice nor mask nor function
  bool is_group = false;     ///< of `operand`: a name's beginning, good for presence only
  RecordParts parts;         ///< that `operand` reads; of a name
  int depth = 0;             ///< of `operand`: how many slices, masks and functions are inside one another
  std::size_t offset = 0;    ///< in the filter's text
  std::size_t length = 0;

  [[nodiscard]] bool ok() const { return predicate != nullptr || operand != nullptr || literal.has_value(); }
};

/// The first error and its place.
class Problems {
 public:
  explicit Problems(FilterError& error) : error_(error) {}
  /// Notes an error at a place; the first one stays. Returns an empty Term.
  Term at(std::size_t offset, std::size_t length, std::string message) {
    if (error_.message.empty()) error_ = {std::move(message), offset, length};
    return {};
  }
  Term at(const Term& term, std::string message) { return at(term.offset, term.length, std::move(message)); }
  Term at(const Token& token, std::string message) { return at(token.offset, token.length, std::move(message)); }
  [[nodiscard]] bool none() const { return error_.message.empty(); }

 private:
  FilterError& error_;
};

/// The types of an operand's values in words: "an IPv4 address, an IPv6 address or an unsigned number".
[[nodiscard]] std::string describe_types(const Operand& operand);

/// Whether values of `operand` may be of one of the types.
[[nodiscard]] bool has_type(const Operand& operand, std::span<const FieldType> types);

/// A field, header or group of that name; otherwise the token itself as a value.
[[nodiscard]] Term resolve_name(const Token& word);

/// The error of a term that stands where a field must stand.
Term refuse_value(const Term& term, Problems& problems);

/// A term alone: presence, or its own predicate.
[[nodiscard]] PredicatePtr to_predicate(Term term, Problems& problems);

[[nodiscard]] Term mask(Term left, Term right, Problems& problems);
[[nodiscard]] Term slice(Term term, const Token& brackets, Problems& problems);
[[nodiscard]] Term call(const Token& name, std::vector<Term> arguments, Problems& problems);

/// `left` compared with `right`; empty `quantifier`: what the operator itself says. `left` is shared, since in a < b < c it was
/// the right side before.
[[nodiscard]] PredicatePtr compare(const std::shared_ptr<Operand>& left, const Token& comparison,
                                   std::optional<Quantifier> quantifier, const Term& right,
                                   const std::shared_ptr<Operand>& right_operand, Problems& problems);
[[nodiscard]] PredicatePtr match(Term left, std::optional<Quantifier> quantifier, const Term& pattern,
                                 Problems& problems);
/// Constants for a value beside `left`; empty, with an error noted, if it fits none of its types. `single`: a name that
/// stands for several values is an error.
[[nodiscard]] std::vector<Constant> constants_for(const Operand& left, const Term& value, bool partial, bool single,
                                                  Problems& problems);
/// Whether values of the two can be compared; notes an error if not.
[[nodiscard]] bool check_comparable(const Operand& left, const Operand& right, const Term& where, Problems& problems);

}  // namespace rocescope::filter
