// Follow stream: the payload that a connection moved, in both directions. tshark -z follow,rocescope,hex,CONNECTION; the menu of 4.4.
#include "wireshark/statistics.hpp"

namespace rocescope::wireshark {
namespace {

int tap_follow = -1;

char* filter_of(guint stream) { return g_strdup_printf("rocescope.connection == %u", stream); }

char* filter_of_packet(epan_dissect_t*, packet_info* pinfo, guint* stream, guint*) {
  std::uint32_t connection = 0;
  guarded([&] {
    if (VerdictBook* const book = current_book()) connection = book->connection_of(pinfo->num);
  });
  if (connection == 0) return nullptr;
  *stream = connection;
  return filter_of(connection);
}

char* filter_of_stream(guint stream, guint) { return filter_of(stream); }
char* filter_of_addresses(address*, address*, int, int) { return g_strdup("rocescope.connection"); }
char* port_text(wmem_allocator_t* pool, guint number) { return wmem_strdup_printf(pool, "%u", number); }

#if WIRESHARK_VERSION_MAJOR > 4 || WIRESHARK_VERSION_MINOR >= 4
/// Streams are numbered from 0, connections from 1.
std::uint32_t count_streams() {
  const VerdictBook* const book = current_book();
  return book == nullptr ? 0 : book->last_connection() + 1;
}
#endif

}  // namespace

void register_follow() {
  tap_follow = register_tap("rocescope_follow");
#if WIRESHARK_VERSION_MAJOR > 4 || WIRESHARK_VERSION_MINOR >= 4
  register_follow_stream(proto_rocescope, "rocescope_follow", filter_of_packet, filter_of_stream, filter_of_addresses,
                         port_text, follow_tvb_tap_listener, count_streams, nullptr);
#else
  register_follow_stream(proto_rocescope, "rocescope_follow", filter_of_packet, filter_of_stream, filter_of_addresses,
                         port_text, follow_tvb_tap_listener);
#endif
}

void show_payload(tvbuff_t* tvb, packet_info* pinfo, const PacketRecord& record) {
  const RocePacket& roce = record.packet->roce;
  if (have_tap_listener(tap_follow) == 0 || roce.payload_offset == 0 || roce.payload_length == 0) return;
  if (roce.payload_offset + roce.payload_length > tvb_captured_length(tvb)) return;
  tap_queue_packet(
      tap_follow, pinfo,
      tvb_new_subset_length(tvb, static_cast<int>(roce.payload_offset), static_cast<int>(roce.payload_length)));
}

}  // namespace rocescope::wireshark
