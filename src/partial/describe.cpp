#include "partial/describe.hpp"

#include <fmt/format.h>

namespace rocescope::partial {
namespace {

/// Calls a function with the members that it is shown.
template <class Function>
class CallingVisitor final : public MemberVisitor {
 public:
  explicit CallingVisitor(Function function) : function_(std::move(function)) {}
  void visit(std::string_view name, void* /*member*/, const Type& type) override { function_(name, type); }

 private:
  Function function_;
};

template <class Function>
void for_each_member(const StructTable& structure, Function function) {
  CallingVisitor visitor(std::move(function));
  show(structure, zeros(), visitor);
}

}  // namespace

void Description::add(std::string_view line) { text_ += fmt::format("{}\n", line); }

std::string Description::words(const Type& type) {
  std::string words;
  say(type, words);
  return words;
}

bool Description::begin(std::string_view text, std::string& words, std::string& name) {
  constexpr std::string_view kBefore = "T = rocescope::";
  text.remove_suffix(1);  // "... T = rocescope::SizeTable::Row]"
  name = text.substr(text.find(kBefore) + kBefore.size());
  words += name;
  return known_.insert(name).second;
}

void Description::end(std::string_view name, std::string_view line) { add(fmt::format("{}: {}", name, line)); }

void Description::say_struct(const StructTable& structure, std::string& words) {
  std::string name;
  std::string line;
  if (!begin(structure.text, words, name)) return;
  for_each_member(structure, [&](std::string_view member, const Type& type) {
    line += fmt::format("{}{} ", line.empty() ? "" : ", ", member);
    say(type, line);
  });
  end(name, line);
}

void Description::say_enumeration(const EnumTable& enumeration, std::string& words) {
  std::string name;
  std::string line;
  if (!begin(enumeration.text, words, name)) return;
  const EnumeratorNames& names = enumeration.names();
  for (std::size_t value = 0; value < names.size(); ++value) {
    if (names[value].empty()) continue;
    line += fmt::format("{}{}={}", line.empty() ? "" : ", ", names[value], value);
  }
  end(name, line);
}

void Description::say(const Type& type, std::string& words) {
  switch (type.kind) {
    case Kind::kNumber:
      words += type.is_bool ? "bool" : fmt::format("{}{}", type.is_signed ? 'i' : 'u', 8 * type.size);
      return;
    case Kind::kEnum:
      return say_enumeration(*type.enumeration, words);
    case Kind::kPsn:
    case Kind::kQpn:
      words += "u24";
      return;
    case Kind::kString:
    case Kind::kWord:
      words += "text";
      return;
    case Kind::kBytes:
      words += "u8[]";
      return;
    case Kind::kOpcode:
      words += "opcode";
      return;
    case Kind::kFinding:
      words += "finding";
      return;
    case Kind::kHolder:
      say(*type.element, words);
      words += "?";
      return;
    case Kind::kArray:
      say(*type.element, words);
      words += fmt::format("[{}]", type.count);
      return;
    case Kind::kSequence:
      say(*type.element, words);
      words += "[]";
      return;
    case Kind::kMap:
      say(*type.element, words);
      words += "[";
      say(*type.map->key, words);
      words += "]";
      return;
    case Kind::kTuple: {
      std::string_view before = "(";
      for_each_member(*type.structure, [&](std::string_view /*name*/, const Type& member) {
        words += std::exchange(before, ", ");
        say(member, words);
      });
      words += ")";
      return;
    }
    case Kind::kOnlyMember:
    case Kind::kParts:
      return say(*type.element, words);
    case Kind::kStruct:
      return say_struct(*type.structure, words);
  }
}

}  // namespace rocescope::partial
