// Statistics > Flow Graph > RoCE queue pairs, and -z flow,rocescope,standard. The packages with Wireshark's headers lack that of
// register_seq_analysis(), which libwireshark exports for plugins: what is used of it is declared here. Both structures begin so in 4.0
// and in 4.4.
#include <string>

#include "render/packets/verdict_notes.hpp"
#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {

/// The beginning of an arrow.
struct LadderItem {
  std::uint32_t frame;
  address from;
  std::uint16_t from_port;
  address to;
  std::uint16_t to_port;
  char* label;
  char* time;
  char* comment;
  std::uint16_t conversation;
  unsigned foreground;
  unsigned background;
  Bool has_color;
  Bool display;
};

/// The beginning of the list of arrows.
struct LadderInfo {
  const char* name;
  Bool any_address;
  int conversations;
  GQueue* items;
};

extern "C" {
void register_seq_analysis(const char* name, const char* title, int protocol, const char* tap, guint flags,
                           tap_packet_cb packet);
LadderItem* sequence_analysis_create_sai_with_addresses(packet_info* pinfo, LadderInfo* info);
}

namespace {

struct LadderText {
  const char* label = "";
  const char* comment = "";
};

LadderText ladder_text(wmem_allocator_t* pool, const PacketRecord& record) {
  LadderText text;
  guarded([&] {
    const RocePacket& roce = record.packet->roce;
    text.label = c_string(pool, fmt::format("{} PSN {}", roce.opcode->name(), roce.psn.value()));
    std::string words;
    render::Notes notes(false, words);
    render::add_verdict_notes(record.verdict, notes);
    text.comment = c_string(pool, words);
  });
  return text;
}

tap_packet_status add_arrow(void* tap, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) {
  auto* const info = static_cast<LadderInfo*>(tap);
  const PacketRecord& record = *tapped(data).record;
  const LadderText text = ladder_text(pinfo->pool, record);
  LadderItem* const item = sequence_analysis_create_sai_with_addresses(pinfo, info);
  if (item == nullptr) return TAP_PACKET_DONT_REDRAW;
  // Queue pair numbers have more bits than ports: the number of the connection stands for both.
  const auto connection = static_cast<std::uint16_t>(record.verdict.connection);
  item->frame = pinfo->num;
  item->from_port = connection;
  item->to_port = connection;
  item->label = g_strdup(text.label);
  item->comment = g_strdup(text.comment);
  item->conversation = connection;
  item->display = true;
  g_queue_push_tail(info->items, item);
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_ladder() {
  register_seq_analysis("rocescope", "RoCE queue pairs", proto_rocescope, nullptr, TL_REQUIRES_COLUMNS, add_arrow);
}

}  // namespace rocescope::wireshark
