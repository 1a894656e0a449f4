#include "partial/describe.hpp"

#include <fmt/format.h>

namespace rocescope::partial {

void DescriptionText::add(std::string_view line) { text_ += fmt::format("{}\n", line); }

void DescriptionText::say_integer(std::string& words, bool is_signed, std::size_t size) {
  words += fmt::format("{}{}", is_signed ? 'i' : 'u', 8 * size);
}

void DescriptionText::say_length(std::string& words, std::size_t length) { words += fmt::format("[{}]", length); }

bool DescriptionText::begin(std::string_view text, std::string& words, Structure& structure) {
  constexpr std::string_view kOurs = "rocescope::";
  text.remove_suffix(1);  // "... T = rocescope::SizeTable::Row]"
  structure.name = text.substr(text.rfind(' ') + 1 + kOurs.size());
  words += structure.name;
  return known_.insert(structure.name).second;
}

void DescriptionText::begin_member(Structure& structure, std::string_view name) {
  structure.line += fmt::format("{}{} ", structure.line.empty() ? "" : ", ", name);
}

void DescriptionText::end(const Structure& structure) { add(fmt::format("{}: {}", structure.name, structure.line)); }

void DescriptionText::say_enumeration(std::string_view text, const EnumeratorNames& names, std::string& words) {
  Structure values;
  if (!begin(text, words, values)) return;
  for (std::size_t value = 0; value < names.size(); ++value) {
    if (names[value].empty()) continue;
    values.line += fmt::format("{}{}={}", values.line.empty() ? "" : ", ", names[value], value);
  }
  end(values);
}

}  // namespace rocescope::partial
