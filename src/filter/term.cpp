// Names and constants, and their errors.
#include "filter/term.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fields/catalog.hpp"
#include "filter/literal.hpp"

namespace rocescope::filter {
namespace {

std::vector<fields::FieldRef> fields_under(std::string_view name) {
  std::vector<fields::FieldRef> refs;
  for (const fields::PacketField& candidate : fields::packet_fields()) {
    const std::string_view full = candidate.field.name;
    if (full.size() > name.size() && full.starts_with(name) && full[name.size()] == '.') {
      refs.push_back({&candidate.field, HeaderKind::kNone, &candidate});
    }
  }
  return refs;
}

bool same(const Constant& a, const Constant& b) {
  return a.type == b.type && a.number == b.number && a.last == b.last && a.bytes == b.bytes &&
         a.prefix_bits == b.prefix_bits;
}

}  // namespace

std::string describe_types(const Operand& operand) {
  std::vector<std::string_view> types;
  for (const Field* field : operand.fields()) {
    const std::string_view type = describe(field->type);
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  std::string text(types.front());
  for (std::size_t i = 1; i < types.size(); ++i) {
    text += i + 1 == types.size() ? " or " : ", ";
    text += types[i];
  }
  return text;
}

bool has_type(const Operand& operand, std::span<const FieldType> types) {
  return std::any_of(operand.fields().begin(), operand.fields().end(), [&](const Field* field) {
    return std::find(types.begin(), types.end(), field->type) != types.end();
  });
}

Term resolve_name(const Token& word) {
  Term term;
  term.offset = word.offset;
  term.length = word.length;
  if (auto refs = fields::find_fields(word.text); !refs.empty()) {
    term.parts = fields::parts_of(refs);
    term.operand = make_field_operand(word.text, std::move(refs));
    term.is_field = true;
  } else if (word.text == "frame") {
    term.operand = make_header_operand(word.text);
    term.is_header = true;
  } else if (auto group = fields_under(word.text); !group.empty()) {
    term.parts = fields::parts_of(group);
    term.operand = make_field_operand(word.text, std::move(group));
    term.is_group = true;
  } else if (const auto kinds = fields::find_headers(word.text); !kinds.empty()) {
    for (const HeaderKind kind : kinds) term.parts = term.parts | fields::parts_of(kind);
    term.operand = make_header_operand(word.text);
    term.is_header = true;
  } else {
    term.literal = word;
  }
  return term;
}

Term refuse_value(const Term& term, Problems& problems) {
  if (term.predicate != nullptr) return problems.at(term, "this is true or false and cannot be compared");
  if (term.is_group) return problems.at(term, "this is a prefix of field names, not a field");
  if (!term.literal) return {};
  const std::string& text = term.literal->text;
  const bool name = term.literal->kind == TokenKind::kWord && !text.empty() &&
                    ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') || text[0] == '_');
  if (!name) return problems.at(term, "a field, header or function must stand here, not a value");
  if (is_shouted_keyword(text)) return problems.at(term, fmt::format("`{}` is written in small letters", text));
  const std::string_view nearest = fields::nearest_name(text);
  if (nearest.empty()) {
    return problems.at(term, fmt::format("unknown field {}. To list the fields: rocescope fields", text));
  }
  return problems.at(term, fmt::format("unknown field {}; did you mean {}?", text, nearest));
}

PredicatePtr to_predicate(Term term, Problems& problems) {
  if (term.predicate != nullptr) return std::move(term.predicate);
  if (term.operand == nullptr) {
    refuse_value(term, problems);
    return nullptr;
  }
  if (term.is_function) {
    problems.at(term, "the value of a function must be compared with something");
    return nullptr;
  }
  return make_present(std::move(term.operand));
}

std::vector<Constant> constants_for(const Operand& left, const Term& value, bool partial, bool single,
                                    Problems& problems) {
  std::vector<Constant> constants;
  std::string first_error;
  for (const Field* field : left.fields()) {
    std::string error;
    for (Constant& constant : parse_literal(*value.literal, *field, left.name(), partial, error)) {
      const bool known =
          std::any_of(constants.begin(), constants.end(), [&](const Constant& other) { return same(constant, other); });
      if (!known) constants.push_back(std::move(constant));
    }
    if (first_error.empty()) first_error = std::move(error);
  }
  if (constants.empty()) {
    const std::string types = describe_types(left);
    if (types != describe(left.fields().front()->type)) {
      first_error = fmt::format("{} is {}; `{}` is none of these", left.name(), types, value.literal->text);
    }
    problems.at(value, std::move(first_error));
  } else if (single && (constants.size() > 1 || constants.front().last != constants.front().number)) {
    problems.at(value, fmt::format("\"{}\" names several values", value.literal->text));
    constants.clear();
  }
  return constants;
}

bool check_comparable(const Operand& left, const Operand& right, const Term& where, Problems& problems) {
  for (const Field* a : left.fields()) {
    for (const Field* b : right.fields()) {
      if (comparable(a->type, b->type)) return true;
    }
  }
  problems.at(where, fmt::format("{} is {} and {} is {}: they cannot be compared", left.name(), describe_types(left),
                                 right.name(), describe_types(right)));
  return false;
}

}  // namespace rocescope::filter
