// RoCEv2 in every tunnel and mirror: the packet inside, its ICRC, and the fields of the tunnel's own header.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "rocescope/headers.hpp"
#include "rocescope/icrc.hpp"
#include "tunnel/tunnel_packets.hpp"

namespace rocescope {
namespace {

using testing::dissect_tunnel;
using testing::tunnel_packet;
using testing::tunnel_packets;

bool is(std::string_view name, std::string_view ending) { return name.find(ending) != std::string_view::npos; }

TEST(Tunnel, ShowsTheInnermostPacketAndItsGoodIcrc) {
  const ByteArray<4> v4{10, 1, 0, 1};
  const ByteArray<16> v6{0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  for (const auto& [name, bytes] : tunnel_packets()) {
    if (is(name, "_cut") || is(name, "_deep")) continue;
    SCOPED_TRACE(name);
    const Packet packet = dissect_tunnel(bytes);
    EXPECT_EQ(packet.stop.reason, StopReason::kNone);
    ASSERT_TRUE(packet.is_roce());
    EXPECT_EQ(packet.roce.psn, Psn(0x123456));
    EXPECT_EQ(packet.roce.dest_qp, Qpn(0xABCD));
    EXPECT_EQ(packet.roce.udp_source_port, 0xC123);
    EXPECT_EQ(packet.roce.payload_length, 9u);
    EXPECT_TRUE(packet.source == IpAddress::v4(v4) || packet.source == IpAddress::v6(v6));
    EXPECT_EQ(packet.traffic_class, 0x6A);
    EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kGood);
  }
}

TEST(Tunnel, NoticesABadIcrcInEveryTunnel) {
  for (const auto& [name, bytes] : tunnel_packets()) {
    if (is(name, "_cut") || is(name, "_deep")) continue;
    SCOPED_TRACE(name);
    auto damaged = bytes;
    damaged[testing::find_bytes(damaged, "74756e6e656c6c6564")] ^= 1;  // the payload
    EXPECT_EQ(check_icrc(dissect_tunnel(damaged)).status, IcrcStatus::kBad);
  }
}

TEST(Tunnel, CannotVerifyTheIcrcOfAPacketThatTheCaptureCut) {
  for (const auto& [name, bytes] : tunnel_packets()) {
    const Packet whole = dissect_tunnel(bytes);
    if (!whole.is_roce()) continue;
    for (const std::uint32_t length : {whole.roce.bth_offset + 12, whole.roce.end_offset - 1}) {
      if (length > bytes.size()) continue;
      SCOPED_TRACE(name);
      Packet packet;
      dissect({.data = Bytes(bytes).first(length), .original_length = static_cast<std::uint32_t>(bytes.size())},
              packet);
      EXPECT_EQ(packet.stop.reason, StopReason::kTruncated);
      EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kUnverifiable);
      EXPECT_EQ(check_icrc(packet).obstacle, StopReason::kTruncated);
    }
  }
}

TEST(Tunnel, CallsWhatAMirrorCutTruncatedAndItsIcrcUnverifiable) {
  for (const auto& [name, bytes] : tunnel_packets()) {
    if (!is(name, "_cut")) continue;
    SCOPED_TRACE(name);
    const Packet packet = dissect_tunnel(bytes);
    EXPECT_EQ(packet.stop.reason, StopReason::kTruncated);
    if (is(name, "without_t")) continue;  // it ends before the BTH
    ASSERT_TRUE(packet.is_roce());
    EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kUnverifiable);
    EXPECT_EQ(check_icrc(packet).obstacle, StopReason::kTruncated);
    EXPECT_EQ(packet.roce.payload_length, 9u) << "as the packet's own lengths have it";
  }
}

TEST(Tunnel, StopsAtTheLimitOfTunnelsInTunnels) {
  EXPECT_EQ(dissect_tunnel(tunnel_packet("ip_in_ip_8")).tunnel_depth, 8);
  EXPECT_EQ(dissect_tunnel(tunnel_packet("vxlan_8")).tunnel_depth, 8);
  for (const char* name : {"ip_in_ip_9_deep", "ip_in_ip_20_deep", "vxlan_20_deep"}) {
    const auto bytes = tunnel_packet(name);
    const Packet packet = dissect_tunnel(bytes);
    EXPECT_EQ(packet.stop.reason, StopReason::kLimit) << name;
    EXPECT_EQ(packet.tunnel_depth, 8) << name;
    EXPECT_FALSE(packet.is_roce()) << name;
  }
}

TEST(Tunnel, CountsTunnelsAndTellsTheInnermostOverlay) {
  const struct {
    const char* name;
    unsigned depth;
    std::uint32_t overlay;
  } kExpected[] = {
      {"mpls_ipv4", 0, 0},
      {"mpls_ethernet", 1, 0},
      {"vxlan_6in6", 1, 0x123456},
      {"vxlan_linux", 1, 0x123456},
      {"vxlan_all_flags_but_i", 1, 0},
      {"vxlan_gpe_mpls", 1, 42},
      {"geneve_options", 1, 42},
      {"nvgre", 1, 0x123456},
      {"gre_all_words", 1, 0},
      {"gre_ethernet", 1, 0},
      {"erspan3_platform5", 1, 0},
      {"ipv6_in_ipv4", 1, 0},
      {"vxlan_in_nvgre", 2, 5},
      {"nvgre_in_vxlan", 2, 9},
      {"vxlan_in_erspan", 2, 0x123456},
      {"vxlan_8", 8, 100},
      {"sflow", 1, 0},
  };
  for (const auto& expected : kExpected) {
    const auto bytes = tunnel_packet(expected.name);
    const Packet packet = dissect_tunnel(bytes);
    EXPECT_EQ(packet.tunnel_depth, expected.depth) << expected.name;
    EXPECT_EQ(packet.overlay_id, expected.overlay) << expected.name;
  }
}

TEST(Tunnel, LayersFollowEachOtherWithoutOverlap) {
  for (const auto& [name, bytes] : tunnel_packets()) {
    SCOPED_TRACE(name);
    const Packet packet = dissect_tunnel(bytes);
    std::uint32_t end = 0;
    for (const Layer& layer : packet.layers()) {
      EXPECT_GE(layer.offset, end);
      end = layer.offset + layer.length;
      EXPECT_LE(end, bytes.size());
    }
  }
}

TEST(Mirror, ShowsErspansTruncatedBit) {
  EXPECT_EQ(dissect_tunnel(tunnel_packet("erspan2")).header<ErspanII>()->get<"erspan.truncated">(), 0);
  const auto bytes = tunnel_packet("erspan2_cut");
  EXPECT_EQ(dissect_tunnel(bytes).header<ErspanII>()->get<"erspan.truncated">(), 1);
}

TEST(Mirror, ErspanTypeIHasNoHeaderOfItsOwn) {
  const auto bytes = tunnel_packet("erspan1");
  const Packet packet = dissect_tunnel(bytes);
  EXPECT_EQ(packet.find(HeaderKind::kErspanII), nullptr);
  EXPECT_EQ(packet.find(HeaderKind::kEthernet)->offset, 14u + 20u + 4u);
}

TEST(Mirror, BytesBehindItBelongToNoPacketInside) {
  auto bytes = tunnel_packet("erspan2_cut");
  const Stop stop = dissect_tunnel(bytes).stop;
  bytes.insert(bytes.end(), 20, 0);  // what a switch's padding would look like
  const Packet packet = dissect_tunnel(bytes);
  EXPECT_EQ(packet.stop.reason, StopReason::kTruncated);
  EXPECT_EQ(packet.stop.offset, stop.offset);
  EXPECT_EQ(packet.stop.available, stop.available);
  EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kUnverifiable);
}

TEST(Mirror, SflowGivesTheFirstSampledPacketAndTheNumberOfSamples) {
  const auto bytes = tunnel_packet("sflow_three_samples_cut");
  const Packet packet = dissect_tunnel(bytes);
  EXPECT_EQ(packet.header<Sflow>()->sample_count(), 3u);
  EXPECT_EQ(packet.roce.encapsulation, Encapsulation::kRoceV2Ipv4) << "the third sample is of IPv6";
  EXPECT_EQ(packet.header<SflowRawHeader>()->header_length(), 60u);
}

TEST(Mirror, UsersTellWhatStandsBeforeTheFrame) {
  // GRE with a protocol of nobody's, seven bytes, then the frame of erspan1.
  auto bytes = tunnel_packet("erspan1");
  bytes[36] = 0x12;
  bytes[37] = 0x34;
  bytes.insert(bytes.begin() + 38, 7, 0xEE);
  bytes[17] = static_cast<std::uint8_t>(bytes[17] + 7);
  EXPECT_FALSE(dissect_tunnel(bytes).is_roce());

  DissectOptions options;
  options.gre_skips[0] = {0x4321, 3};
  options.gre_skips[1] = {0x1234, 7};
  options.gre_skip_count = 2;
  const Packet packet = dissect_tunnel(bytes, options);
  EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kGood);
  EXPECT_EQ(packet.find(HeaderKind::kMirrorHeader)->length, 7u);
}

TEST(Mirror, UsersKnowBetter) {
  const auto bytes = tunnel_packet("spectrum_mirror");
  DissectOptions options;
  options.gre_skips[0] = {0x8949, 36};  // the second Ethernet header of nonsense
  options.gre_skip_count = 1;
  EXPECT_FALSE(dissect_tunnel(bytes, options).is_roce());
}

TEST(Mirror, MoreRulesThanThereIsRoomForAreNotRead) {
  DissectOptions options;
  options.gre_skip_count = 255;
  EXPECT_TRUE(dissect_tunnel(tunnel_packet("erspan1"), options).is_roce());
}

}  // namespace
}  // namespace rocescope
