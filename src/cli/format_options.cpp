// Makes a printer from the options.
#include "cli/format_options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// An error for the first given option of `options`, since it has no meaning with `format`.
std::optional<Error> refuse(const Arguments& arguments, std::string_view format,
                            std::initializer_list<const Option*> options, std::string_view instead) {
  for (const Option* option : options) {
    if (const GivenOption* given = arguments.last(*option)) {
      return Error{fmt::format("option '{}' does nothing with -T {}. {}", given->typed, format, instead)};
    }
  }
  return std::nullopt;
}

Result<render::FieldsOptions> fields_options(const Arguments& arguments) {
  render::FieldsOptions options;
  for (const GivenOption* given : arguments.all(kFieldSetting)) {
    if (std::optional<Error> error = render::set_fields_option(options, given->value)) return *std::move(error);
  }
  return options;
}

Result<std::unique_ptr<render::PacketPrinter>> make_text_printer(const Arguments& arguments, const Output& output) {
  if (std::optional<Error> error = refuse(arguments, "text", {&kField}, "Add: -T fields")) return *std::move(error);
  if (std::optional<Error> error = refuse(arguments, "text", {&kFieldSetting}, "It belongs to -T fields")) {
    return *std::move(error);
  }
  render::TextOptions options;
  options.color = wants_color(arguments, output);
  options.hex_dump = arguments.has(kHexDump);
  if (const GivenOption* given = arguments.last(kTime)) {
    options.time = render::parse_time_format(given->value).value_or(options.time);
  }
  return arguments.has(kDetails) ? render::make_tree_printer(options) : render::make_line_printer(options);
}

}  // namespace

bool wants_color(const Arguments& arguments, const Output& output) {
  const GivenOption* given = arguments.last(kColor);
  if (given != nullptr && given->value != "auto") return given->value == "always";
  return output.is_terminal() && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

Result<std::unique_ptr<render::PacketPrinter>> make_printer(const Arguments& arguments, const Output& output) {
  const GivenOption* given = arguments.last(kFormat);
  const std::string_view format = given == nullptr ? "text" : std::string_view(given->value);
  if (format == "text") return make_text_printer(arguments, output);
  if (std::optional<Error> error = refuse(arguments, format, {&kDetails, &kHexDump}, "It belongs to -T text")) {
    return *std::move(error);
  }
  if (std::optional<Error> error =
          refuse(arguments, format, {&kTime}, "Times are fields: -e frame.time_relative, -e frame.time_epoch")) {
    return *std::move(error);
  }
  const std::vector<std::string> names = arguments.values(kField);
  if (format == "json" || format == "ndjson") {
    if (std::optional<Error> error = refuse(arguments, format, {&kFieldSetting}, "It belongs to -T fields")) {
      return *std::move(error);
    }
    return render::make_json_printer(names, format == "json" ? render::JsonLayout::kArray : render::JsonLayout::kLines);
  }
  const Result<render::FieldsOptions> options = fields_options(arguments);
  if (!options) return options.error();
  if (format == "csv") return render::make_csv_printer(names, *options);
  if (names.empty()) {
    return Error{"-T fields shows the fields that -e names. For example: -e frame.number -e infiniband.bth.psn"};
  }
  return render::make_fields_printer(names, *options);
}

}  // namespace rocescope::cli
