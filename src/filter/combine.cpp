// What may be done with which type: masks, slices, functions, comparisons.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "filter/function.hpp"
#include "filter/term.hpp"

namespace rocescope::filter {
namespace {

constexpr FieldType kSearchable[] = {FieldType::kText, FieldType::kBytes, FieldType::kMac};
constexpr FieldType kSliceable[] = {FieldType::kText, FieldType::kBytes, FieldType::kMac, FieldType::kIpv4,
                                    FieldType::kIpv6};
constexpr FieldType kMaskable[] = {FieldType::kUnsigned, FieldType::kBytes, FieldType::kMac, FieldType::kIpv4,
                                   FieldType::kIpv6};

/// The term around an operand of depth `inner`, from `offset` to `end` of the text. Notes a problem and returns an empty term if
/// it is too deep.
Term around(int inner, std::size_t offset, std::size_t end, Problems& problems) {
  if (inner >= kMaxDepth) {
    return problems.at(offset, end - offset, fmt::format("more than {} operations on one another", kMaxDepth));
  }
  Term term;
  term.depth = inner + 1;
  term.offset = offset;
  term.length = end - offset;
  return term;
}

}  // namespace

Term mask(Term left, Term right, Problems& problems) {
  if (left.operand == nullptr || left.is_group) return refuse_value(left, problems);
  if (right.predicate != nullptr || right.is_group) return refuse_value(right, problems);
  if (!has_type(*left.operand, kMaskable)) {
    return problems.at(
        left, fmt::format("{} is {}, which has no bits for `&`", left.operand->name(), describe_types(*left.operand)));
  }
  Term term = around(std::max(left.depth, right.depth), left.offset, right.offset + right.length, problems);
  if (term.depth == 0) return {};
  if (right.literal) {
    auto constants = constants_for(*left.operand, right, false, true, problems);
    if (constants.empty()) return {};
    right.operand = make_constant_operand(right.literal->text, std::move(constants));
  } else if (!check_comparable(*left.operand, *right.operand, right, problems)) {
    return {};
  }
  term.operand = make_mask_operand(std::move(left.operand), std::move(right.operand));
  return term;
}

Term slice(Term term, const Token& brackets, Problems& problems) {
  if (term.operand == nullptr || term.is_group) return refuse_value(term, problems);
  if (!has_type(*term.operand, kSliceable)) {
    return problems.at(
        brackets, fmt::format("{} is {}, which has no parts", term.operand->name(), describe_types(*term.operand)));
  }
  std::string error;
  auto slices = parse_slices(brackets.text, error);
  if (slices.empty()) return problems.at(brackets, std::move(error));
  Term part = around(term.depth, term.offset, brackets.offset + brackets.length, problems);
  if (part.depth == 0) return {};
  part.operand = make_slice_operand(std::move(term.operand), std::move(slices));
  return part;
}

namespace {

/// Whether `argument` is one that `function` takes; otherwise noted. Turns a value into an operand like the first argument.
bool accept(const Function& function, Term& argument, const Operand* first, Problems& problems) {
  if (argument.literal && function.takes_values && first != nullptr) {
    auto constants = constants_for(*first, argument, false, true, problems);
    if (constants.empty()) return false;
    argument.operand = make_constant_operand(argument.literal->text, std::move(constants));
    return true;
  }
  const bool number_of_function =
      argument.is_function && function.takes_values && is_numeric(argument.operand->fields().front()->type);
  const bool shape = argument.is_field || (argument.is_header && function.takes_header) || number_of_function;
  if (argument.operand == nullptr && !argument.is_group) {
    refuse_value(argument, problems);
    return false;
  }
  if (!shape || (!function.takes.empty() && !has_type(*argument.operand, function.takes))) {
    problems.at(argument, fmt::format("{}() takes {}", function.name, function.wants));
    return false;
  }
  if (first != nullptr && first->fields().front()->type != argument.operand->fields().front()->type) {
    problems.at(argument,
                fmt::format("{}() takes {}; {} is {}, {} is {}", function.name, function.wants, first->name(),
                            describe_types(*first), argument.operand->name(), describe_types(*argument.operand)));
    return false;
  }
  return true;
}

}  // namespace

Term call(const Token& name, std::vector<Term> arguments, Problems& problems) {
  const Function* function = find_function(name.text);
  if (function == nullptr) {
    return problems.at(name, fmt::format("there is no function {}; there are {}", name.text, function_names()));
  }
  if (arguments.empty() || arguments.size() > function->most_arguments) {
    return problems.at(name,
                       fmt::format("{}() takes {}, not {} arguments", name.text, function->wants, arguments.size()));
  }
  std::vector<OperandPtr> operands;
  int inner = 0;
  for (Term& argument : arguments) {
    inner = std::max(inner, argument.depth);
    const Operand* first = operands.empty() ? nullptr : operands.front().get();
    if (!accept(*function, argument, first, problems)) return {};
    operands.push_back(std::move(argument.operand));
  }
  Term term = around(inner, name.offset, name.offset + name.length, problems);
  if (term.depth == 0) return {};
  term.operand = function->make(function->name, std::move(operands));
  term.is_function = true;
  return term;
}

PredicatePtr compare(const std::shared_ptr<Operand>& left, const Token& comparison,
                     std::optional<Quantifier> quantifier, const Term& right,
                     const std::shared_ptr<Operand>& right_operand, Problems& problems) {
  const Relation relation = relation_of(comparison.kind);
  const bool strict = comparison.kind == TokenKind::kNotEqual || comparison.kind == TokenKind::kAllEqual;
  const Quantifier how_many = quantifier.value_or(strict ? Quantifier::kAll : Quantifier::kAny);
  if (relation == Relation::kContains) {
    if (!has_type(*left, kSearchable)) {
      problems.at(comparison, fmt::format("{} is {}; `contains` searches texts, byte sequences and protocols",
                                          left->name(), describe_types(*left)));
      return nullptr;
    }
    left->reach_on();
  }
  if (right_operand != nullptr) {
    if (!check_comparable(*left, *right_operand, right, problems)) return nullptr;
    return make_comparison(left, relation, how_many, right_operand);
  }
  const bool named = relation == Relation::kEqual || relation == Relation::kNotEqual;
  auto constants = constants_for(*left, right, relation == Relation::kContains, !named, problems);
  if (constants.empty()) return nullptr;
  return make_comparison(left, relation, how_many, std::move(constants));
}

PredicatePtr match(Term left, std::optional<Quantifier> quantifier, const Term& pattern, Problems& problems) {
  if (!has_type(*left.operand, kSearchable)) {
    problems.at(left, fmt::format("{} is {}; `matches` searches texts, byte sequences and protocols",
                                  left.operand->name(), describe_types(*left.operand)));
    return nullptr;
  }
  if (!pattern.literal || pattern.literal->kind != TokenKind::kString) {
    problems.at(pattern, "a pattern stands in double quotes");
    return nullptr;
  }
  std::string error;
  auto regex = Regex::compile(pattern.literal->text, error);
  if (!regex) {
    problems.at(pattern, std::move(error));
    return nullptr;
  }
  left.operand->reach_on();
  return make_match(std::move(left.operand), quantifier.value_or(Quantifier::kAny), std::move(*regex));
}

}  // namespace rocescope::filter
