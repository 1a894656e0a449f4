// Deciding.
#include "filter/predicate.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace rocescope::filter {
namespace {

using SharedOperand = std::shared_ptr<const Operand>;

/// Whether any or all values of `operand` satisfy `holds_for`. No value satisfies neither.
template <class Test>
bool quantify(Quantifier quantifier, const Operand& operand, const PacketRecord& record, Test&& holds_for) {
  if (quantifier == Quantifier::kAny) return operand.any(record, holds_for);
  bool there = false;
  const bool spoiled = operand.any(record, [&](const Value& value) {
    there = true;
    return !holds_for(value);
  });
  return there && !spoiled;
}

bool holds_for_one(const Value& value, Relation relation, const std::vector<Constant>& constants) {
  // Not equal to a name that stands for several values means: equal to none of them.
  if (relation == Relation::kNotEqual) {
    return std::all_of(constants.begin(), constants.end(),
                       [&](const Constant& constant) { return holds(value, Relation::kNotEqual, constant); });
  }
  return std::any_of(constants.begin(), constants.end(),
                     [&](const Constant& constant) { return holds(value, relation, constant); });
}

/// Whether packets of the express lane have values of `operand`.
bool is_expected(const Operand& operand) {
  const ExpectedField* const expected = operand.expected();
  return expected == nullptr || expected->most;
}

/// Whether one of the constants may be equal to such a value.
bool is_expected(const Operand& operand, const std::vector<Constant>& constants) {
  const ExpectedField* const expected = operand.expected();
  if (expected == nullptr) return true;
  return expected->most && std::any_of(constants.begin(), constants.end(), [&](const Constant& constant) {
           return constant.type != FieldType::kUnsigned || constant.number <= *expected->most;
         });
}

class Present final : public Predicate {
 public:
  explicit Present(OperandPtr operand) : operand_(std::move(operand)) {}
  [[nodiscard]] bool test(const PacketRecord& record) const override { return operand_->present(record); }
  [[nodiscard]] bool may_pass_expected() const override { return is_expected(*operand_); }

 private:
  OperandPtr operand_;
};

class ConstantComparison final : public Predicate {
 public:
  ConstantComparison(SharedOperand left, Relation relation, Quantifier quantifier, std::vector<Constant> right)
      : left_(std::move(left)), right_(std::move(right)), relation_(relation), quantifier_(quantifier) {}
  [[nodiscard]] bool test(const PacketRecord& record) const override {
    return quantify(quantifier_, *left_, record,
                    [&](const Value& value) { return holds_for_one(value, relation_, right_); });
  }
  [[nodiscard]] std::optional<NeededNumber> needs() const override {
    if (relation_ != Relation::kEqual || quantifier_ != Quantifier::kAny || right_.size() != 1) return std::nullopt;
    const Constant& only = right_.front();
    const bool is_one_number = only.type == FieldType::kUnsigned && only.last == only.number;
    if (!is_one_number || !left_->is_field()) return std::nullopt;
    return NeededNumber{left_.get(), only.number};
  }
  [[nodiscard]] bool may_pass_expected() const override {
    return relation_ == Relation::kEqual ? is_expected(*left_, right_) : is_expected(*left_);
  }

 private:
  SharedOperand left_;
  std::vector<Constant> right_;
  Relation relation_;
  Quantifier quantifier_;
};

class PairComparison final : public Predicate {
 public:
  PairComparison(SharedOperand left, Relation relation, Quantifier quantifier, SharedOperand right)
      : left_(std::move(left)), right_(std::move(right)), relation_(relation), quantifier_(quantifier) {}
  [[nodiscard]] bool test(const PacketRecord& record) const override {
    return quantify(quantifier_, *left_, record, [&](const Value& left) {
      return quantify(quantifier_, *right_, record, [&](const Value& right) { return holds(left, relation_, right); });
    });
  }
  [[nodiscard]] bool may_pass_expected() const override { return is_expected(*left_) && is_expected(*right_); }

 private:
  SharedOperand left_;
  SharedOperand right_;
  Relation relation_;
  Quantifier quantifier_;
};

class Match final : public Predicate {
 public:
  Match(OperandPtr left, Quantifier quantifier, Regex regex)
      : left_(std::move(left)), regex_(std::move(regex)), quantifier_(quantifier) {}
  [[nodiscard]] bool test(const PacketRecord& record) const override {
    return quantify(quantifier_, *left_, record,
                    [&](const Value& value) { return !is_numeric(value.type) && regex_.found_in(value.bytes); });
  }
  [[nodiscard]] bool may_pass_expected() const override { return is_expected(*left_); }

 private:
  OperandPtr left_;
  Regex regex_;
  Quantifier quantifier_;
};

class Membership final : public Predicate {
 public:
  Membership(OperandPtr left, Quantifier quantifier, std::vector<SetElement> set)
      : left_(std::move(left)), set_(std::move(set)), quantifier_(quantifier) {}
  [[nodiscard]] bool test(const PacketRecord& record) const override {
    return quantify(quantifier_, *left_, record, [&](const Value& value) {
      return std::any_of(set_.begin(), set_.end(),
                         [&](const SetElement& element) { return is_in(record, value, element); });
    });
  }
  [[nodiscard]] bool may_pass_expected() const override {
    if (!is_expected(*left_)) return false;
    return std::any_of(set_.begin(), set_.end(), [&](const SetElement& element) {
      return element.operand != nullptr || !element.last.empty() || is_expected(*left_, element.first);
    });
  }

 private:
  static bool is_in(const PacketRecord& record, const Value& value, const SetElement& element) {
    if (element.operand != nullptr) {
      return element.operand->any(record, [&](const Value& other) { return holds(value, Relation::kEqual, other); });
    }
    if (element.last.empty()) return holds_for_one(value, Relation::kEqual, element.first);
    return holds_for_one(value, Relation::kGreaterEqual, element.first) &&
           holds_for_one(value, Relation::kLessEqual, element.last);
  }

  OperandPtr left_;
  std::vector<SetElement> set_;
  Quantifier quantifier_;
};

class Not final : public Predicate {
 public:
  explicit Not(PredicatePtr inner) : inner_(std::move(inner)) {}
  [[nodiscard]] bool test(const PacketRecord& record) const override { return !inner_->test(record); }

 private:
  PredicatePtr inner_;
};

enum class Junction : std::uint8_t { kAnd, kOr, kXor };

/// Flat, so that a thousand terms in a row are no deeper than two.
template <Junction Kind>
class Combination final : public Predicate {
 public:
  explicit Combination(std::vector<PredicatePtr> terms) : terms_(std::move(terms)) {}
  [[nodiscard]] bool test(const PacketRecord& record) const override {
    const auto passes = [&](const PredicatePtr& term) { return term->test(record); };
    if constexpr (Kind == Junction::kAnd) return std::all_of(terms_.begin(), terms_.end(), passes);
    if constexpr (Kind == Junction::kOr) return std::any_of(terms_.begin(), terms_.end(), passes);
    return std::count_if(terms_.begin(), terms_.end(), passes) % 2 != 0;
  }
  [[nodiscard]] std::optional<NeededNumber> needs() const override {
    if constexpr (Kind != Junction::kAnd) return std::nullopt;
    for (const PredicatePtr& term : terms_) {
      if (const std::optional<NeededNumber> needed = term->needs()) return needed;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool may_pass_expected() const override {
    const auto may_pass = [](const PredicatePtr& term) { return term->may_pass_expected(); };
    if constexpr (Kind == Junction::kAnd) return std::all_of(terms_.begin(), terms_.end(), may_pass);
    return std::any_of(terms_.begin(), terms_.end(), may_pass);
  }

 private:
  std::vector<PredicatePtr> terms_;
};

template <Junction Kind>
PredicatePtr combine(std::vector<PredicatePtr> terms) {
  if (terms.size() == 1) return std::move(terms.front());
  return std::make_unique<Combination<Kind>>(std::move(terms));
}

/// An `or` of terms that each need a number in the same field.
class Lookup final : public Predicate {
 public:
  explicit Lookup(std::vector<PredicatePtr> terms) : field_(terms.front()->needs()->field) {
    for (PredicatePtr& term : terms) {
      const std::uint64_t number = term->needs()->number;
      terms_[number].push_back(std::move(term));
    }
  }
  [[nodiscard]] bool test(const PacketRecord& record) const override {
    return field_->any(record, [&](const Value& value) {
      if (value.type != FieldType::kUnsigned) return false;
      const auto found = terms_.find(value.number);
      return found != terms_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                  [&](const PredicatePtr& term) { return term->test(record); });
    });
  }
  [[nodiscard]] bool may_pass_expected() const override {
    return std::any_of(terms_.begin(), terms_.end(), [](const auto& same) {
      return std::any_of(same.second.begin(), same.second.end(),
                         [](const PredicatePtr& term) { return term->may_pass_expected(); });
    });
  }

 private:
  const Operand* field_;                                                // of one of the terms
  std::unordered_map<std::uint64_t, std::vector<PredicatePtr>> terms_;  // by the number that they need
};

/// Puts many terms that need a number in the same field into one.
std::vector<PredicatePtr> with_lookups(std::vector<PredicatePtr> terms) {
  constexpr std::size_t kFew = 4;
  if (terms.size() <= kFew) return terms;
  std::vector<PredicatePtr> result;
  std::map<std::string_view, std::vector<PredicatePtr>> by_field;
  for (PredicatePtr& term : terms) {
    const std::optional<NeededNumber> needed = term->needs();
    (needed ? by_field[needed->field->name()] : result).push_back(std::move(term));
  }
  for (auto& [name, same] : by_field) {
    if (same.size() > kFew) {
      result.push_back(std::make_unique<Lookup>(std::move(same)));
    } else {
      std::move(same.begin(), same.end(), std::back_inserter(result));
    }
  }
  return result;
}

}  // namespace

PredicatePtr make_present(OperandPtr operand) { return std::make_unique<Present>(std::move(operand)); }

PredicatePtr make_comparison(SharedOperand left, Relation relation, Quantifier quantifier,
                             std::vector<Constant> right) {
  return std::make_unique<ConstantComparison>(std::move(left), relation, quantifier, std::move(right));
}

PredicatePtr make_comparison(SharedOperand left, Relation relation, Quantifier quantifier, SharedOperand right) {
  return std::make_unique<PairComparison>(std::move(left), relation, quantifier, std::move(right));
}

PredicatePtr make_match(OperandPtr left, Quantifier quantifier, Regex regex) {
  return std::make_unique<Match>(std::move(left), quantifier, std::move(regex));
}

PredicatePtr make_membership(OperandPtr left, Quantifier quantifier, std::vector<SetElement> set) {
  return std::make_unique<Membership>(std::move(left), quantifier, std::move(set));
}

PredicatePtr make_not(PredicatePtr inner) { return std::make_unique<Not>(std::move(inner)); }
PredicatePtr make_and(std::vector<PredicatePtr> all) { return combine<Junction::kAnd>(std::move(all)); }
PredicatePtr make_or(std::vector<PredicatePtr> any) { return combine<Junction::kOr>(with_lookups(std::move(any))); }
PredicatePtr make_xor(std::vector<PredicatePtr> odd) { return combine<Junction::kXor>(std::move(odd)); }
PredicatePtr make_true() { return combine<Junction::kAnd>({}); }

}  // namespace rocescope::filter
