// The arguments of -t and -E.
#include <fmt/format.h>

#include <utility>

#include "render/packets/packet_printer.hpp"

namespace rocescope::render {
namespace {

Error bad_value(std::string_view option, std::string_view value, std::string_view accepted) {
  return {fmt::format("-E {} cannot be '{}': it takes {}", option, value, accepted)};
}

std::optional<bool> yes_or_no(std::string_view value) {
  if (value == "y" || value == "Y") return true;
  if (value == "n" || value == "N") return false;
  return std::nullopt;
}

/// One character, or tshark's names for the two that a shell makes awkward.
std::optional<char> one_character(std::string_view value) {
  if (value == "/t") return '\t';
  if (value == "/s") return ' ';
  if (value.size() == 1) return value.front();
  return std::nullopt;
}

std::optional<char> quote_character(std::string_view value) {
  if (value == "d") return '"';
  if (value == "s") return '\'';
  if (value == "n") return '\0';
  return std::nullopt;
}

std::optional<FieldsOptions::Occurrence> occurrence_of(std::string_view value) {
  using enum FieldsOptions::Occurrence;
  if (value == "f") return kFirst;
  if (value == "l") return kLast;
  if (value == "a") return kAll;
  return std::nullopt;
}

template <class Value>
std::optional<Error> assign(Value& target, std::optional<Value> value, Error otherwise) {
  if (!value) return otherwise;
  target = *value;
  return std::nullopt;
}

}  // namespace

std::optional<TimeFormat> parse_time_format(std::string_view name) noexcept {
  constexpr std::pair<std::string_view, TimeFormat> kFormats[] = {
      {"a", TimeFormat::kAbsolute}, {"ad", TimeFormat::kAbsoluteDate},   {"r", TimeFormat::kRelative},
      {"d", TimeFormat::kDelta},    {"dd", TimeFormat::kDeltaDisplayed}, {"e", TimeFormat::kEpoch},
      {"u", TimeFormat::kUtc},      {"ud", TimeFormat::kUtcDate},
  };
  for (const auto& [known, format] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

std::optional<Error> set_fields_option(FieldsOptions& options, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view{} : assignment.substr(equals + 1);
  if (name == "header") return assign(options.header, yes_or_no(value), bad_value(name, value, "y or n"));
  if (name == "bom") return assign(options.byte_order_mark, yes_or_no(value), bad_value(name, value, "y or n"));
  if (name == "separator") {
    return assign(options.separator, one_character(value), bad_value(name, value, "/t, /s or one character"));
  }
  if (name == "aggregator") {
    return assign(options.aggregator, one_character(value), bad_value(name, value, "/s or one character"));
  }
  if (name == "quote") {
    return assign(options.quote, quote_character(value), bad_value(name, value, "d (double), s (single) or n (none)"));
  }
  if (name == "occurrence") {
    return assign(options.occurrence, occurrence_of(value), bad_value(name, value, "f (first), l (last) or a (all)"));
  }
  return Error{
      fmt::format("-E knows no option '{}': it takes bom, header, separator, occurrence, aggregator, quote", name)};
}

}  // namespace rocescope::render
