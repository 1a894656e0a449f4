#include "analysis/protocol_tree.hpp"

#include <gmock/gmock.h>

#include <sstream>
#include <string>

#include "rocescope/header.hpp"
#include "support/recorded.hpp"

namespace rocescope {
namespace {

using testing::Buffer;
using testing::hex;
using testing::Recorded;
using testing::roce_packet;

/// The tree in one line: `eth 2 [ip 1 [udp 1 [infiniband 1]], type 2054 1]`.
void show(const std::vector<ProtocolNode>& nodes, std::ostream& out) {
  const char* separator = "";
  for (const ProtocolNode& node : nodes) {
    out << separator;
    separator = ", ";
    switch (node.protocol.space) {
      case ProtocolId::Space::kHeader: {
        const std::string_view name = header_info(static_cast<HeaderKind>(node.protocol.number)).name;
        out << name.substr(0, name.find('.'));
        break;
      }
      case ProtocolId::Space::kEtherType:
        out << "type " << node.protocol.number;
        break;
      case ProtocolId::Space::kIpProtocol:
        out << "protocol " << node.protocol.number;
        break;
      case ProtocolId::Space::kLinkType:
        out << "link " << node.protocol.number;
        break;
    }
    out << ' ' << node.traffic.packets;
    if (node.children.empty()) continue;
    out << " [";
    show(node.children, out);
    out << ']';
  }
}
std::string show(const std::vector<ProtocolNode>& nodes) {
  std::ostringstream out;
  show(nodes, out);
  return out.str();
}

std::string tree_of(const std::vector<Buffer>& frames) {
  ProtocolTree tree;
  for (const Buffer& frame : frames) {
    Recorded recorded(frame);
    tree.add(recorded.record());
  }
  return show(tree.protocols());
}

const std::string kMacs = "020000000002 020000000001 ";

TEST(ProtocolTree, CountsAllHeadersOfAProtocolAsOne) {
  EXPECT_EQ(tree_of({roce_packet({}), roce_packet({.opcode = 0x11, .after_bth = hex("1f000001")})}),
            "eth 2 [ip 2 [udp 2 [infiniband 2]]]");
}

TEST(ProtocolTree, NamesWhatItDoesNotReadByNumber) {
  EXPECT_EQ(tree_of({hex(kMacs + "9998 0000000000000000")}), "eth 1 [type 39320 1]");
  EXPECT_EQ(tree_of({hex(kMacs + "8100 0064 9998 0000")}), "eth 1 [vlan 1 [type 39320 1]]");
  EXPECT_EQ(tree_of({hex(kMacs + "0800 4500 0018 0001 0000 4084 0000 0a000001 0a000002 00000000")}),
            "eth 1 [ip 1 [protocol 132 1]]");
}

TEST(ProtocolTree, PutsAPacketInAPacketBelowIt) {
  // IPv4 in IPv4, protocol 4; the inner one carries SCTP.
  EXPECT_EQ(tree_of({hex(kMacs + "0800 4500 0028 0001 0000 4004 0000 0a000001 0a000002"
                                 "4500 0014 0001 0000 4084 0000 0a000003 0a000004")}),
            "eth 1 [ip 1 [ip 1 [protocol 132 1]]]");
}

TEST(ProtocolTree, LeavesOutWhatStandsBehindThePacket) {
  // An ARP request in a frame of 60 bytes and its frame check sequence.
  Buffer frame = hex(kMacs + "0806 0001080006040001 020000000001 0a000001 000000000000 0a000002");
  frame.resize(60);
  std::uint32_t fcs = 0xFFFFFFFF;  // bit by bit, IEEE 802.3 3.2.9
  for (const std::uint8_t byte : frame) {
    fcs ^= byte;
    for (int bit = 0; bit < 8; ++bit) fcs = (fcs >> 1) ^ ((fcs & 1U) != 0 ? 0xEDB88320U : 0);
  }
  for (unsigned i = 0; i < 4; ++i) frame.push_back(static_cast<std::uint8_t>(~fcs >> (8 * i)));
  EXPECT_EQ(tree_of({frame}), "eth 1 [arp 1]");
}

TEST(ProtocolTree, CountsAHeaderBehindWhatItProtectsWithItsProtocol) {
  // MACsec without encryption: its integrity check value is the last thing in the frame.
  EXPECT_EQ(tree_of({hex(kMacs + "88e5 0000 00000001 0806 0001080006040001 020000000001 0a000001 000000000000 0a000002"
                                 "00112233445566778899aabbccddeeff")}),
            "eth 1 [macsec 1 [arp 1]]");
}

TEST(ProtocolTree, StopsAtTheLastHeaderThatCouldBeRead) {
  Buffer cut = roce_packet({});
  cut.resize(30);  // in the middle of the IPv4 header
  EXPECT_EQ(tree_of({cut}), "eth 1");
}

TEST(ProtocolTree, NamesALinkTypeThatItDoesNotRead) {
  const Buffer bytes(20);
  Packet packet;
  dissect({.data = bytes, .original_length = 20, .link_type = 105}, packet);
  ProtocolTree tree;
  tree.add({.packet = &packet});
  EXPECT_EQ(show(tree.protocols()), "link 105 1");
}

TEST(ProtocolTree, TellsWhatIsNoRoceByItsInnermostProtocol) {
  ProtocolTree tree;
  Recorded wake_on_lan(hex(kMacs + "0842 00000000"));
  Recorded roce(roce_packet({}));
  tree.add(wake_on_lan.record());
  tree.add(wake_on_lan.record());
  tree.add(roce.record());
  ASSERT_EQ(tree.other_packets().size(), 1u);
  EXPECT_EQ(tree.other_packets()[0].packets, 2u);
  EXPECT_EQ(tree.other_packets()[0].protocol.number, 0x0842u);
}

TEST(ProtocolTree, CountsWhatIsBeyondItsLimit) {
  ProtocolTree tree(3);
  for (const char* type : {"9998", "9999", "999a", "9998"}) {
    Recorded recorded(hex(kMacs + type + "0000"));
    tree.add(recorded.record());
  }
  EXPECT_EQ(show(tree.protocols()), "eth 4 [type 39320 2, type 39321 1]");
  EXPECT_EQ(tree.untracked().packets, 1u);
}

TEST(ProtocolTree, StaysWithinItsLimitWhateverComes) {
  ProtocolTree tree;
  Buffer frame = hex(kMacs + "0600 0000");
  for (unsigned type = 0x600; type < 0x10000; ++type) {
    frame[12] = static_cast<std::uint8_t>(type >> 8);
    frame[13] = static_cast<std::uint8_t>(type);
    Recorded recorded(frame);
    tree.add(recorded.record());
  }
  EXPECT_LE(tree.protocols().at(0).children.size(), ProtocolTree::kDefaultMaxNodes);
  EXPECT_GT(tree.untracked().packets, 0u);
  EXPECT_EQ(tree.protocols().at(0).traffic.packets, 0x10000u - 0x600);
}

TEST(ProtocolTree, CountsAFrameWithoutAHeaderUnderItsLinkType) {
  ProtocolTree tree;
  Recorded shorter_than_ethernet(Buffer(12));
  tree.add(shorter_than_ethernet.record());
  EXPECT_EQ(show(tree.protocols()), "link 1 1");
  ASSERT_EQ(tree.other_packets().size(), 1U);
  EXPECT_EQ(tree.other_packets()[0].protocol, (ProtocolId{ProtocolId::Space::kLinkType, 1}));
}

TEST(ProtocolTree, NamesNoProtocolForAFrameThatDidNotFit) {
  ProtocolTree tree(0);
  Recorded frame(Buffer(60));
  tree.add(frame.record());
  EXPECT_EQ(tree.untracked().packets, 1U);
  EXPECT_TRUE(tree.other_packets().empty());
}

}  // namespace
}  // namespace rocescope
