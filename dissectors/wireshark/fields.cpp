// The fields of a packet that `rocescope fields` lists, and their tree.
#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "fields/packet_fields.hpp"
#include "wireshark/field_registry.hpp"
#include "wireshark/plugin.hpp"

namespace rocescope::wireshark {
namespace {

/// One of the library's fields. Several may share a name, one for each type.
struct Entry {
  const fields::PacketField* field = nullptr;
  int identifier = -1;
  bool is_frame_number = false;
};
using Entries = std::deque<Entry>;  // they stay where they are
Entries judgement_entries;          // at the top of the tree
Entries packet_entries;
int field_note = -1;
int field_resent_in = -1;
gint tree_rocescope = -1;

/// Fields that name a frame, which Wireshark makes links of.
struct Link {
  std::string_view name;
  ft_framenum_type_t type;
};
constexpr Link kLinks[] = {{"rocescope.verdict.related", FT_FRAMENUM_RETRANS_PREV},
                           {"rocescope.verdict.evidence", FT_FRAMENUM_REQUEST}};

hf_register_info packet_field_info(Entry& entry) {
  const Field& field = entry.field->field;
  const auto info = [&](ftenum type, int display, const void* strings = nullptr) {
    return field_info(&entry.identifier, keep(field.label), keep(field.name), type, display, strings);
  };
  for (const Link& link : kLinks) {
    if (field.name != link.name) continue;
    entry.is_frame_number = true;
    return info(FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(link.type));
  }
  switch (field.type) {
    case FieldType::kUnsigned:
      return info(field.bit_width > 32 ? FT_UINT64 : FT_UINT32, field.display == Display::kHex ? BASE_HEX : BASE_DEC);
    case FieldType::kBoolean:
      return info(FT_BOOLEAN, BASE_NONE);
    case FieldType::kIpv4:
      return info(FT_IPv4, BASE_NONE);
    case FieldType::kIpv6:
      return info(FT_IPv6, BASE_NONE);
    default:
      return info(FT_STRING, BASE_NONE);
  }
}

proto_item* add_packet_value(proto_tree* tree, tvbuff_t* tvb, wmem_allocator_t* pool, const Entry& entry,
                             const FieldValue& value) {
  const auto low = static_cast<guint32>(value.number);
  switch (entry.field->field.type) {
    case FieldType::kUnsigned:
      if (entry.field->field.bit_width > 32 && !entry.is_frame_number) {
        return proto_tree_add_uint64(tree, entry.identifier, tvb, 0, 0, value.number);
      }
      return proto_tree_add_uint(tree, entry.identifier, tvb, 0, 0, low);
    case FieldType::kBoolean:
      return proto_tree_add_boolean(tree, entry.identifier, tvb, 0, 0, low);
    case FieldType::kIpv4: {
      guint32 address = 0;
      memcpy(&address, value.bytes.data(), sizeof(address));
      return proto_tree_add_ipv4(tree, entry.identifier, tvb, 0, 0, address);
    }
    case FieldType::kIpv6: {
      ws_in6_addr address;
      memcpy(&address, value.bytes.data(), sizeof(address));
      return proto_tree_add_ipv6(tree, entry.identifier, tvb, 0, 0, &address);
    }
    default: {
      const std::string_view text{reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size()};
      std::array<char, 64> brief{};  // Wireshark copies it
      if (text.size() >= brief.size()) {
        return proto_tree_add_string(tree, entry.identifier, tvb, 0, 0, c_string(pool, text));
      }
      text.copy(brief.data(), text.size());
      return proto_tree_add_string(tree, entry.identifier, tvb, 0, 0, brief.data());
    }
  }
}

/// Only where there is something to say: a text costs as much time as a field.
void add_note(proto_item* top, std::uint32_t connection, const char* note) {
  if (connection == 0) {
    proto_item_append_text(top, ": %s", note);
  } else {
    proto_item_append_text(top, ", connection %u: %s", connection, note);
  }
}

bool is_judgement(std::string_view name) {
  return name.starts_with("rocescope.connection") || name.starts_with("rocescope.message") ||
         name.starts_with("rocescope.verdict");
}

void add_packet_fields(const Entries& entries, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree,
                       const PacketRecord& record) {
  const bool is_shown = PTREE_DATA(tree)->visible != 0;
  for (const Entry& entry : entries) {
    if (!is_shown && proto_field_is_referenced(tree, entry.identifier) == 0) continue;  // nobody looks
    FieldValue value;
    value.field = &entry.field->field;
    if (!entry.field->read(record, value)) continue;
    proto_item_set_generated(add_packet_value(tree, tvb, pinfo->pool, entry, value));
  }
}

}  // namespace

const char* keep(std::string_view text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(text).c_str();
}

void register_fields() {
  static std::vector<hf_register_info> infos;
  for (const fields::PacketField& field : fields::packet_fields()) {
    if (!field.field.name.starts_with("rocescope.")) continue;
    Entries& entries = is_judgement(field.field.name) ? judgement_entries : packet_entries;
    infos.push_back(packet_field_info(entries.emplace_back(Entry{&field})));
  }
  infos.push_back(field_info(&field_note, "Note", "rocescope.note", FT_STRING, BASE_NONE));
  infos.push_back(field_info(&field_resent_in, "Sent again in", "rocescope.verdict.resent_in", FT_FRAMENUM, BASE_NONE,
                             FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_NEXT)));
  proto_register_field_array(proto_rocescope, infos.data(), static_cast<int>(infos.size()));
  static gint* const trees[] = {&tree_rocescope};
  proto_register_subtree_array(trees, array_length(trees));
}

proto_item* add_tree(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, const Tapped& packet, const char* note) {
  if (tree == nullptr) return nullptr;
  const Verdict& verdict = packet.record->verdict;
  proto_item* const top = proto_tree_add_item(tree, proto_rocescope, tvb, 0, 0, ENC_NA);
  proto_item_set_generated(top);
  if (*note != 0) add_note(top, verdict.connection, note);
  proto_tree* const sub = proto_item_add_subtree(top, tree_rocescope);
  if (*note != 0) proto_item_set_generated(proto_tree_add_string(sub, field_note, tvb, 0, 0, note));
  add_packet_fields(judgement_entries, tvb, pinfo, sub, *packet.record);
  if (verdict.related != 0) depend_on(pinfo, static_cast<std::uint32_t>(verdict.related));
  if (verdict.evidence != 0) depend_on(pinfo, static_cast<std::uint32_t>(verdict.evidence));
  if (const std::uint32_t copy = packet.book->resent_in(pinfo->num)) {
    proto_item_set_generated(proto_tree_add_uint(sub, field_resent_in, tvb, 0, 0, copy));
  }
  add_messages(tvb, sub, pinfo->num, packet);
  add_packet_fields(packet_entries, tvb, pinfo, sub, *packet.record);
  return top;
}

}  // namespace rocescope::wireshark
