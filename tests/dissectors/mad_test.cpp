#include "rocescope/headers/mad.hpp"

#include <gtest/gtest.h>

#include "rocescope/headers.hpp"
#include "support/roce_frame.hpp"

namespace rocescope {
namespace {

using testing::Buffer;

/// A MAD with 232 bytes of 7 i + 1.
Buffer mad_bytes(unsigned management_class, unsigned method, unsigned attribute, unsigned status = 0,
                 unsigned class_specific = 0) {
  Buffer mad{1};
  testing::append(mad, management_class, 1);
  testing::append(mad, 2, 1);
  testing::append(mad, method, 1);
  testing::append(mad, status, 2);
  testing::append(mad, class_specific, 2);
  testing::append(mad, 0x1122334455667788, 8);
  testing::append(mad, attribute, 2);
  testing::append(mad, 0, 2);
  testing::append(mad, 0x99AABBCC, 4);
  for (unsigned i = 0; i < kMadDataSize; ++i) testing::append(mad, (i * 7 + 1) & 255U, 1);
  return mad;
}

std::string_view meaning(const Packet& packet, std::string_view name) {
  const auto value = testing::value_of(packet, name);
  return value ? value->meaning() : "not there";
}

std::uint64_t number(const Packet& packet, std::string_view name) {
  const auto value = testing::value_of(packet, name);
  EXPECT_TRUE(value) << name;
  return value ? value->number : 0;
}

TEST(Mad, HeaderHasEveryFieldWhereItBelongs) {
  const Buffer frame = testing::ud_frame(1, 1, 0x80010000, mad_bytes(0x04, 0x81, 0x12, 0x001F, 0xABCD));
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(number(packet, "infiniband.mad.baseversion"), 1u);
  EXPECT_EQ(number(packet, "infiniband.mad.classversion"), 2u);
  EXPECT_EQ(number(packet, "infiniband.mad.status"), 0x1Fu);
  EXPECT_EQ(number(packet, "infiniband.mad.status.busy"), 1u);
  EXPECT_EQ(number(packet, "infiniband.mad.status.redirect"), 1u);
  EXPECT_EQ(meaning(packet, "infiniband.mad.status.code"), "invalid value in attribute or modifier");
  EXPECT_EQ(number(packet, "infiniband.mad.classspecific"), 0xABCDu);
  EXPECT_EQ(number(packet, "infiniband.mad.attributemodifier"), 0x99AABBCCu);
  const Mad mad = *packet.header<Mad>();
  EXPECT_EQ(mad.management_class(), 4);
  EXPECT_EQ(mad.method(), 0x81);
  EXPECT_TRUE(mad.response());
  EXPECT_EQ(mad.status(), 0x1F);
  EXPECT_EQ(mad.transaction_id(), 0x1122334455667788u);
  EXPECT_EQ(mad.attribute_id(), 0x12);
  EXPECT_FALSE(testing::value_of(packet, "infiniband.smpdirected.hoppointer"));
}

TEST(Mad, NamesFollowTheClass) {
  struct Case {
    unsigned management_class, method, attribute;
    const char *class_name, *method_name, *attribute_name;
    HeaderKind kind;
  };
  const Case cases[] = {
      {0x01, 0x01, 0x15, "subnet management, LID routed", "Get", "PortInfo", HeaderKind::kSmpLid},
      {0x81, 0x81, 0x11, "subnet management, directed route", "GetResp", "NodeInfo", HeaderKind::kSmpDirected},
      {0x03, 0x92, 0x35, "subnet administration", "GetTableResp", "PathRecord", HeaderKind::kSaMad},
      {0x04, 0x01, 0x12, "performance management", "Get", "PortCounters", HeaderKind::kMadData},
      {0x05, 0x06, 0x01, "baseboard management", "Report", "ClassPortInfo", HeaderKind::kMadData},
      {0x06, 0x02, 0x01, "device management", "Set", "ClassPortInfo", HeaderKind::kMadData},
      {0x07, 0x03, 0x12, "communication management", "Send", "REJ: reject", HeaderKind::kCmRej},
      {0x08, 0x03, 0x10, "SNMP tunneling", "Send", "", HeaderKind::kMadData},
      {0x09, 0x01, 0x10, "vendor specific", "Get", "", HeaderKind::kMadData},
      {0x0A, 0x01, 0x10, "vendor specific", "Get", "", HeaderKind::kMadData},
      {0x10, 0x05, 0x02, "application specific", "Trap", "Notice", HeaderKind::kMadData},
      {0x21, 0x01, 0x01, "congestion control", "Get", "ClassPortInfo", HeaderKind::kMadData},
      {0x30, 0x01, 0x10, "vendor specific with OUI", "Get", "", HeaderKind::kVendorMad},
      {0x4F, 0x01, 0x10, "vendor specific with OUI", "Get", "", HeaderKind::kVendorMad},
      {0x50, 0x01, 0x10, "", "Get", "", HeaderKind::kMadData},
  };
  for (const Case& c : cases) {
    const Buffer frame = testing::ud_frame(1, 1, 0x80010000, mad_bytes(c.management_class, c.method, c.attribute));
    const Packet packet = testing::dissect_frame(frame);
    EXPECT_EQ(meaning(packet, "infiniband.mad.mgmtclass"), c.class_name);
    EXPECT_EQ(meaning(packet, "infiniband.mad.method"), c.method_name) << c.class_name;
    EXPECT_EQ(meaning(packet, "infiniband.mad.attributeid"), c.attribute_name) << c.class_name;
    EXPECT_NE(packet.find(c.kind), nullptr) << c.class_name;
    EXPECT_EQ(packet.find(HeaderKind::kPayload), nullptr);
    EXPECT_EQ(packet.stop.reason, StopReason::kNone);
    const auto data = testing::value_of(packet, "infiniband.mad.data");
    ASSERT_TRUE(data);
    EXPECT_EQ(data->bytes.size(), kMadDataSize);
  }
}

// Numbers as tshark 4.0.17 prints them for the same frame.
TEST(Mad, DirectedRouteReadsTheHeaderItsOwnWay) {
  const Buffer frame = testing::ud_frame(0, 0, 0, mad_bytes(0x81, 0x81, 0x10, 0x8000, 0x0102));
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(number(packet, "infiniband.smpdirected.smpstatus"), 0x8000u);
  EXPECT_EQ(number(packet, "infiniband.smpdirected.d"), 1u);
  EXPECT_EQ(number(packet, "infiniband.smpdirected.hoppointer"), 1u);
  EXPECT_EQ(number(packet, "infiniband.smpdirected.hopcount"), 2u);
  EXPECT_EQ(number(packet, "infiniband.smplid.mkey"), 0x01080f161d242b32u);
  EXPECT_EQ(number(packet, "infiniband.smpdirected.drslid"), 0x3940u);
  EXPECT_EQ(number(packet, "infiniband.smpdirected.drdlid"), 0x474eu);
  EXPECT_EQ(testing::value_of(packet, "infiniband.smp.data")->bytes[0], 0x19);
  EXPECT_EQ(testing::value_of(packet, "infiniband.smpdirected.initialpath")->bytes[0], 0xd9);
  EXPECT_EQ(testing::value_of(packet, "infiniband.smpdirected.returnpath")->bytes[0], 0x99);
}

// Numbers as tshark 4.0.17 prints them, except that it takes four bits of the response time and four flags.
TEST(Mad, SubnetAdministrationHasMultiPacketAndOwnHeader) {
  Buffer mad = mad_bytes(0x03, 0x92, 0x35);
  mad[24] = 1;
  mad[25] = 1;
  mad[26] = 0x7F;
  mad[27] = 0;
  const Buffer frame = testing::ud_frame(1, 1, 0x80010000, mad);
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(meaning(packet, "infiniband.rmpp.rmpptype"), "DATA");
  EXPECT_EQ(number(packet, "infiniband.rmpp.rresptime"), 0x0Fu);
  EXPECT_EQ(number(packet, "infiniband.rmpp.rmppflags"), 7u);
  EXPECT_EQ(number(packet, "infiniband.rmpp.segmentnumber"), 0x1d242b32u);
  EXPECT_EQ(number(packet, "infiniband.rmpp.payloadlength"), 0x3940474eu);
  EXPECT_FALSE(testing::value_of(packet, "infiniband.rmpp.data1"));
  EXPECT_EQ(number(packet, "infiniband.sa.smkey"), 0x555c636a71787f86u);
  EXPECT_EQ(number(packet, "infiniband.sa.attributeoffset"), 0x8d94u);
  EXPECT_EQ(number(packet, "infiniband.sa.componentmask"), 0xa9b0b7bec5ccd3dau);
  EXPECT_EQ(testing::value_of(packet, "infiniband.sa.data")->bytes.size(), 200u);
}

TEST(Mad, VendorMadsNameTheirVendor) {
  Buffer mad = mad_bytes(0x32, 0x01, 0x10);
  mad[37] = 0x00;
  mad[38] = 0x14;
  mad[39] = 0x05;
  const Buffer frame = testing::ud_frame(1, 1, 0x80010000, mad);
  EXPECT_EQ(testing::dissect_frame(frame).header<VendorMad>()->oui(), 0x001405u);
}

TEST(Mad, EitherEndInQueuePairZeroOrOneTells) {
  const auto is_mad = [](std::uint32_t destination, std::uint32_t source) {
    const Buffer frame = testing::ud_frame(destination, source, 5, mad_bytes(7, 3, 0x14));
    return testing::dissect_frame(frame).find(HeaderKind::kCmRtu) != nullptr;
  };
  EXPECT_TRUE(is_mad(0, 0));
  EXPECT_TRUE(is_mad(1, 1));
  EXPECT_TRUE(is_mad(1, 0x123));
  EXPECT_TRUE(is_mad(0x123, 1));
  EXPECT_FALSE(is_mad(2, 0x123));
  EXPECT_FALSE(is_mad(0xFFFFFF, 2));
}

TEST(Mad, FollowsAnImmediate) {
  Buffer after_bth = testing::hex("80010000 00000001 00000007");
  testing::append(after_bth, mad_bytes(7, 3, 0x14));
  const Buffer frame = testing::roce_frame(0x65, 1, after_bth);
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_NE(packet.find(HeaderKind::kImmDt), nullptr);
  EXPECT_NE(packet.find(HeaderKind::kCmRtu), nullptr);
  EXPECT_EQ(packet.roce.payload_offset, testing::kUdPayload + 4);
}

TEST(Mad, OtherTransportsToItsQueuePairStayPayload) {
  const Buffer frame = testing::roce_frame(0x04, 1, mad_bytes(7, 3, 0x14));
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(packet.find(HeaderKind::kMad), nullptr);
  EXPECT_NE(packet.find(HeaderKind::kPayload), nullptr);
}

TEST(Mad, AShortMadIsMalformedAndItsRestIsPayload) {
  const Buffer mad = mad_bytes(7, 3, 0x14);
  for (std::size_t length = 0; length < kMadSize; length += 4) {
    const Buffer frame = testing::ud_frame(1, 1, 0x80010000, Bytes(mad).first(length));
    const Packet packet = testing::dissect_frame(frame);
    const bool has_header = length >= Mad::kSize;
    EXPECT_EQ(packet.stop.reason, StopReason::kMalformed) << length;
    EXPECT_EQ(packet.stop.layer, has_header ? HeaderKind::kCmRtu : HeaderKind::kMad);
    EXPECT_EQ(packet.stop.available, has_header ? length - Mad::kSize : length);
    EXPECT_EQ(packet.find(HeaderKind::kMad) != nullptr, has_header);
    EXPECT_EQ(packet.roce.payload_length, length);
    EXPECT_NE(packet.find(HeaderKind::kIcrc), nullptr) << "its place is known all the same";
    const std::size_t rest = has_header ? length - Mad::kSize : length;
    const Layer* payload = packet.find(HeaderKind::kPayload);
    EXPECT_EQ(payload == nullptr ? 0 : payload->length, rest);
  }
}

TEST(Mad, BytesAfterItArePayload) {
  Buffer mad = mad_bytes(7, 3, 0x14);
  testing::append(mad, testing::hex("deadbeef"));
  const Buffer frame = testing::ud_frame(1, 1, 0x80010000, mad);
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(packet.stop.reason, StopReason::kNone);
  ASSERT_NE(packet.find(HeaderKind::kPayload), nullptr);
  EXPECT_EQ(packet.find(HeaderKind::kPayload)->length, 4u);
  EXPECT_EQ(packet.roce.payload_length, 260u);
}

TEST(Mad, EveryClassCutAnywhereIsTruncated) {
  for (const unsigned management_class : {0x01U, 0x81U, 0x03U, 0x04U, 0x30U}) {
    const Buffer frame = testing::ud_frame(1, 1, 0x80010000, mad_bytes(management_class, 1, 0x11));
    for (std::size_t captured = 0; captured < frame.size(); ++captured) {
      const Buffer kept = testing::cut(frame, captured);
      const Packet packet = testing::dissect_cut(kept, frame.size());
      EXPECT_EQ(packet.stop.reason, StopReason::kTruncated) << captured;
    }
  }
}

}  // namespace
}  // namespace rocescope
