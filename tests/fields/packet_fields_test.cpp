#include "fields/packet_fields.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fields/catalog.hpp"
#include "rocescope/dissect.hpp"
#include "support/hex.hpp"

namespace rocescope::fields {
namespace {

// dc_dc-small, packet 1: the capture rewrote the source port to 4791; the ICRC is right for 0xF7FC.
const auto kDcWrite = testing::hex(R"(
  e8eb d358 a0bc 00b2 0037 c52c 0800 456a 0058 1083 4000 ff11 6cc2 0a16 74dc 0a16
  74dd 12b7 12b7 0044 0000 4a40 ffff 0080 7fff 8004 40fc 1100 9036 0071 5001 0061
  e24e 0000 c0dc 0000 0000 0000 7fb2 35d0 9a00 0005 3829 0000 0008 1e6f 083b 846c
  13c4 dbfa bbe5)");

std::string text(const FieldValue& value) {
  switch (value.field->type) {
    case FieldType::kText:
      return {value.bytes.begin(), value.bytes.end()};
    case FieldType::kIpv4:
    case FieldType::kIpv6: {
      std::string shown;
      for (const std::uint8_t byte : value.bytes) {
        if (!shown.empty()) shown += '.';
        shown += std::to_string(byte);
      }
      return shown;
    }
    case FieldType::kDuration:
    case FieldType::kTime:
      return std::to_string(static_cast<std::int64_t>(value.number));
    default:
      return std::to_string(value.number);
  }
}

/// All values of the record by name.
std::map<std::string, std::string> values(const PacketRecord& record) {
  std::map<std::string, std::string> all;
  for (const PacketField& field : packet_fields()) {
    FieldValue value;
    value.field = &field.field;
    if (!field.read(record, value)) continue;
    const bool fresh = all.emplace(field.field.name, text(value)).second;
    EXPECT_TRUE(fresh) << field.field.name << " has two values";
  }
  return all;
}

class PacketFields : public ::testing::Test {
 protected:
  PacketRecord& of(const std::vector<std::uint8_t>& bytes, std::uint32_t original_length) {
    dissect({.data = bytes, .original_length = original_length, .timestamp = 5'000'000'000, .number = 7}, packet_);
    record_.packet = &packet_;
    record_.first_timestamp = 1'000'000'000;
    record_.icrc = check_icrc(packet_);
    return record_;
  }
  Packet packet_;
  PacketRecord record_;
};

TEST_F(PacketFields, TellWhatARocePacketIs) {
  PacketRecord& record = of(kDcWrite, 102);
  record.true_source_port = 0xF7FC;
  record.icrc = check_icrc(packet_, 0xF7FC);
  record.previous_timestamp = 4'999'999'999;
  record.previous_displayed_timestamp = 3'000'000'000;
  CaptureInterface wireless;
  wireless.name = "wlo1";
  record.interface = &wireless;
  const std::map<std::string, std::string> expected = {
      {"frame.number", "7"},
      {"frame.time", "5000000000"},
      {"frame.time_epoch", "5000000000"},
      {"frame.time_delta", "1"},
      {"frame.time_delta_displayed", "2000000000"},
      {"frame.time_relative", "4000000000"},
      {"rocescope.capture_point", "1"},
      {"frame.len", "102"},
      {"frame.cap_len", "102"},
      {"frame.interface_id", "0"},
      {"frame.interface_name", "wlo1"},
      {"rocescope.encapsulation", "RoCEv2"},
      {"rocescope.transport", "DC"},
      {"rocescope.operation", "RDMA WRITE"},
      {"rocescope.opcode.name", "DC RDMA WRITE Only"},
      {"rocescope.position", "Only"},
      {"rocescope.src", "10.22.116.220"},
      {"rocescope.dst", "10.22.116.221"},
      {"rocescope.tunnel_depth", "0"},
      {"rocescope.payload_length", "8"},
      {"rocescope.source_port", std::to_string(0xF7FC)},
      {"rocescope.source_port_rewritten", "1"},
      {"rocescope.icrc.status", "good"},
      {"rocescope.icrc.expected", std::to_string(0xDBFABBE5)},
  };
  EXPECT_EQ(values(record), expected);
}

TEST_F(PacketFields, AreAbsentWhereTheyMeanNothing) {
  // An ARP request: no RoCE, no address, no interface in a pcap file.
  const auto arp = testing::hex("ffffffffffff 020000000001 0806 0001 0800 06 04 0001");
  const std::map<std::string, std::string> expected = {
      {"frame.number", "7"},
      {"frame.time", "5000000000"},
      {"frame.time_epoch", "5000000000"},
      {"frame.time_delta", "0"},
      {"frame.time_delta_displayed", "0"},
      {"frame.time_relative", "4000000000"},
      {"rocescope.capture_point", "1"},
      {"frame.len", "42"},
      {"frame.cap_len", "22"},
      {"rocescope.tunnel_depth", "0"},
  };
  auto all = values(of(arp, 42));
  std::erase_if(all, [](const auto& entry) { return entry.first.starts_with("rocescope.stop."); });
  EXPECT_EQ(all, expected);
}

TEST_F(PacketFields, TellWhereTheCaptureCutThePacket) {
  // Cut inside the BTH, whose 12 bytes start at 42.
  const std::vector<std::uint8_t> cut(kDcWrite.begin(), kDcWrite.begin() + 50);
  const auto all = values(of(cut, 102));
  EXPECT_EQ(all.at("rocescope.stop.reason"), "truncated");
  EXPECT_EQ(all.at("rocescope.stop.layer"), "infiniband.bth");
  EXPECT_EQ(all.at("rocescope.stop.offset"), "42");
  EXPECT_EQ(all.at("rocescope.stop.needed"), "12");
  EXPECT_EQ(all.at("rocescope.stop.available"), "8");
  EXPECT_FALSE(all.contains("rocescope.icrc.status"));
  EXPECT_FALSE(all.contains("rocescope.payload_length"));
}

TEST_F(PacketFields, TellWhyAnIcrcCannotBeVerified) {
  const std::vector<std::uint8_t> cut(kDcWrite.begin(), kDcWrite.begin() + 60);
  const auto all = values(of(cut, 102));
  EXPECT_EQ(all.at("rocescope.icrc.status"), "unverifiable");
  EXPECT_EQ(all.at("rocescope.icrc.obstacle"), "truncated");
  EXPECT_FALSE(all.contains("rocescope.icrc.expected"));
}

TEST_F(PacketFields, SurviveTimesThatLieFurtherApartThanTheyCanCount) {
  PacketRecord& record = of(kDcWrite, 102);
  packet_.frame.timestamp = INT64_MAX;
  record.first_timestamp = INT64_MIN;
  EXPECT_EQ(values(record).at("frame.time_relative"), "-1");
}

TEST(Catalog, HasEveryNameInOneTypeOnce) {
  std::set<std::pair<std::string_view, FieldType>> seen;
  for (const PacketField& field : packet_fields()) {
    EXPECT_TRUE(seen.emplace(field.field.name, field.field.type).second) << field.field.name;
  }
}

TEST(Catalog, FindsFieldsByNameAndAlias) {
  EXPECT_EQ(find_fields("ip.addr").size(), 2u);
  EXPECT_EQ(find_fields("rocescope.addr").size(), 6u);
  EXPECT_EQ(find_fields("infiniband.bth.psn").size(), 1u);
  EXPECT_TRUE(find_fields("infiniband.bth").empty());
  EXPECT_TRUE(find_fields("").empty());
}

TEST(Catalog, FindsTheHeadersOfAProtocol) {
  EXPECT_EQ(find_headers("infiniband.bth"), std::vector{HeaderKind::kBth});
  EXPECT_GT(find_headers("infiniband").size(), 10u);
  EXPECT_TRUE(find_headers("infini").empty());
}

TEST(Catalog, SuggestsTheNearestName) {
  EXPECT_EQ(nearest_name("infiniband.bth.pns"), "infiniband.bth.psn");
  EXPECT_EQ(nearest_name("rocescope.icrc.state"), "rocescope.icrc.status");
  EXPECT_EQ(nearest_name("quite.another.thing"), "");
}

}  // namespace
}  // namespace rocescope::fields
