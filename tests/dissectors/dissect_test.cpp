#include "rocescope/dissect.hpp"

#include <gtest/gtest.h>

#include "rocescope/field_value.hpp"
#include "rocescope/headers.hpp"
#include "rocescope/icrc.hpp"
#include "support/hex.hpp"

namespace rocescope {
namespace {

Packet dissect_ethernet(const std::vector<std::uint8_t>& bytes) {
  Packet packet;
  dissect({.data = bytes, .original_length = static_cast<std::uint32_t>(bytes.size())}, packet);
  return packet;
}

// dc_dc-small, packet 1: the capture rewrote the source port to 4791; every ICRC of the flow is right for 0xF7FC.
const auto kDcWrite = testing::hex(R"(
  e8eb d358 a0bc 00b2 0037 c52c 0800 456a 0058 1083 4000 ff11 6cc2 0a16 74dc 0a16
  74dd 12b7 12b7 0044 0000 4a40 ffff 0080 7fff 8004 40fc 1100 9036 0071 5001 0061
  e24e 0000 c0dc 0000 0000 0000 7fb2 35d0 9a00 0005 3829 0000 0008 1e6f 083b 846c
  13c4 dbfa bbe5)");

TEST(Dissect, ReadsDynamicallyConnectedWrite) {
  const Packet packet = dissect_ethernet(kDcWrite);
  ASSERT_TRUE(packet.is_roce());
  EXPECT_EQ(packet.stop.reason, StopReason::kNone);
  EXPECT_EQ(packet.roce.opcode->name(), "DC RDMA WRITE Only");
  EXPECT_EQ(packet.header<Dceth>()->src_qp(), Qpn(0x9036));
  EXPECT_EQ(packet.header<Reth>()->r_key(), 0x53829u);
  EXPECT_EQ(packet.header<Reth>()->dma_length(), 8u);
  EXPECT_EQ(packet.roce.payload_length, 8u);
}

TEST(Dissect, ShowsTheFieldsThatAreHereOfAHeaderThatWasCut) {
  const Bytes cut = Bytes(kDcWrite).first(14 + 20 + 8 + 9);  // the BTH up to its PSN
  Packet packet;
  dissect({.data = cut, .original_length = static_cast<std::uint32_t>(kDcWrite.size())}, packet);
  EXPECT_EQ(packet.stop.reason, StopReason::kTruncated);
  EXPECT_EQ(packet.partial.kind, HeaderKind::kBth);
  EXPECT_EQ(packet.partial.length, 9u);
  EXPECT_FALSE(packet.header<Bth>());
  EXPECT_FALSE(packet.is_roce());
  std::vector<std::string_view> names;
  for_each_field(packet, packet.partial, [&](const Layer&, const FieldValue& value) {
    names.push_back(value.field->name);
    if (value.field->name == "infiniband.bth.destqp") {
      EXPECT_EQ(value.number, 0x807FFFu);
    }
  });
  EXPECT_EQ(names.front(), "infiniband.bth.opcode");
  EXPECT_EQ(names.back(), "infiniband.bth.reserved7");
}

TEST(Icrc, FindsTheSourcePortThatTheCaptureRewrote) {
  const Packet packet = dissect_ethernet(kDcWrite);
  EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kBad);
  EXPECT_EQ(find_source_port(packet), 0xF7FC);
  EXPECT_EQ(check_icrc(packet, 0xF7FC).status, IcrcStatus::kGood);
}

}  // namespace
}  // namespace rocescope
