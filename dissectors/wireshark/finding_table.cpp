// Statistics > RoCE findings: a row for each, with a filter for its packets. Findings are known once all packets were read.
#include <set>

#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {
namespace {

enum FindingColumn : guint {
  kFindingConnection,
  kFindingSeverity,
  kFindingName,
  kFindingWhat,
  kFindingPacket,
  kFindingCount,
  kFindingFilter,
  kFindingColumns
};

stat_tap_table_item finding_columns[kFindingColumns] = {
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Connection", "%u"},   {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Severity", "%s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Finding", "%s"},     {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "What", "%s"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "First packet", "%u"}, {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Count", "%.0f"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "Filter", "%s"}};

void init_findings(stat_tap_table_ui* ui) {
  constexpr const char* kTitle = "RoCE findings";
  if (stat_tap_find_table(ui, kTitle) != nullptr) return;
  stat_tap_add_table(ui, stat_tap_init_table(kTitle, kFindingColumns, 0, "rocescope.connection == %u"));
}

stat_tap_table_item_type& finding_item(const stat_tap_table* table, guint row, FindingColumn column) {
  return *stat_tap_get_field_data(table, row, column);
}

void show_finding(stat_tap_table* table, guint row, const Finding& finding, const VerdictBook& book) {
  const auto set = [&](FindingColumn column, std::string_view text) {
    set_text(finding_item(table, row, column), g_strndup(text.data(), text.size()));
  };
  finding_item(table, row, kFindingConnection).value.uint_value = finding.connection;
  set(kFindingSeverity, to_string(finding.info->severity));
  set(kFindingName, finding.info->name);
  set(kFindingWhat, finding.what);
  set(kFindingFilter, finding.filter);
  if (!finding.seen.packets.empty()) {
    finding_item(table, row, kFindingPacket).value.uint_value = book.frame_of(finding.seen.packets.front());
  }
  finding_item(table, row, kFindingCount).value.float_value = static_cast<double>(finding.seen.count);
}

void fill_findings(void* tap) {
  const VerdictBook* const book = current_book();
  auto* const table = g_array_index(static_cast<stat_data_t*>(tap)->stat_tap_data->tables, stat_tap_table*, 0);
  if (book == nullptr || book->report() == nullptr || book->report()->findings.empty()) return;
  if (table->num_elements == 0) add_row(table, finding_columns);
  guint& shown = finding_item(table, 0, kFindingConnection).user_data.uint_value;
  if (std::exchange(shown, 1U) != 0) return;
  guint row = 0;
  for (const Finding& finding : book->report()->findings) {
    if (row == table->num_elements) add_row(table, finding_columns);
    show_finding(table, row++, finding, *book);
  }
}

void fill_at_the_end(void* tap) {
  end_only_pass();
  fill_findings(tap);
}

/// What listens last draws first: this fills the table before tshark prints it.
void listen_for_the_end(void* tap) {
  static std::set<void*> listening;
  guarded([&] {
    if (!listening.insert(tap).second) return;
    GString* const error = register_tap_listener("rocescope", tap, nullptr, TL_REQUIRES_NOTHING, nullptr, ignore_packet,
                                                 fill_at_the_end, nullptr);
    if (error != nullptr) g_string_free(error, TRUE);
  });
}

/// With the first packet that comes once they are known.
tap_packet_status show_findings(void* tap, packet_info*, epan_dissect_t*, const void* data, tap_flags_t) {
  if (has_one_pass() && tapped(data).book->report() == nullptr) listen_for_the_end(tap);
  fill_findings(tap);
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_finding_table() {
  static stat_tap_table_ui table = {};
  table.title = "RoCE findings";
  table.cli_string = "rocescope,findings";
  table.stat_tap_init_cb = init_findings;
  table.packet_func = show_findings;
  register_table(table, finding_columns);
}

}  // namespace rocescope::wireshark
