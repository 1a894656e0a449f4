// Names to fields.
#include "fields/catalog.hpp"

#include <algorithm>
#include <cstddef>

#include "fields/edit_distance.hpp"

namespace rocescope::fields {
namespace {

bool answers(const Field& field, std::string_view name) {
  return field.name == name || (!field.alias.empty() && field.alias == name);
}

}  // namespace

std::vector<FieldRef> find_fields(std::string_view name) {
  std::vector<FieldRef> refs;
  for (const PacketField& candidate : packet_fields()) {
    if (answers(candidate.field, name)) refs.push_back({&candidate.field, HeaderKind::kNone, &candidate});
  }
  for (const HeaderInfo& header : all_headers()) {
    for (const Field& field : header.fields) {
      if (answers(field, name)) refs.push_back({&field, header.kind, nullptr});
    }
  }
  return refs;
}

RecordParts parts_of(HeaderKind kind) noexcept {
  // Which messages have such headers, the packets before show.
  const bool is_above = kind > HeaderKind::kExchangeConnectionReady && kind < HeaderKind::kPayload;
  return is_above ? kVerdictPart : RecordParts{};
}

RecordParts parts_of(std::span<const FieldRef> refs) noexcept {
  RecordParts parts;
  for (const FieldRef& ref : refs) {
    if (ref.packet_field != nullptr) parts = parts | ref.packet_field->parts;
    if (ref.packet_field == nullptr) parts = parts | parts_of(ref.header);
  }
  return parts;
}

std::vector<HeaderKind> find_headers(std::string_view name) {
  std::vector<HeaderKind> kinds;
  for (const HeaderInfo& header : all_headers()) {
    const bool inside =
        header.name.size() > name.size() && header.name.starts_with(name) && header.name[name.size()] == '.';
    if (header.name == name || inside) kinds.push_back(header.kind);
  }
  return kinds;
}

std::string_view nearest_name(std::string_view name) {
  std::string_view nearest;
  // Half of a short name may differ, a quarter of a long one.
  std::size_t best = std::max(std::min<std::size_t>(2, name.size() / 2), name.size() / 4) + 1;
  const auto consider = [&](std::string_view candidate) {
    if (candidate.empty()) return;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  };
  for (const PacketField& candidate : packet_fields()) consider(candidate.field.name);
  for (const HeaderInfo& header : all_headers()) {
    consider(header.name);
    for (const Field& field : header.fields) {
      consider(field.name);
      consider(field.alias);
    }
  }
  return nearest;
}

}  // namespace rocescope::fields
