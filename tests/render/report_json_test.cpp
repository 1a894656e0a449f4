#include "render/report/report_json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "render/json_writer.hpp"
#include "rocescope/render.hpp"
#include "support/captures.hpp"

namespace rocescope {
namespace {

using nlohmann::json;
using testing::report_of;
using testing::shipped;

json json_of(const Report& report) {
  std::string text;
  render::append_report_json(report, text);
  return json::parse(text);
}

TEST(JsonWriter, NestsAndSeparates) {
  std::string text;
  render::JsonWriter writer(text);
  writer.open_object();
  writer.number("a", -1);
  writer.open_array("b");
  writer.string("x\n");
  writer.open_object();
  writer.close_object();
  writer.close_array();
  writer.boolean("c", true);
  writer.close_object();
  EXPECT_EQ(text, "{\n  \"a\": -1,\n  \"b\": [\n    \"x\\n\",\n    {}\n  ],\n  \"c\": true\n}");
}

TEST(JsonWriter, WritesLines) {
  const auto line = [](render::JsonSpace space) {
    std::string text;
    render::JsonWriter writer(text, space);
    writer.open_object();
    writer.hex_id("a", 0xfedcba9876543210);
    writer.hex_id("b", std::nullopt);
    writer.number("c", std::optional<int>());
    writer.number("d", std::optional(7));
    writer.close_object();
    return text;
  };
  EXPECT_EQ(line(render::JsonSpace::kLine), R"({"a": "0xfedcba9876543210","d": 7})");
  EXPECT_EQ(line(render::JsonSpace::kCompact), R"({"a":"0xfedcba9876543210","d":7})");
}

TEST(ReportJson, HasRawNumbersAndIntegerNanoseconds) {
  const json report = json_of(report_of({shipped("lab_pingpong_atomic_udaddy.pcap")}));
  EXPECT_EQ(report["type"], "report");
  EXPECT_EQ(report["schema"], 1);
  EXPECT_EQ(report["packets_read"], 1288);
  EXPECT_EQ(report["totals"]["packets"], 1288);
  EXPECT_EQ(report["totals"]["first_time"], 1795198544102624000);
  EXPECT_EQ(report["totals"]["duration"], 33757258000);
  EXPECT_EQ(report["captures"][0]["interfaces"][0]["link_type"], 1);
  EXPECT_EQ(report["captures"][0]["interfaces"][0]["snap_length"], 65536);
  EXPECT_EQ(report["protocols"][0]["name"], "eth");
  EXPECT_EQ(report["operations"][0]["name"], "RC SEND First");
  EXPECT_EQ(report["operations"][0]["payload_bytes"], 54 * 1024);
  EXPECT_EQ(report["icrc"]["good"], 1235);
  EXPECT_EQ(report["untracked"]["flows"]["packets"], 0);
}

TEST(ReportJson, TellsOfFlows) {
  const json report = json_of(report_of({shipped("lab_pingpong_atomic_udaddy.pcap")}));
  const json flow = report["flows"][0];
  EXPECT_EQ(flow["source"], "192.168.2.24");
  EXPECT_EQ(flow["destination"], "192.168.2.25");
  EXPECT_EQ(flow["dest_qp"], 0x12);
  EXPECT_EQ(flow["transports"], json::array({"RC"}));
  EXPECT_EQ(flow["requests"]["lowest_psn"], 10074070);
  EXPECT_EQ(flow["requests"]["highest_psn"], 10074129);
  EXPECT_EQ(flow["requests"]["psn_span"], 60);
  EXPECT_EQ(flow["responses"]["highest_psn"], 10124727);
  EXPECT_FALSE(flow.contains("true_source_port"));
}

TEST(ReportJson, TellsOfCmMessages) {
  const json report = json_of(report_of({shipped("lab_pingpong_atomic_udaddy.pcap")}));
  const json req = report["cm_messages"][0];
  EXPECT_EQ(req["message"], "REQ");
  EXPECT_EQ(req["packet"], 15);
  EXPECT_EQ(req["local_comm_id"], 0x066854d5);
  EXPECT_EQ(req["transaction_id"], "0x00000002d5546806");
  EXPECT_EQ(req["service_id"], "0x0000000001061c06");
  EXPECT_EQ(req["service"], "TCP port 7174 (rping)");
  EXPECT_EQ(req["ip_source_port"], 35168);
  EXPECT_EQ(req["private_data"], std::string(112, '0'));
  EXPECT_FALSE(req.contains("remote_comm_id"));
  EXPECT_FALSE(req.contains("retry_of"));
}

TEST(ReportJson, StandsTextThatIsNoText) {
  Report report;
  report.captures.push_back(
      {CaptureInfo{.path = "\xff\x01\"\\", .format = "pcap", .interfaces = {}, .warnings = {}}, {}});
  EXPECT_EQ(json_of(report)["captures"][0]["path"], "\xef\xbf\xbd\x01\"\\");
}

void collect_keys(const json& value, std::set<std::string>& keys) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      keys.insert(key);
      collect_keys(member, keys);
    }
  } else if (value.is_array()) {
    for (const json& element : value) collect_keys(element, keys);
  }
}

/// A report in which every member occurs.
Report full_report() {
  Report report = report_of({shipped("lab_pingpong_atomic_udaddy.pcap")});
  CaptureInterface& interface = report.captures[0].info.interfaces[0];
  interface.name = interface.description = "x";
  interface.section = 1;
  interface.dropped = 1;
  report.flows[0].true_source_port = 1;
  report.stops.push_back({StopReason::kMalformed, HeaderKind::kBth, 1, 1});
  report.icrc.unverifiable.push_back({StopReason::kTruncated, 1});
  CmEvent& event = report.cm_events[0];
  event.retry_of = event.remote_comm_id = event.request_id = 1;
  event.remote_qpn = Qpn(1);
  event.about = event.status = 1;
  event.reason = 1;
  return report;
}

TEST(ReportJson, HasNoMemberThatIsNotDocumented) {
  std::set<std::string> keys;
  collect_keys(json_of(full_report()), keys);
  EXPECT_GT(keys.size(), 70u);
  const std::string documentation(render::report_json_documentation());
  for (const std::string& key : keys) {
    bool found = false;
    for (std::size_t at = documentation.find(key); at != std::string::npos; at = documentation.find(key, at + 1)) {
      const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
      const bool starts = at == 0 || !is_word(documentation[at - 1]);
      const bool ends = at + key.size() == documentation.size() || !is_word(documentation[at + key.size()]);
      found = found || (starts && ends);
    }
    EXPECT_TRUE(found) << key;
  }
}

}  // namespace
}  // namespace rocescope
