// `rocescope fields`: every name that -e and -Y know.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "catalog.hpp"
#include "commands.hpp"
#include "general_options.hpp"
#include "rocescope/header.hpp"

namespace rocescope::cli {
namespace {

std::string_view type_name(const Field& field) {
  switch (field.type) {
    case FieldType::kUnsigned:
      return "number";
    case FieldType::kBoolean:
      return "boolean";
    case FieldType::kIpv4:
      return "ipv4";
    case FieldType::kIpv6:
      return "ipv6";
    case FieldType::kMac:
      return "mac";
    case FieldType::kBytes:
      return "bytes";
    case FieldType::kText:
      return "text";
    case FieldType::kTime:
      return "time";
    case FieldType::kDuration:
      return "duration";
  }
  return "";
}

struct Row {
  std::string_view type;
  std::string meaning;
};

/// Rows by name. A name that several headers share has one row.
using Rows = std::map<std::string_view, Row>;

void add_field(Rows& rows, const Field& field, std::string_view header_title) {
  const std::string_view separator = header_title.empty() ? "" : ", ";
  rows.try_emplace(field.name, Row{type_name(field), fmt::format("{}{}{}", field.label, separator, header_title)});
  if (field.alias.empty()) return;
  const auto [row, added] = rows.try_emplace(field.alias, Row{type_name(field), std::string(field.name)});
  if (!added) row->second.meaning += fmt::format(" or {}", field.name);
}

Rows all_rows() {
  Rows rows;
  for (const fields::PacketField& packet_field : fields::packet_fields()) add_field(rows, packet_field.field, "");
  for (const HeaderInfo& header : all_headers()) {
    rows.try_emplace(header.name, Row{"header", fmt::format("{}, {}", header.title, header.reference)});
    for (const Field& field : header.fields) add_field(rows, field, header.title);
  }
  return rows;
}

Result<ExitCode> run(Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments.operands();
  const auto wanted = [&](std::string_view name) {
    return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
             return name.find(word) != std::string_view::npos;
           });
  };
  bool any = false;
  for (const auto& [name, row] : all_rows()) {
    if (!wanted(name)) continue;
    any = true;
    invocation.output.write(fmt::format("{}\t{}\t{}\n", name, row.type, row.meaning));
    invocation.output.commit();
  }
  if (any) return ExitCode::kDone;
  return Error{fmt::format("no field has '{}' in its name. All of them: rocescope fields", fmt::join(words, "' or '"))};
}

constexpr Example kExamples[] = {
    {"rocescope fields", "every field: name, type, meaning"},
    {"rocescope fields aeth reth", "those with aeth or reth in their names"},
    {"rocescope fields | column -ts $'\\t'", "in columns"},
};
constexpr const Option* kGeneral[] = {&kHelp};
constexpr OptionGroup kOptions[] = {{"Options", kGeneral}};

constexpr Section kSections[] = {
    {"OUTPUT",
     "One line per name that the options -e and -Y of rocescope-dissect know, sorted, with three columns between tabs: "
     "the name "
     "(Wireshark's own wherever Wireshark has the field), its type and what it means.\n\n"
     "Types are number, boolean, ipv4, ipv6, mac, bytes, text, time (since 1970-01-01 UTC), duration, and header for "
     "the name of a whole header."},
};

constexpr Command kCommand{
    .name = "fields",
    .summary = "list every field that -e and -Y know",
    .operands = "[WORD]...",
    .operand_completion = Completion::kFields,
    .examples = kExamples,
    .options = kOptions,
    .sections = kSections,
    .run = run,
};

}  // namespace

const Command& fields_command() { return kCommand; }

}  // namespace rocescope::cli
