// Tunnels that contradict themselves, go nowhere, or are cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "rocescope/headers.hpp"
#include "rocescope/icrc.hpp"
#include "support/cut.hpp"
#include "tunnel/tunnel_packets.hpp"

namespace rocescope {
namespace {

using testing::dissect_tunnel;
using testing::tunnel_packet;

/// Writes a 16-bit number.
void put(std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint64_t value) {
  bytes[offset] = static_cast<std::uint8_t>(value >> 8U);
  bytes[offset + 1] = static_cast<std::uint8_t>(value);
}

/// Adds `by` to the 16-bit number at `offset`.
void lengthen(std::vector<std::uint8_t>& bytes, std::size_t offset, unsigned by) {
  put(bytes, offset, load_bits(bytes.data() + offset, 0, 16) + by);
}

/// A packet whose innermost IPv4 and UDP headers claim four bytes more than there are.
std::vector<std::uint8_t> with_longer_inner_packet(std::string_view name) {
  auto bytes = tunnel_packet(name);
  const std::size_t inner = testing::find_bytes(bytes, "456a0038");
  lengthen(bytes, inner + 2, 4);
  lengthen(bytes, inner + 24, 4);
  return bytes;
}

constexpr std::size_t kUdpPayload = 14 + 20 + 8;  ///< over Ethernet and IPv4
constexpr std::size_t kIpPayload = 14 + 20;

TEST(HostileTunnel, CutAtEveryLength) {
  for (const auto& [name, bytes] : testing::tunnel_packets()) {
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(testing::expect_cut_at_every_length(
        {.data = bytes, .original_length = static_cast<std::uint32_t>(bytes.size())}));
  }
}

TEST(HostileTunnel, IpPacketLongerThanItsTunnelIsMalformed) {
  for (const char* name : {"vxlan_4in4", "vxlan_gpe_ipv4", "geneve_ipv4", "gre_ipv4", "gre_ethernet", "nvgre",
                           "ipv4_in_ipv6", "etherip", "ethernet_in_ipv6", "mpls_in_udp", "mpls_in_ipv4"}) {
    const auto bytes = with_longer_inner_packet(name);
    EXPECT_EQ(dissect_tunnel(bytes).stop.reason, StopReason::kMalformed) << name;
  }
}

TEST(HostileTunnel, IpPacketLongerThanItsMirrorIsTruncated) {
  for (const char* name : {"erspan1", "erspan2", "erspan3", "erspan3_ip", "spectrum_mirror", "sflow", "sflow_ipv4"}) {
    const auto bytes = with_longer_inner_packet(name);
    const Packet packet = dissect_tunnel(bytes);
    EXPECT_EQ(packet.stop.reason, StopReason::kTruncated) << name;
    EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kUnverifiable) << name;
  }
}

TEST(HostileTunnel, PacketInAFragmentOfItsTunnelIsAFragment) {
  auto bytes = tunnel_packet("vxlan_4in4");
  bytes[20] = 0x20;                 // more fragments
  bytes.resize(bytes.size() - 16);  // which hold the end
  put(bytes, 16, bytes.size() - 14);
  const Packet packet = dissect_tunnel(bytes);
  EXPECT_EQ(packet.stop.reason, StopReason::kFragment);
  EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kUnverifiable);
  EXPECT_EQ(check_icrc(packet).obstacle, StopReason::kFragment);
}

TEST(HostileTunnel, GeneveOptionThatReachesBehindTheOptionsEndsWithThem) {
  auto bytes = tunnel_packet("geneve_options");
  const std::size_t last = kUdpPayload + Geneve::kSize + 12 + 4;
  bytes[last + 3] = 0x1F;
  const Packet packet = dissect_tunnel(bytes);
  EXPECT_EQ(packet.stop.reason, StopReason::kNone);
  EXPECT_TRUE(packet.is_roce());
  const auto option = std::find_if(packet.layers().rbegin(), packet.layers().rend(),
                                   [](const Layer& layer) { return layer.kind == HeaderKind::kGeneveOption; });
  EXPECT_EQ(option->offset, last);
  EXPECT_EQ(option->length, 8u);
}

TEST(HostileTunnel, GeneveOptionsLongerThanThePacketAreMalformed) {
  auto bytes = tunnel_packet("geneve_ethernet");
  bytes[kUdpPayload] = 0x3F;
  EXPECT_EQ(dissect_tunnel(bytes).stop.reason, StopReason::kMalformed);
}

TEST(HostileTunnel, GeneveOptionsWithoutDataEndAtTheLimitOfLayers) {
  auto bytes = tunnel_packet("geneve_ethernet");
  constexpr unsigned kOptions = 63;
  bytes[kUdpPayload] = kOptions;
  bytes.insert(bytes.begin() + kUdpPayload + Geneve::kSize, kOptions * 4, 0);
  lengthen(bytes, 16, kOptions * 4);
  lengthen(bytes, 38, kOptions * 4);
  EXPECT_EQ(dissect_tunnel(bytes).stop.reason, StopReason::kLimit);
}

TEST(HostileTunnel, UnknownVersionsAreMalformed) {
  auto geneve = tunnel_packet("geneve_ethernet");
  geneve[kUdpPayload] = 0x40;
  EXPECT_EQ(dissect_tunnel(geneve).stop.layer, HeaderKind::kGeneve);
  auto gre = tunnel_packet("gre_ipv4");
  gre[kIpPayload + 1] = 0x07;
  EXPECT_EQ(dissect_tunnel(gre).stop.layer, HeaderKind::kGre);
  auto erspan = tunnel_packet("erspan2");
  erspan[kIpPayload + 8] = 0x70;
  EXPECT_EQ(dissect_tunnel(erspan).stop.layer, HeaderKind::kErspanII);
  auto ether_ip = tunnel_packet("etherip");
  ether_ip[kIpPayload] = 0x40;
  EXPECT_EQ(dissect_tunnel(ether_ip).stop.layer, HeaderKind::kEtherIp);
}

TEST(HostileTunnel, GreRoutingThatNeverEndsIsMalformed) {
  auto bytes = tunnel_packet("gre_routing");
  std::fill(bytes.begin() + kIpPayload + 12, bytes.end(), 0);
  for (std::size_t entry = kIpPayload + 12; entry + 4 <= bytes.size(); entry += 4) bytes[entry] = 8;  // IPv4, no bytes
  const Packet packet = dissect_tunnel(bytes);
  EXPECT_EQ(packet.stop.reason, StopReason::kMalformed);
  EXPECT_EQ(packet.stop.layer, HeaderKind::kGreRouting);
}

TEST(HostileTunnel, LabelStackWithoutABottomIsMalformed) {
  auto bytes = tunnel_packet("mpls_in_udp");
  for (std::size_t label = kUdpPayload; label + 4 <= bytes.size(); label += 4) bytes[label + 2] &= 0xFE;
  const Packet packet = dissect_tunnel(bytes);
  EXPECT_EQ(packet.stop.reason, StopReason::kMalformed);
  EXPECT_EQ(packet.stop.layer, HeaderKind::kMpls);
}

/// Big-endian 32-bit numbers of the datagram "sflow", by their offset from its start.
enum : std::size_t {
  kSampleCount = 24,
  kSampleLength = 32,
  kRecordCount = 64,
  kRecordLength = 72,
  kHeaderLength = 88,
};

TEST(HostileTunnel, SflowLengthsThatContradictEachOtherAreMalformed) {
  for (const std::size_t field : {kSampleLength, kRecordLength, kHeaderLength}) {
    for (const unsigned high : {0x00U, 0x7FU, 0xFFU}) {
      auto bytes = tunnel_packet("sflow");
      bytes[kUdpPayload + field] = static_cast<std::uint8_t>(high);
      bytes[kUdpPayload + field + 2] = 0xFF;
      EXPECT_EQ(dissect_tunnel(bytes).stop.reason, StopReason::kMalformed) << field;
    }
  }
}

TEST(HostileTunnel, SflowThatCountsMoreSamplesThanItHoldsIsMalformed) {
  auto bytes = tunnel_packet("sflow");
  std::fill_n(bytes.begin() + kUdpPayload + kSampleCount, 4, 0xFF);
  bytes[kUdpPayload + kSampleLength - 1] = 2;  // counters: nothing to find
  EXPECT_EQ(dissect_tunnel(bytes).stop.reason, StopReason::kMalformed);
  bytes = tunnel_packet("sflow");
  std::fill_n(bytes.begin() + kUdpPayload + kRecordCount, 4, 0xFF);
  bytes[kUdpPayload + kRecordLength - 1] = 9;  // a record that is not a raw header
  EXPECT_EQ(dissect_tunnel(bytes).stop.reason, StopReason::kMalformed);
}

TEST(HostileTunnel, EmptySflowSamplesEndAtTheLimitOfLayers) {
  auto bytes = tunnel_packet("sflow");
  bytes.resize(kUdpPayload + Sflow::kSize);
  constexpr unsigned kSamples = 100;
  bytes[kUdpPayload + kSampleCount + 3] = kSamples;
  for (unsigned i = 0; i < kSamples; ++i) {
    const auto sample = testing::hex("00000002 00000000");  // counters, no bytes
    bytes.insert(bytes.end(), sample.begin(), sample.end());
  }
  put(bytes, 16, bytes.size() - 14);
  put(bytes, 38, bytes.size() - 34);
  EXPECT_EQ(dissect_tunnel(bytes).stop.reason, StopReason::kLimit);
}

TEST(HostileTunnel, DamagedBytesKeepLayersInsideTheFrame) {
  std::mt19937 random(4791);
  for (const auto& [name, original] : testing::tunnel_packets()) {
    for (int round = 0; round < 400; ++round) {
      auto bytes = original;
      for (int i = 0; i < 3; ++i) bytes[14 + random() % (bytes.size() - 14)] = static_cast<std::uint8_t>(random());
      const Packet packet = dissect_tunnel(bytes);
      for (const Layer& layer : packet.layers()) ASSERT_LE(layer.offset + layer.length, bytes.size()) << name;
      ASSERT_LE(packet.tunnel_depth, 8);
      static_cast<void>(check_icrc(packet));
    }
  }
}

}  // namespace
}  // namespace rocescope
