// Statistics > RoCE connections: a row for each.
#include <map>
#include <vector>

#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {
namespace {

enum ConnectionColumn : guint {
  kConnectionNumber,
  kTransport,
  kAddressA,
  kQpA,
  kAddressB,
  kQpB,
  kConnectionPackets,
  kConnectionBytes,
  kConnectionMessages,
  kResent,
  kGaps,
  kOutOfOrder,
  kNaks,
  kMeanTime,
  kLongestTime,
  kConnectionColumns
};

stat_tap_table_item connection_columns[kConnectionColumns] = {
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "No.", "%u"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Transport", "%-9s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Address A", "%-15s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "QP A", "%-8s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Address B", "%-15s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "QP B", "%-8s"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Packets", "%u"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Bytes", "%.0f"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Messages", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Resent", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Gaps", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Out of order", "%u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "NAKs", "%u"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Mean time (us)", "%.3f"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Longest time (us)", "%.3f"}};

/// Rows by the number of the connection, from 1; 0: none yet.
std::map<const stat_tap_table*, std::vector<guint>> connection_rows;

void init_connections(stat_tap_table_ui* ui) {
  constexpr const char* kTitle = "RoCE connections";
  if (stat_tap_find_table(ui, kTitle) != nullptr) return;
  stat_tap_add_table(ui, stat_tap_init_table(kTitle, kConnectionColumns, 0, "rocescope.connection == %u"));
}

stat_tap_table_item_type& connection_item(const stat_tap_table* table, guint row, ConnectionColumn column) {
  return *stat_tap_get_field_data(table, row, column);
}

/// The row of the connection; adds it where the table has none.
guint connection_row(stat_tap_table* table, std::uint32_t connection) {
  guint row = 0;
  guarded([&] {
    std::vector<guint>& known = connection_rows[table];
    if (known.size() < connection) known.resize(connection);
    if (known[connection - 1] == 0) known[connection - 1] = add_row(table, connection_columns) + 1;
    row = known[connection - 1] - 1;
  });
  return row;
}

/// The addresses are those of its first packet, which is sent by A.
void begin_connection(stat_tap_table* table, guint row, const PacketRecord& record, const packet_info* pinfo) {
  connection_item(table, row, kConnectionNumber).value.uint_value = record.verdict.connection;
  set_text(connection_item(table, row, kTransport), g_strdup(to_string(record.packet->roce.opcode->transport).data()));
  set_text(connection_item(table, row, kAddressA), address_to_str(nullptr, &pinfo->net_src));
  set_text(connection_item(table, row, kAddressB), address_to_str(nullptr, &pinfo->net_dst));
}

void note_queue_pair(stat_tap_table* table, guint row, const PacketRecord& record, const packet_info* pinfo) {
  char* const receiver = address_to_str(pinfo->pool, &pinfo->net_dst);
  const bool to_a = strcmp(receiver, connection_item(table, row, kAddressA).value.string_value) == 0;
  stat_tap_table_item_type& item = connection_item(table, row, to_a ? kQpA : kQpB);
  if (*item.value.string_value != 0) return;
  set_text(item, g_strdup_printf("0x%06x", record.packet->roce.dest_qp.value()));
}

void count_connection_verdict(stat_tap_table* table, guint row, const Verdict& verdict) {
  const auto add = [&](ConnectionColumn column) { ++connection_item(table, row, column).value.uint_value; };
  if (verdict.kind == VerdictKind::kRetransmission) add(kResent);
  if (verdict.kind == VerdictKind::kGap || verdict.kind == VerdictKind::kReadResponseGap) add(kGaps);
  if (verdict.kind == VerdictKind::kOutOfOrder) add(kOutOfOrder);
  if (verdict.kind == VerdictKind::kResponse && verdict.lost != LostWhere::kNowhere) add(kNaks);
}

void count_connection_message(stat_tap_table* table, guint row, const KeptMessage& message) {
  ++connection_item(table, row, kConnectionMessages).value.uint_value;
  if (message.time < 0) return;
  const double time = static_cast<double>(message.time) / 1000;
  stat_tap_table_item_type& mean = connection_item(table, row, kMeanTime);
  const guint times = ++mean.user_data.uint_value;
  mean.value.float_value += (time - mean.value.float_value) / times;
  double& longest = connection_item(table, row, kLongestTime).value.float_value;
  longest = std::max(longest, time);
}

tap_packet_status count_connection(void* tap, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) {
  const Tapped& packet = tapped(data);
  if (packet.record->verdict.connection == 0) return TAP_PACKET_DONT_REDRAW;
  auto* const table = g_array_index(static_cast<stat_data_t*>(tap)->stat_tap_data->tables, stat_tap_table*, 0);
  const guint row = connection_row(table, packet.record->verdict.connection);
  if (row >= table->num_elements) return TAP_PACKET_DONT_REDRAW;
  if (connection_item(table, row, kConnectionPackets).value.uint_value == 0)
    begin_connection(table, row, *packet.record, pinfo);
  note_queue_pair(table, row, *packet.record, pinfo);
  ++connection_item(table, row, kConnectionPackets).value.uint_value;
  connection_item(table, row, kConnectionBytes).value.float_value += pinfo->fd->pkt_len;
  count_connection_verdict(table, row, packet.record->verdict);
  packet.book->visit_completed(
      pinfo->num, [&](std::uint64_t, const KeptMessage& message) { count_connection_message(table, row, message); });
  return TAP_PACKET_REDRAW;
}

void free_connection_item(stat_tap_table* table, guint row, guint column, stat_tap_table_item_type* item) {
  connection_rows.erase(table);
  free_text(table, row, column, item);
}

}  // namespace

void register_connection_table() {
  static stat_tap_table_ui table = {};
  table.title = "RoCE connections";
  table.cli_string = "rocescope,connections";
  table.stat_tap_init_cb = init_connections;
  table.packet_func = count_connection;
  table.stat_tap_free_table_item_cb = free_connection_item;
  register_table(table, connection_columns);
}

}  // namespace rocescope::wireshark
