// What the statistics share. Each is in Wireshark's menu and a `-z` of tshark.
#pragma once

#include <span>
#include <vector>

#include "wireshark/plugin.hpp"

namespace rocescope::wireshark {

[[nodiscard]] inline const Tapped& tapped(const void* data) noexcept { return *static_cast<const Tapped*>(data); }

/// Of an item of a table, which owns its text; `text` becomes its own.
inline void set_text(stat_tap_table_item_type& item, char* text) noexcept {
  g_free(const_cast<char*>(item.value.string_value));
  item.value.string_value = text;
}
/// Windows keep pointers to the rows of a table: they stay, and are empty until they are filled again.
inline void empty_rows(stat_tap_table* table) noexcept {
  for (guint row = 0; row < table->num_elements; ++row) {
    for (guint column = 0; column < table->num_fields; ++column) {
      stat_tap_table_item_type& item = *stat_tap_get_field_data(table, row, column);
      const bool is_text = item.type == TABLE_ITEM_STRING;
      if (is_text) set_text(item, g_strdup(""));
      if (!is_text) item.value = {};
      item.user_data = {};
    }
  }
}

/// Adds a row with empty texts and zeros; returns its number.
inline guint add_row(stat_tap_table* table, std::span<const stat_tap_table_item> columns) {
  const guint row = table->num_elements;
  std::vector<stat_tap_table_item_type> items(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    items[i].type = columns[i].type;
    if (items[i].type == TABLE_ITEM_STRING) items[i].value.string_value = g_strdup("");
  }
  stat_tap_init_table_row(table, row, static_cast<guint>(items.size()), items.data());
  return row;
}
inline void free_text(stat_tap_table*, guint, guint, stat_tap_table_item_type* item) {
  if (item->type == TABLE_ITEM_STRING) g_free(const_cast<char*>(item->value.string_value));
}

/// Fills in what all tables have in common, and registers the table. `table` and `columns` must live on.
inline void register_table(stat_tap_table_ui& table, std::span<stat_tap_table_item> columns) {
  table.group = REGISTER_PACKET_STAT_GROUP_UNSORTED;  // the generic one shows in no menu
  table.tap_name = "rocescope";
  table.stat_tap_reset_table_cb = empty_rows;
  if (table.stat_tap_free_table_item_cb == nullptr) table.stat_tap_free_table_item_cb = free_text;
  table.nfields = static_cast<guint>(columns.size());
  table.fields = columns.data();
  register_stat_tap_table_ui(&table);
}

inline tap_packet_status ignore_packet(void*, packet_info*, epan_dissect_t*, const void*, tap_flags_t) {
  return TAP_PACKET_DONT_REDRAW;
}

/// Whether this is tshark, which does not say when all packets were read, but then draws statistics. Wireshark draws them during a
/// capture as well.
[[nodiscard]] bool has_one_pass() noexcept;
/// Called where statistics are drawn.
void end_only_pass();

void register_connection_table();  // -z rocescope,connections
void register_finding_table();     // -z rocescope,findings
void register_verdict_tree();      // -z rocescope_verdicts,tree and rocescope_messages,tree
void register_response_times();    // -z rocescope,srt
void register_conversations();     // -z conv,rocescope and endpoints,rocescope
void register_report();            // -z rocescope,report
void register_ladder();            // -z flow,rocescope,standard
void register_follow();            // -z follow,rocescope,hex,CONNECTION
void show_payload(tvbuff_t* tvb, packet_info* pinfo, const PacketRecord& record);

}  // namespace rocescope::wireshark
