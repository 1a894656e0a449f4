#include "render/report/report_json_congestion.hpp"

#include <string>

#include "text/address_text.hpp"

namespace rocescope::render {
namespace {

void write_ecn(std::string_view key, const EcnCounts& counts, JsonWriter& json) {
  json.open_object(key);
  for (std::size_t i = 0; i < kEcnCodes; ++i) json.number(to_string(static_cast<Ecn>(i)), counts.packets[i]);
  json.close_object();
}

void write_class(const ClassTraffic& traffic, JsonWriter& json) {
  json.open_object();
  json.number("dscp", traffic.traffic_class.dscp);
  if (traffic.traffic_class.pcp) json.number("pcp", *traffic.traffic_class.pcp);
  for (std::size_t i = 0; i < kPacketRoles; ++i) {
    json.number(std::string(to_string(static_cast<PacketRole>(i))) + "_packets", traffic.packets[i]);
  }
  json.close_object();
}

void write_pause(const PauseTotals& pause, JsonWriter& json) {
  std::string source;
  append_mac(pause.source, source);
  json.open_object();
  json.string("source", source);
  if (pause.priority) json.number("priority", *pause.priority);
  json.number("xoff", pause.xoff);
  json.number("xon", pause.xon);
  json.number("quanta", pause.quanta);
  json.number("pauses", pause.pauses);
  json.number("ended", pause.ended);
  json.number("paused", pause.paused);
  json.number("longest", pause.longest);
  json.number("first_packet", pause.first_packet);
  json.number("first_time", pause.first_time);
  json.number("last_time", pause.last_time);
  json.close_object();
}

}  // namespace

void write_congestion(const CongestionTotals& congestion, JsonWriter& json) {
  json.open_object("congestion");
  json.open_object("ecn");
  for (std::size_t i = 0; i < kPacketRoles; ++i) {
    write_ecn(to_string(static_cast<PacketRole>(i)), congestion.ecn[i], json);
  }
  json.close_object();
  json.open_array("classes");
  for (const ClassTraffic& traffic : congestion.classes) write_class(traffic, json);
  json.close_array();
  json.number("cnps", congestion.cnps);
  json.number("untracked_cnps", congestion.untracked_cnps);
  json.close_object();
}

void write_congestion(const ConnectionSide& side, JsonWriter& json) {
  write_ecn("data_ecn", side.ecn, json);
  json.number("class_changes", side.class_changes);
  const Congestion* congestion = side.congestion.get();
  if (congestion == nullptr || congestion->marked + congestion->cnps == 0) return;
  json.open_object("congestion");
  json.number("marked", congestion->marked);
  json.number("marked_unnotified", congestion->marked_unnotified);
  json.number("cnps", congestion->cnps);
  json.number("cnps_without_mark", congestion->cnps_without_mark);
  json.number("most_cnps", congestion->most_cnps);
  json.number("reactions", congestion->reaction.looked_at);
  json.number("not_slower", congestion->reaction.not_slower);
  json.number("bytes_before", congestion->reaction.bytes_before);
  json.number("bytes_after", congestion->reaction.bytes_after);
  json.close_object();
}

void write_pauses(const std::vector<PauseTotals>& pauses, JsonWriter& json) {
  json.open_array("pauses");
  for (const PauseTotals& pause : pauses) write_pause(pause, json);
  json.close_array();
}

}  // namespace rocescope::render
