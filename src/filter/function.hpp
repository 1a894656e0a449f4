// The functions of the filter language: len, count, upper, lower, string, max, min, abs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "filter/operand.hpp"

namespace rocescope::filter {

/// A function, what it takes and how it is made.
struct Function {
  std::string_view name;
  std::size_t most_arguments;        ///< at least one each
  std::span<const FieldType> takes;  ///< types of its arguments; empty: any
  std::string_view wants;            ///< what it takes, in words
  bool takes_header = false;         ///< protocols and headers
  bool takes_values = false;         ///< beside fields also values, which get the type of the first argument
  OperandPtr (*make)(std::string_view name, std::vector<OperandPtr> arguments);
};

/// The function of that name, or null.
[[nodiscard]] const Function* find_function(std::string_view name) noexcept;

/// The names of all functions, for messages: "len, count, ...".
[[nodiscard]] std::string function_names();

}  // namespace rocescope::filter
