// Statistics > Conversations and Endpoints: connections, and queue pairs that receive.
#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {
namespace {

const char* no_conversation_filter(conv_item_t*, conv_filter_type_e) { return "rocescope"; }
const char* no_endpoint_filter(endpoint_item_t*, conv_filter_type_e) { return "rocescope"; }
ct_dissector_info_t conversation_info = {no_conversation_filter};
et_dissector_info_t endpoint_info = {no_endpoint_filter};

/// Packets of connected transports name only the receiver's queue pair: the number of the connection tells which belong together.
tap_packet_status count_conversation(void* tap, packet_info* pinfo, epan_dissect_t*, const void* data,
                                     tap_flags_t flags) {
  auto* const table = static_cast<conv_hash_t*>(tap);
  table->flags = flags;
  const std::uint32_t connection = tapped(data).record->verdict.connection;
  if (connection == 0) return TAP_PACKET_DONT_REDRAW;
  add_conversation_table_data_with_conv_id(table, &pinfo->net_src, &pinfo->net_dst, 0, 0, connection, 1,
                                           static_cast<int>(pinfo->fd->pkt_len), &pinfo->rel_ts, &pinfo->abs_ts,
                                           &conversation_info, CONVERSATION_IBQP);
  return TAP_PACKET_REDRAW;
}

tap_packet_status count_endpoint(void* tap, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t flags) {
  auto* const table = static_cast<conv_hash_t*>(tap);
  table->flags = flags;
  add_endpoint_table_data(table, &pinfo->net_dst, tapped(data).record->packet->roce.dest_qp.value(), false, 1,
                          static_cast<int>(pinfo->fd->pkt_len), &endpoint_info, ENDPOINT_IBQP);
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_conversations() {
  register_conversation_table(proto_rocescope, false, count_conversation, count_endpoint);
}

}  // namespace rocescope::wireshark
