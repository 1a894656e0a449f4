// `rocescope fields`: every name that -e and -Y know.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/general_options.hpp"
#include "fields/catalog.hpp"
#include "render/packets/field_list.hpp"
#include "rocescope/header.hpp"

namespace rocescope::cli {
namespace {

constexpr Option kFieldsNames{.name = "names", .help = "for scripts: each name once, headers included"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view line, std::string_view word) {
  return std::search(line.begin(), line.end(), word.begin(), word.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != line.end();
}

/// One name a line.
std::string name_list() {
  std::set<std::string_view> names;
  const auto add = [&](const Field& field) {
    names.insert(field.name);
    if (!field.alias.empty()) names.insert(field.alias);
  };
  for (const fields::PacketField& packet_field : fields::packet_fields()) add(packet_field.field);
  for (const HeaderInfo& header : all_headers()) {
    names.insert(header.name);
    for (const Field& field : header.fields) add(field);
  }
  return fmt::format("{}\n", fmt::join(names, "\n"));
}

Result<ExitCode> run_fields(Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments.operands();
  std::string list;
  if (invocation.arguments.has(kFieldsNames)) {
    list = name_list();
  } else {
    render::append_field_list(render::FieldOrder::kPacket, list);
  }
  bool any = false;
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    const auto mentions = [&](const std::string& word) { return contains(line, word); };
    if (!words.empty() && std::none_of(words.begin(), words.end(), mentions)) continue;
    invocation.output.write(line);
    any = true;
  }
  if (any) return ExitCode::kDone;
  return Error{fmt::format("no field mentions '{}'. All of them: rocescope fields", fmt::join(words, "' or '"))};
}

constexpr Example kFieldsExamples[] = {
    {"rocescope fields", "every field: name, type, width, meaning, ..."},
    {"rocescope fields aeth reth", "those that mention aeth or reth"},
    {"rocescope fields 'partition key' | cut -f 1,5", "names and meanings of some"},
};
constexpr const Option* kFieldsGeneral[] = {&kFieldsNames, &kHelp};
constexpr OptionGroup kFieldsOptions[] = {{"Options", kFieldsGeneral}};

constexpr Section kFieldsSections[] = {
    {"OUTPUT", R"(
One line for each field that -e and -Y know, in packet order, with columns separated by tabs. With WORDs, only the
lines that contain one of them, in upper or lower case:

  name       Wireshark's own wherever Wireshark has the field
  type       number, boolean, ipv4, ipv6, mac, bytes, text, time, duration
  width      in bits; * if it varies
  display    dec or hex
  meaning    for a flag or a code, also the names of its values
  header     the name of its header; - for a field of the packet as a whole
  reference  where its header is specified
  alias      another name that stands for it and for others, such as ip.addr

A dash means: does not apply. -Y and -e also accept the names of headers and the aliases.)"},
};

constexpr Command kFieldsCommand{
    .name = "fields",
    .summary = "list every field that -e and -Y know",
    .operands = "[WORD]...",
    .operand_completion = Completion::kFields,
    .examples = kFieldsExamples,
    .options = kFieldsOptions,
    .sections = kFieldsSections,
    .run = run_fields,
};

}  // namespace

const Command& fields_command() { return kFieldsCommand; }

}  // namespace rocescope::cli
