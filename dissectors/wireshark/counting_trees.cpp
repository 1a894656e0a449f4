// Statistics > RoCE verdicts and RoCE messages: packets by verdict and cause, messages by operation, outcome and size.
#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {
namespace {

constexpr const char* kPacketsNode = "RoCE packets";
constexpr const char* kMessagesNode = "RDMA messages";
int packets_node = -1;
int messages_node = -1;

void init_verdicts(stats_tree* tree) {
  packets_node = stats_tree_create_node(tree, kPacketsNode, 0, STAT_DT_INT, true);
}

tap_packet_status count_verdict(stats_tree* tree, packet_info*, epan_dissect_t*, const void* data, tap_flags_t) {
  const Verdict& verdict = tapped(data).record->verdict;
  const char* const kind = verdict.kind == VerdictKind::kNone ? "not judged" : to_string(verdict.kind).data();
  tick_stat_node(tree, kPacketsNode, 0, true);
  const int node = tick_stat_node(tree, kind, packets_node, true);
  if (verdict.cause != ResendCause::kNone) tick_stat_node(tree, to_string(verdict.cause).data(), node, false);
  return TAP_PACKET_REDRAW;
}

void init_messages(stats_tree* tree) {
  messages_node = stats_tree_create_node(tree, kMessagesNode, 0, STAT_DT_INT, true);
}

/// `64 to 127 bytes`
const char* size_text(wmem_allocator_t* pool, std::uint64_t bytes) {
  if (bytes == 0) return "no bytes";
  const std::uint64_t at_least = std::bit_floor(bytes);
  if (at_least == 1) return "1 byte";
  return wmem_strdup_printf(pool, "%" PRIu64 " to %" PRIu64 " bytes", at_least, 2 * at_least - 1);
}

tap_packet_status count_messages(stats_tree* tree, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) {
  tapped(data).book->visit_completed(pinfo->num, [&](std::uint64_t, const KeptMessage& message) {
    tick_stat_node(tree, kMessagesNode, 0, true);
    const int node = tick_stat_node(tree, to_string(message.operation).data(), messages_node, true);
    const int outcome = tick_stat_node(tree, to_string(message.outcome).data(), node, true);
    tick_stat_node(tree, size_text(pinfo->pool, message.bytes), outcome, false);
  });
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_verdict_tree() {
  stats_tree_register_plugin("rocescope", "rocescope_verdicts", "RoCE verdicts", 0, count_verdict, init_verdicts,
                             nullptr);
  stats_tree_register_plugin("rocescope", "rocescope_messages", "RoCE messages", 0, count_messages, init_messages,
                             nullptr);
}

}  // namespace rocescope::wireshark
