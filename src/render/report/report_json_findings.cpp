#include "render/report/report_json_findings.hpp"

#include "text/address_text.hpp"

namespace rocescope::render {

void write_finding(const Finding& finding, JsonWriter& json) {
  json.open_object();
  write_finding_members(finding, json);
  json.close_object();
}

void write_finding_members(const Finding& finding, JsonWriter& json) {
  json.string("id", finding.info->name);
  json.string("severity", to_string(finding.info->severity));
  json.string("title", finding.info->title);
  json.string("what", finding.what);
  if (finding.connection != 0) json.number("connection", finding.connection);
  if (finding.side) json.number("side", *finding.side);
  if (finding.handshake != 0) json.number("handshake", finding.handshake);
  if (finding.path) {
    json.string("from", to_text(finding.path->from));
    json.string("to", to_text(finding.path->to));
  }
  json.number("weight", finding.weight);
  json.number("count", finding.seen.count);
  if (finding.seen.count > 0) {
    json.number("first_time", finding.seen.first_time);
    json.number("last_time", finding.seen.last_time);
  }
  json.open_array("packets");
  for (const std::uint64_t packet : finding.seen.packets) {
    if (packet != 0) json.number({}, packet);
  }
  json.close_array();
  if (!finding.filter.empty()) json.string("filter", finding.filter);
}

}  // namespace rocescope::render
