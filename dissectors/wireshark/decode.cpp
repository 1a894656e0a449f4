// RoCEv2 decoded by the library's header tables, where the user wants that instead of the built-in dissector. Fields have Wireshark's
// names where it has them, and then its types: filters and columns made for the built-in dissector go on to work.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "render/packets/packet_notes.hpp"
#include "rocescope/field_value.hpp"
#include "rocescope/headers.hpp"
#include "rocescope/text.hpp"
#include "wireshark/field_registry.hpp"
#include "wireshark/plugin.hpp"

namespace rocescope::wireshark {
namespace {

/// A field of a header as it is registered.
struct HeaderField {
  int identifier = -1;
  ftenum type = FT_NONE;
  bool has_names = false;  ///< Wireshark names its values
};
std::map<const Field*, HeaderField> header_fields;  // they stay where they are
gint tree_header = -1;
gint tree_field = -1;
dissector_handle_t handle = nullptr;
bool in_place = false;  // of the built-in dissector

/// From the BTH to the ICRC.
bool is_ours(HeaderKind kind) noexcept { return kind >= HeaderKind::kBth && kind <= HeaderKind::kIcrc; }

ftenum number_type(std::uint32_t width) noexcept {
  if (width <= 8) return FT_UINT8;
  if (width <= 16) return FT_UINT16;
  if (width <= 24) return FT_UINT24;
  return width <= 32 ? FT_UINT32 : FT_UINT64;
}

ftenum type_of(const Field& field) noexcept {
  switch (field.type) {
    case FieldType::kBoolean:
      return FT_BOOLEAN;
    case FieldType::kIpv4:
      return FT_IPv4;
    case FieldType::kIpv6:
      return FT_IPv6;
    case FieldType::kMac:
      return FT_ETHER;
    case FieldType::kText:
      return FT_STRING;
    case FieldType::kBytes:
      return FT_BYTES;
    default:
      return number_type(field.bit_width);
  }
}

bool is_unsigned(ftenum type) noexcept { return type >= FT_UINT8 && type <= FT_UINT64; }

/// Of fields that Wireshark has, its type, number base and names of values.
hf_register_info header_info_of(const Field& field, HeaderField& registered) {
  registered.type = type_of(field);
  int display = BASE_NONE;
  if (is_unsigned(registered.type)) display = field.display == Display::kHex ? BASE_HEX : BASE_DEC;
  const void* names = nullptr;
  const char* const name = keep(field.name);
  const header_field_info* const theirs = proto_registrar_get_byname(name);
  if (theirs != nullptr && is_unsigned(theirs->type) && is_unsigned(registered.type)) {
    registered.type = theirs->type;
    display = theirs->display;
    names = theirs->strings;
  }
  registered.has_names = names != nullptr;
  return field_info(&registered.identifier, keep(field.label), name, registered.type, display, names);
}

proto_item* add_header_value(proto_tree* tree, tvbuff_t* tvb, int offset, const HeaderField& field,
                             const FieldValue& value) {
  const auto length = static_cast<int>(value.bytes.size());
  if (!is_unsigned(field.type) && field.type != FT_BOOLEAN)
    return proto_tree_add_item(tree, field.identifier, tvb, offset, length, ENC_BIG_ENDIAN);
  if (field.type == FT_BOOLEAN) {
    return proto_tree_add_boolean(tree, field.identifier, tvb, offset, length, static_cast<guint32>(value.number));
  }
  if (field.type > FT_UINT32) {
    return proto_tree_add_uint64(tree, field.identifier, tvb, offset, length, value.number);
  }
  return proto_tree_add_uint(tree, field.identifier, tvb, offset, length, static_cast<guint32>(value.number));
}

/// `shift`: where `tvb` starts in the frame.
void add_header(proto_tree* tree, tvbuff_t* tvb, std::uint32_t shift, const Packet& packet, const Layer& header) {
  constexpr std::size_t kDeepest = 8;
  const HeaderInfo& info = header_info(header.kind);
  proto_tree* levels[kDeepest] = {proto_tree_add_subtree_format(
      tree, tvb, static_cast<int>(header.offset - shift), static_cast<int>(header.length), tree_header, nullptr, "%.*s",
      static_cast<int>(info.title.size()), info.title.data())};
  for (const Field& field : info.fields) {
    FieldValue value;
    const auto registered = header_fields.find(&field);
    if (registered == header_fields.end() || field.depth + 1U >= kDeepest) continue;
    if (!read_field(field, packet.frame.data, header, value)) continue;
    proto_tree* const parent = levels[field.depth];
    if (parent == nullptr) continue;
    proto_item* const item =
        add_header_value(parent, tvb, static_cast<int>(value.offset - shift), registered->second, value);
    const std::string_view meaning = field.type == FieldType::kUnsigned ? value.meaning() : std::string_view();
    if (!registered->second.has_names && !meaning.empty()) {
      proto_item_append_text(item, " (%.*s)", static_cast<int>(meaning.size()), meaning.data());
    }
    levels[field.depth + 1] = proto_item_add_subtree(item, tree_field);
  }
}

/// The line of the packet in the list.
const char* line_of(wmem_allocator_t* pool, const Packet& packet) {
  const char* line = "";
  guarded([&] {
    std::string text = fmt::format("{} QP={} PSN={} ", packet.roce.opcode->name(), to_text(packet.roce.dest_qp),
                                   packet.roce.psn.value());
    PacketRecord record;
    record.packet = &packet;
    render::Notes notes(false, text);
    render::add_operation_notes(packet, notes);
    render::add_journey_notes(record, notes);
    line = c_string(pool, text);
  });
  return line;
}

int dissect_rocev2(tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, void*) {
  static Packet packet;
  // The whole frame, since what is outside says how to read what is inside: tunnels, and the headers that the ICRC covers.
  if (pinfo->data_src == nullptr) return 0;
  tvbuff_t* const whole = get_data_source_tvb(static_cast<struct data_source*>(pinfo->data_src->data));
  Frame frame;
  if (!frame_of(whole, pinfo, frame)) return 0;
  const auto shift = static_cast<std::uint32_t>(tvb_raw_offset(tvb));
  dissect(frame, packet, dissect_options());
  const bool is_here =
      packet.is_roce() && packet.roce.bth_offset == shift && tvb_get_ptr(tvb, 0, 1) == frame.data.data() + shift;
  if (!is_here) return 0;  // the built-in dissector may know it
  col_set_str(pinfo->cinfo, COL_PROTOCOL, "RoCEv2");
  if (pinfo->cinfo != nullptr) col_add_str(pinfo->cinfo, COL_INFO, line_of(pinfo->pool, packet));
  static const int proto_infiniband = proto_get_id_by_filter_name("infiniband");
  proto_item* const top = proto_tree_add_item(tree, proto_infiniband, tvb, 0, -1, ENC_NA);
  proto_tree* const sub = proto_item_add_subtree(top, tree_header);
  if (tree != nullptr) {
    for (const Layer& layer : packet.layers()) {
      if (!is_ours(layer.kind) || layer.offset < shift || layer.in_message) continue;
      any_header(layer, [&](const Layer& header) {
        add_header(sub, tvb, shift, packet, header);
        return false;
      });
    }
    if (is_ours(packet.partial.kind) && packet.partial.offset >= shift)
      add_header(sub, tvb, shift, packet, packet.partial);
  }
  return static_cast<int>(tvb_captured_length(tvb));
}

}  // namespace

void register_decoding() {
  static std::vector<hf_register_info> infos;
  for (auto kind = HeaderKind::kBth; is_ours(kind); kind = static_cast<HeaderKind>(static_cast<int>(kind) + 1)) {
    for (const Field& field : header_info(kind).fields) {
      const auto [place, is_new] = header_fields.try_emplace(&field);
      if (is_new) infos.push_back(header_info_of(field, place->second));
    }
  }
  proto_register_field_array(proto_rocescope, infos.data(), static_cast<int>(infos.size()));
  static gint* const trees[] = {&tree_header, &tree_field};
  proto_register_subtree_array(trees, array_length(trees));
}

void handoff_decoding() {
  handle = create_dissector_handle(dissect_rocev2, proto_rocescope);
  dissector_add_for_decode_as("udp.port", handle);
}

void set_decoding(bool wanted) {
  if (wanted == in_place) return;
  in_place = wanted;
  if (wanted) {
    dissector_change_uint("udp.port", udp_port::kRoce, handle);
  } else {
    dissector_reset_uint("udp.port", udp_port::kRoce);
  }
}

}  // namespace rocescope::wireshark
