// Parsing is Boost's; the error texts are ours.
#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

#include "cli/nearest.hpp"

namespace rocescope::cli {

namespace po = boost::program_options;

const GivenOption* Arguments::last(const Option& option) const {
  const auto found = std::find_if(options_.rbegin(), options_.rend(),
                                  [&](const GivenOption& given) { return given.option == &option; });
  return found == options_.rend() ? nullptr : &*found;
}

std::vector<const GivenOption*> Arguments::all(const Option& option) const {
  std::vector<const GivenOption*> found;
  for (const GivenOption& given : options_) {
    if (given.option == &option) found.push_back(&given);
  }
  return found;
}

std::vector<std::string> Arguments::values(const Option& option) const {
  std::vector<std::string> found;
  for (const GivenOption* given : all(option)) found.push_back(given->value);
  return found;
}

Error wrong_value(const GivenOption& given, std::string_view need) {
  return Error{fmt::format("option '{}' needs {}, not '{}'", given.typed, need, given.value)};
}

namespace {

po::options_description describe(std::span<const OptionGroup> groups) {
  po::options_description description;
  for (const OptionGroup& group : groups) {
    for (const Option* option : group.options) {
      std::string names(option->name);
      if (option->letter != '\0') names = fmt::format("{},{}", option->name, option->letter);
      if (option->takes_value()) {
        description.add_options()(names.c_str(), po::value<std::string>());
      } else {
        description.add_options()(names.c_str(), po::bool_switch());
      }
    }
  }
  return description;
}

const Option* find_option(std::span<const OptionGroup> groups, std::string_view name) {
  for (const OptionGroup& group : groups) {
    for (const Option* option : group.options) {
      if (option->name == name) return option;
    }
  }
  return nullptr;
}

/// The first letter of `-Vxz` that is no option.
char unknown_letter(std::span<const OptionGroup> groups, std::string_view cluster) {
  const auto known = [&](char letter) {
    return std::any_of(groups.begin(), groups.end(), [&](const OptionGroup& group) {
      return std::any_of(group.options.begin(), group.options.end(),
                         [&](const Option* option) { return option->letter == letter; });
    });
  };
  cluster.remove_prefix(1);
  const auto unknown = std::find_if_not(cluster.begin(), cluster.end(), known);
  return unknown == cluster.end() ? cluster.front() : *unknown;
}

Error unknown_option(std::span<const OptionGroup> groups, std::string typed) {
  std::vector<std::string> names;
  if (!typed.starts_with("--")) {
    typed = fmt::format("-{}", unknown_letter(groups, typed));
  } else {
    for (const OptionGroup& group : groups) {
      for (const Option* option : group.options) names.push_back(fmt::format("--{}", option->name));
    }
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return Error{fmt::format("unknown option '{}'{}", typed,
                           did_you_mean(nearest(typed, candidates), ". To list the options: --help"))};
}

/// Whether `value` is a choice of the option, or has one of its keys.
bool accepts(const Option& option, std::string_view value) {
  const auto key_of = [](std::string_view text) { return text.substr(0, text.find('=')); };
  return std::any_of(option.choices.begin(), option.choices.end(), [&](const Choice& choice) {
    if (option.completion == Completion::kChoices) return choice.value == value;
    return value.find('=') != std::string_view::npos && key_of(choice.value) == key_of(value);
  });
}

std::optional<Error> check_value(const GivenOption& given) {
  const Option& option = *given.option;
  if (option.completion != Completion::kChoices && option.completion != Completion::kKeys) return std::nullopt;
  if (accepts(option, given.value)) return std::nullopt;
  std::string list;
  for (const Choice& choice : option.choices) {
    if (!list.empty()) list += &choice == &option.choices.back() ? " or " : ", ";
    // Only the key of `header=y|n`: its reader checks the value.
    list += choice.value.substr(0, choice.value.find('=') + (option.completion == Completion::kKeys ? 1 : 0));
  }
  return wrong_value(given, list);
}

/// Boost names an option by its long name: `--count`. `-c` if that is what the user wrote.
std::string as_typed(std::span<const OptionGroup> groups, std::span<const std::string> words, std::string name) {
  const auto spells_out = [&](const std::string& word) { return word.starts_with(name); };
  if (std::any_of(words.begin(), words.end(), spells_out)) return name;
  const Option* option = find_option(groups, std::string_view(name).substr(std::min<std::size_t>(2, name.size())));
  return option == nullptr || option->letter == '\0' ? name : fmt::format("-{}", option->letter);
}

Error from_exception(const po::invalid_command_line_syntax& problem, std::span<const OptionGroup> groups,
                     std::span<const std::string> words) {
  const std::string typed = as_typed(groups, words, problem.get_option_name());
  switch (problem.kind()) {
    case po::invalid_syntax::extra_parameter:
      return Error{fmt::format("option '{}' takes no value", typed)};
    case po::invalid_syntax::missing_parameter:
    case po::invalid_syntax::empty_adjacent_parameter:
      return Error{fmt::format("option '{}' needs a value", typed)};
    default:
      return Error{problem.what()};
  }
}

}  // namespace

Result<Arguments> parse_arguments(std::span<const OptionGroup> groups, std::span<const std::string> words) {
  // No guessing of abbreviations: a script that uses one would break with the next option.
  constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  const po::options_description description = describe(groups);
  Arguments arguments;
  try {
    po::command_line_parser parser(std::vector<std::string>(words.begin(), words.end()));
    for (const po::option& parsed : parser.options(description).style(kStyle).run().options) {
      if (parsed.string_key.empty()) {
        arguments.operands_.insert(arguments.operands_.end(), parsed.value.begin(), parsed.value.end());
        continue;
      }
      const Option* option = find_option(groups, parsed.string_key);
      const bool long_name = !parsed.original_tokens.empty() && parsed.original_tokens.front().starts_with("--");
      GivenOption given{
          option, parsed.value.empty() ? std::string() : parsed.value.front(),
          long_name || option->letter == '\0' ? fmt::format("--{}", option->name) : fmt::format("-{}", option->letter)};
      if (std::optional<Error> error = check_value(given)) return *std::move(error);
      arguments.options_.push_back(std::move(given));
    }
  } catch (const po::unknown_option& problem) {
    return unknown_option(groups, problem.get_option_name());
  } catch (const po::invalid_command_line_syntax& problem) {
    return from_exception(problem, groups, words);
  } catch (const po::error& problem) {
    return Error{problem.what()};
  }
  return arguments;
}

}  // namespace rocescope::cli
