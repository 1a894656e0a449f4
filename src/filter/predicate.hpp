// Comparisons and their combinations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "filter/operand.hpp"
#include "filter/regex.hpp"

namespace rocescope::filter {

/// A field, and an unsigned number that a packet must have in it to pass.
struct NeededNumber {
  const Operand* field = nullptr;  ///< lasts as long as the predicate
  std::uint64_t number = 0;
};

/// Decides whether a packet passes.
class Predicate {
 public:
  Predicate() = default;
  Predicate(const Predicate&) = delete;
  Predicate& operator=(const Predicate&) = delete;
  virtual ~Predicate() = default;
  [[nodiscard]] virtual bool test(const PacketRecord& record) const = 0;
  /// Something that every packet which passes has; nothing where there is no such number.
  [[nodiscard]] virtual std::optional<NeededNumber> needs() const { return std::nullopt; }
  /// False only where no packet passes that takes the express lane.
  [[nodiscard]] virtual bool may_pass_expected() const { return true; }
};

using PredicatePtr = std::unique_ptr<const Predicate>;

/// How many of the values that a field has in a packet must satisfy a comparison.
enum class Quantifier : std::uint8_t {
  kAny,  ///< at least one
  kAll,  ///< each, and there is one
};

/// One element of a set: constants, one of which must match; or constants with an upper end; or another operand.
struct SetElement {
  std::vector<Constant> first;
  std::vector<Constant> last;  ///< where not empty, the upper end of a range that starts at `first`; of the same types
  OperandPtr operand;          ///< where not null, there are no constants
};

[[nodiscard]] PredicatePtr make_present(OperandPtr operand);
/// Compares with constants; one equal constant is enough.
[[nodiscard]] PredicatePtr make_comparison(std::shared_ptr<const Operand> left, Relation relation,
                                           Quantifier quantifier, std::vector<Constant> right);
/// Compares each value of one operand with each of the other; both must have values. The operands may be shared between
/// predicates: in `a < b < c`, b is.
[[nodiscard]] PredicatePtr make_comparison(std::shared_ptr<const Operand> left, Relation relation,
                                           Quantifier quantifier, std::shared_ptr<const Operand> right);
[[nodiscard]] PredicatePtr make_match(OperandPtr left, Quantifier quantifier, Regex regex);
[[nodiscard]] PredicatePtr make_membership(OperandPtr left, Quantifier quantifier, std::vector<SetElement> set);
[[nodiscard]] PredicatePtr make_not(PredicatePtr inner);
[[nodiscard]] PredicatePtr make_and(std::vector<PredicatePtr> all);
/// Of many terms that need a number in the same field, a test looks only at those whose number the packet has.
[[nodiscard]] PredicatePtr make_or(std::vector<PredicatePtr> any);
[[nodiscard]] PredicatePtr make_xor(std::vector<PredicatePtr> odd);
/// Passes every packet.
[[nodiscard]] PredicatePtr make_true();

}  // namespace rocescope::filter
