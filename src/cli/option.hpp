// What an option is: the rows of the tables that parsing, help, man pages and shell completion are made from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rocescope::cli {

/// What a shell offers for the value of an option or for an operand.
enum class Completion : std::uint8_t {
  kNothing,
  kFiles,
  kFields,      ///< what `rocescope fields` lists
  kCommands,    ///< the names of the commands
  kFindings,    ///< the names of the findings
  kInterfaces,  ///< what `rocescope interfaces` lists
  kChoices,     ///< one of Option::choices; no other value is accepted
  kKeys,        ///< `key=value` with a key of Option::choices; no other key is accepted
};

/// A value that an option accepts. With Completion::kKeys, `value` is `key=values`, and only the key counts.
struct Choice {
  std::string_view value;
  std::string_view meaning;
};

/// One option. There is one object per option; commands that share it share the object, whose address identifies it.
struct Option {
  std::string_view name;           ///< the long name, without dashes
  char letter = '\0';              ///< the short name; '\0': none
  std::string_view argument = {};  ///< the name of its value in help; empty: it takes none
  std::string_view help = {};      ///< a few words, for help and completion; no full stop at the end
  std::string_view more =
      {};  ///< sentences that the man page adds; lines are joined; with kChoices, they replace `help`
  Completion completion = Completion::kNothing;
  std::span<const Choice> choices = {};
  bool repeatable = false;  ///< every value counts; otherwise the last one does

  [[nodiscard]] constexpr bool takes_value() const noexcept { return !argument.empty(); }
};

/// Options that help shows under one heading.
struct OptionGroup {
  std::string_view title;
  std::span<const Option* const> options;
};

}  // namespace rocescope::cli
