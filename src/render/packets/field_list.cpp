// What `rocescope fields` prints.
#include "render/packets/field_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "fields/packet_fields.hpp"
#include "rocescope/header.hpp"
#include "sorting/sort.hpp"
#include "text/append.hpp"

namespace rocescope::render {
namespace {

/// More value names (those of opcodes) would make the line unreadable.
constexpr std::size_t kMaxNames = 64;

struct ListedField {
  const Field* field;
  const HeaderInfo* header;  ///< null: of the packet as a whole
};

std::string_view name_of_type(FieldType type) {
  constexpr std::string_view kNames[] = {"number", "boolean", "ipv4", "ipv6",    "mac",
                                         "bytes",  "text",    "time", "duration"};
  return kNames[static_cast<std::size_t>(type)];
}

std::vector<ListedField> rows() {
  std::vector<ListedField> all;
  for (const fields::PacketField& candidate : fields::packet_fields()) all.push_back({&candidate.field, nullptr});
  for (const HeaderInfo& header : all_headers()) {
    for (const Field& field : header.fields) all.push_back({&field, &header});
  }
  return all;
}

void append_width(const ListedField& row, std::string& out) {
  const FieldType type = row.field->type;
  const bool varies = row.field->bit_width == kRestOfLayer || (row.header == nullptr && type == FieldType::kText);
  if (varies) {
    out += '*';
  } else {
    text::append(out, "{}", row.field->bit_width);
  }
}

std::string_view display_of(const Field& field) {
  if (field.type != FieldType::kUnsigned) return "-";
  return field.display == Display::kHex ? "hex" : "dec";
}

void append_values(const Field& field, std::string& out) {
  if (field.names.empty()) {
    out += '-';
    return;
  }
  if (field.names.size() > kMaxNames) {
    text::append(out, "{} values", field.names.size());
    return;
  }
  const auto number = [&](std::uint64_t value) {
    field.display == Display::kHex ? text::append(out, "{:#x}", value) : text::append(out, "{}", value);
  };
  for (const ValueName& value : field.names) {
    if (&value != field.names.data()) out += ", ";
    number(value.first);
    if (value.last != value.first) {
      out += '-';
      number(value.last);
    }
    text::append(out, " {}", value.name);
  }
}

void append_row(const ListedField& row, std::string& out) {
  const Field& field = *row.field;
  text::append(out, "{}\t{}\t", field.name, name_of_type(field.type));
  append_width(row, out);
  text::append(out, "\t{}\t{}\t{}\t{}\t{}\t", display_of(field), field.label,
               row.header == nullptr ? "-" : row.header->name, row.header == nullptr ? "-" : row.header->reference,
               field.alias.empty() ? "-" : field.alias);
  append_values(field, out);
  out += '\n';
}

}  // namespace

void append_field_list(FieldOrder order, std::string& out) {
  std::vector<ListedField> all = rows();
  if (order == FieldOrder::kName) {
    sorting::stable_sort(all, {}, [](const ListedField& row) { return row.field->name; });
  }
  for (const ListedField& row : all) append_row(row, out);
}

}  // namespace rocescope::render
