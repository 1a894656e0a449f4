// Statistics > Service Response Time > rocescope: from the first packet of a message to what completed it, by operation.
#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {
namespace {

void init_response_times(struct register_srt*, GArray* tables) {
  constexpr int kOperations = static_cast<int>(Operation::kManufacturer) + 1;
  srt_stat_table* const table =
      init_srt_table("RDMA operations", nullptr, tables, kOperations, "Operation", nullptr, nullptr);
  for (int i = 0; i < kOperations; ++i) init_srt_table_row(table, i, to_string(static_cast<Operation>(i)).data());
}

tap_packet_status count_response_times(void* tap, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) {
  auto* const table = g_array_index(static_cast<srt_data_t*>(tap)->srt_array, srt_stat_table*, 0);
  tap_packet_status status = TAP_PACKET_DONT_REDRAW;
  tapped(data).book->visit_completed(pinfo->num, [&](std::uint64_t, const KeptMessage& message) {
    if (message.time < 0 || message.resent) return;
    const nstime_t time = to_nstime(message.time);
    nstime_t start;
    nstime_delta(&start, &pinfo->abs_ts, &time);
    add_srt_table_data(table, static_cast<int>(message.operation), &start, pinfo);
    status = TAP_PACKET_REDRAW;
  });
  return status;
}

}  // namespace

void register_response_times() {
  register_srt_table(proto_rocescope, nullptr, 1, count_response_times, init_response_times, nullptr);
}

}  // namespace rocescope::wireshark
