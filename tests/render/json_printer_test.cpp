#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "packets.hpp"
#include "printing.hpp"

namespace rocescope::render {
namespace {

using nlohmann::json;

json print_lines(const std::vector<std::string>& names, std::vector<std::vector<std::uint8_t>> frames) {
  auto printer = make_json_printer(names, JsonLayout::kLines);
  if (!printer) return printer.error().message;
  const std::string text = print(**printer, std::move(frames));
  json all = json::array();
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    all.push_back(json::parse(text.substr(start, end - start)));
    start = end + 1;
  }
  return all;
}

TEST(JsonPrinter, GivesEachTypeTheFormThatTheSchemaSays) {
  const json packet = print_lines({}, {kWriteOnlyImmediate})[0];
  EXPECT_EQ(packet["type"], "packet");
  EXPECT_EQ(packet["schema"], 1);
  EXPECT_EQ(packet["frame.number"], 1);
  EXPECT_EQ(packet["frame.time_epoch"], 1'795'198'544'102'624'000);
  EXPECT_EQ(packet["frame.time_relative"], 0);
  EXPECT_EQ(packet["eth.src"], "02:00:00:00:00:01");
  EXPECT_EQ(packet["ip.src"], "10.0.0.1");
  EXPECT_EQ(packet["ip.flags.df"], true);
  EXPECT_EQ(packet["infiniband.bth.destqp"], 0x12);
  EXPECT_EQ(packet["infiniband.reth.va"], "0x00007f0012345678");
  EXPECT_EQ(packet["infiniband.reth.dmalen"], 5);
  EXPECT_EQ(packet["infiniband.immdt"], "0000002a");
  EXPECT_EQ(packet["infiniband.payload"], "68656c6c6f");
  EXPECT_EQ(packet["rocescope.icrc.status"], "good");
  EXPECT_FALSE(packet.contains("infiniband.aeth.msn"));
}

TEST(JsonPrinter, WritesNumbersOf64BitsAsTextSoThatNoDigitIsLost) {
  const json packet = print_lines({"infiniband.atomiceth.swapdt"}, {kCmpSwap})[0];
  EXPECT_EQ(packet["infiniband.atomiceth.swapdt"], "18446744073709551615");
}

TEST(JsonPrinter, MakesAnArrayOfSeveralValues) {
  const json all = print_lines({}, {kSendVlansIpv6});
  EXPECT_EQ(all[0]["vlan.id"], json({100, 5}));
  EXPECT_EQ(all[0]["ipv6.src"], "fe80::1");
  const json narrow = print_lines({"ip.addr", "infiniband.aeth"}, {kNakRemoteAccess})[0];
  EXPECT_EQ(
      narrow,
      json(
          {{"type", "packet"}, {"schema", 1}, {"ip.addr", {"10.0.0.1", "10.0.0.2"}}, {"infiniband.aeth", "62000003"}}));
}

TEST(JsonPrinter, StaysValidWhateverTextHolds) {
  MemorySource source({kCnpFrame});
  source.interface().name = "a\tb\"\\\x01\x7f\xff\xed\xa0\x80 \xf0\x9f\x90\x99";
  auto printer = make_json_printer(std::vector<std::string>{"frame.interface_name"}, JsonLayout::kLines);
  const json packet = json::parse(print(**printer, source));
  EXPECT_EQ(packet["frame.interface_name"],
            "a\tb\"\\\x01\x7f\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD \xf0\x9f\x90\x99");
}

TEST(JsonPrinter, MakesOneArrayOfAllPackets) {
  auto printer = make_json_printer({}, JsonLayout::kArray);
  const json all = json::parse(print_capture(**printer, lab_capture("lab_pingpong_atomic_udaddy.pcap")));
  ASSERT_EQ(all.size(), 1288u);
  EXPECT_EQ(all[19]["infiniband.reth.va"], "0x000056371056c370");
  EXPECT_EQ(all[14]["infiniband.cm.req.startpsn"], 7059832);
  auto empty = make_json_printer({}, JsonLayout::kArray);
  EXPECT_EQ(json::parse(print(**empty, std::vector<std::vector<std::uint8_t>>{})), json::array());
}

TEST(JsonPrinter, RefusesUnknownNames) {
  EXPECT_FALSE(make_json_printer(std::vector<std::string>{"nothing.of.that.name"}, JsonLayout::kLines));
}

}  // namespace
}  // namespace rocescope::render
