// Says in words what is written of a type: each struct with the names and types of its members, each enumeration with its values.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "partial/carry.hpp"

namespace rocescope::partial {

/// Collects a line for each struct: `Traffic: packets u64, bytes u64`. If two programs have the same lines, each can
/// read the partial results of the other.
class Description {
 public:
  void add(std::string_view line);
  /// The words for a type, after which text() has the lines of all structs in it.
  [[nodiscard]] std::string words(const Type& type);
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  void say(const Type& type, std::string& words);
  void say_struct(const StructTable& structure, std::string& words);
  void say_enumeration(const EnumTable& enumeration, std::string& words);
  /// Says the name of the type, of which `text` is text_of_type(). False: it has its line already.
  [[nodiscard]] bool begin(std::string_view text, std::string& words, std::string& name);
  void end(std::string_view name, std::string_view line);

  std::set<std::string> known_;
  std::string text_;
};

}  // namespace rocescope::partial
