// The words of a command line, sorted into options and operands.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option.hpp"
#include "rocescope/result.hpp"

namespace rocescope::cli {

/// One option as the user gave it.
struct GivenOption {
  const Option* option = nullptr;
  std::string value;  ///< empty when it takes none
  std::string typed;  ///< `-c` or `--count`, as the user wrote it: for error messages
};

/// The command line after the command's name.
class Arguments {
 public:
  [[nodiscard]] bool has(const Option& option) const { return last(option) != nullptr; }
  /// The one that counts when an option is given several times, or null.
  [[nodiscard]] const GivenOption* last(const Option& option) const;
  /// Every time the option was given, in order.
  [[nodiscard]] std::vector<const GivenOption*> all(const Option& option) const;
  /// The values of all of them.
  [[nodiscard]] std::vector<std::string> values(const Option& option) const;
  /// The words that are no options.
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }

 private:
  friend Result<Arguments> parse_arguments(std::span<const OptionGroup> groups, std::span<const std::string> words);

  std::vector<GivenOption> options_;
  std::vector<std::string> operands_;
};

/// Sorts `words`: options of `groups` may stand anywhere before `--`, short ones may be combined (`-Vx`, `-c5`). Fails for
/// an unknown option (the error suggests the nearest), a missing or extra value, and a value that is not among the
/// option's choices.
[[nodiscard]] Result<Arguments> parse_arguments(std::span<const OptionGroup> groups,
                                                std::span<const std::string> words);

/// `option '-c' needs NEED, not 'VALUE'`.
[[nodiscard]] Error wrong_value(const GivenOption& given, std::string_view need);

}  // namespace rocescope::cli
