#include <gtest/gtest.h>

#include "rocescope/headers.hpp"
#include "rocescope/icrc.hpp"
#include "support/roce_frame.hpp"

namespace rocescope {
namespace {

using testing::Buffer;

constexpr std::uint32_t kGsiKey = 0x80010000;
constexpr std::size_t kCutSteps = testing::kUdPayload + kMadSize;

/// A CM MAD with these 232 bytes.
Buffer cm_frame(unsigned attribute, Bytes data) {
  Buffer mad = testing::hex("01 07 02 03 0000 0000 1122334455667788");
  testing::append(mad, attribute, 2);
  testing::append(mad, 0, 6);
  testing::append(mad, data);
  return testing::ud_frame(1, 1, kGsiKey, mad);
}

/// Bytes that differ from their neighbours, so that a field at a wrong place shows.
Buffer pattern() {
  Buffer data;
  for (unsigned i = 0; i < kMadDataSize; ++i) testing::append(data, (i * 7 + 1) & 255U, 1);
  return data;
}

struct Expected {
  const char* name;
  std::uint64_t number;
};

void expect_numbers(const Packet& packet, std::initializer_list<Expected> expected) {
  EXPECT_EQ(packet.stop.reason, StopReason::kNone);
  EXPECT_EQ(packet.find(HeaderKind::kPayload), nullptr);
  for (const Expected& e : expected) {
    const auto value = testing::value_of(packet, e.name);
    if (!value) {
      ADD_FAILURE() << e.name << " is not there";
    } else {
      EXPECT_EQ(value->number, e.number) << e.name;
    }
  }
}

std::size_t size_of(const Packet& packet, std::string_view name) {
  const auto value = testing::value_of(packet, name);
  return value ? value->bytes.size() : 0;
}

// The numbers are those that tshark 4.0.17 prints for the same frame, except flow label, packet rate and the reserved bits
// between them, which it takes from the wrong bytes.
TEST(Cm, ReqHasEveryFieldWhereItBelongs) {
  const Buffer frame = cm_frame(0x10, pattern());
  const Packet packet = testing::dissect_frame(frame);
  expect_numbers(packet, {{"infiniband.cm.req", 0x01080f16},
                          {"infiniband.cm.req.vendorid", 0x242b32},
                          {"infiniband.cm.req.serviceid", 0x3940474e555c636a},
                          {"infiniband.cm.req.localcaguid", 0x71787f868d949ba2},
                          {"infiniband.cm.req.localqkey", 0xc5ccd3da},
                          {"infiniband.cm.req.localqpn", 0xe1e8ef},
                          {"infiniband.cm.req.responderres", 0xf6},
                          {"infiniband.cm.req.localeecn", 0xfd040b},
                          {"infiniband.cm.req.initdepth", 0x12},
                          {"infiniband.cm.req.remoteeecn", 0x192027},
                          {"infiniband.cm.req.remoteresptout", 0x05},
                          {"infiniband.cm.req.transpsvctype", 0x03},
                          {"infiniband.cm.req.e2eflowctrl", 0x00},
                          {"infiniband.cm.req.startpsn", 0x353c43},
                          {"infiniband.cm.req.localresptout", 0x09},
                          {"infiniband.cm.req.retrcount", 0x02},
                          {"infiniband.cm.req.pkey", 0x5158},
                          {"infiniband.cm.req.pppmtu", 0x05},
                          {"infiniband.cm.req.rdcexist", 0x01},
                          {"infiniband.cm.req.rnrretrcount", 0x07},
                          {"infiniband.cm.req.maxcmretr", 0x06},
                          {"infiniband.cm.req.srq", 0x00},
                          {"infiniband.cm.req.ext_transport", 0x06},
                          {"infiniband.cm.req.prim_locallid", 28020},
                          {"infiniband.cm.req.prim_remotelid", 31618},
                          {"infiniband.cm.req.prim_flowlabel", 0x69707},
                          {"infiniband.cm.req.prim_reserved0", 0x1d},
                          {"infiniband.cm.req.prim_pktrate", 0x3e},
                          {"infiniband.cm.req.prim_tfcclass", 0x85},
                          {"infiniband.cm.req.prim_hoplim", 0x8c},
                          {"infiniband.cm.req.prim_sl", 0x09},
                          {"infiniband.cm.req.prim_subnetlocal", 0x00},
                          {"infiniband.cm.req.prim_reserved1", 0x03},
                          {"infiniband.cm.req.prim_localacktout", 0x13},
                          {"infiniband.cm.req.prim_reserved2", 0x02},
                          {"infiniband.cm.req.alt_locallid", 41384},
                          {"infiniband.cm.req.alt_remotelid", 44982},
                          {"infiniband.cm.req.alt_flowlabel", 0x9da4a},
                          {"infiniband.cm.req.alt_pktrate", 0x32},
                          {"infiniband.cm.req.alt_tfcclass", 0xb9},
                          {"infiniband.cm.req.alt_hoplim", 0xc0},
                          {"infiniband.cm.req.alt_sl", 0x0c},
                          {"infiniband.cm.req.alt_subnetlocal", 0x00},
                          {"infiniband.cm.req.alt_localacktout", 0x19}});
  EXPECT_EQ(size_of(packet, "infiniband.cm.req.private"), 92u);
  EXPECT_EQ(packet.header<CmReq>()->private_data()[0], 0xd5);
  EXPECT_FALSE(packet.header<CmReq>()->ip_cm());
  EXPECT_FALSE(testing::value_of(packet, "infiniband.cm.req.serviceid.dport"));
  EXPECT_FALSE(testing::value_of(packet, "infiniband.cm.req.ip_cm"));
}

TEST(Cm, RepHasEveryFieldWhereItBelongs) {
  const Buffer frame = cm_frame(0x13, pattern());
  const Packet packet = testing::dissect_frame(frame);
  expect_numbers(packet, {{"infiniband.cm.rep", 0x01080f16},
                          {"infiniband.cm.rep.remotecommid", 0x1d242b32},
                          {"infiniband.cm.rep.localqkey", 0x3940474e},
                          {"infiniband.cm.rep.localqpn", 0x555c63},
                          {"infiniband.cm.rep.localeecn", 0x71787f},
                          {"infiniband.cm.rep.startpsn", 0x8d949b},
                          {"infiniband.cm.rep.respres", 0xa9},
                          {"infiniband.cm.rep.initdepth", 0xb0},
                          {"infiniband.cm.rep.tgtackdelay", 0x16},
                          {"infiniband.cm.rep.failoveracc", 0x03},
                          {"infiniband.cm.rep.e2eflowctrl", 0x01},
                          {"infiniband.cm.rep.rnrretrcount", 0x05},
                          {"infiniband.cm.rep.srq", 0x01},
                          {"infiniband.cm.rep.localcaguid", 0xc5ccd3dae1e8eff6}});
  EXPECT_EQ(size_of(packet, "infiniband.cm.rep.private"), 196u);
}

TEST(Cm, RtuDreqAndDrepHaveTheirFieldsWhereTheyBelong) {
  const Buffer rtu = cm_frame(0x14, pattern());
  const Packet rtu_packet = testing::dissect_frame(rtu);
  expect_numbers(rtu_packet,
                 {{"infiniband.cm.rtu.localcommid", 0x01080f16}, {"infiniband.cm.rtu.remotecommid", 0x1d242b32}});
  EXPECT_EQ(size_of(rtu_packet, "infiniband.cm.rtu.private"), 224u);
  const Buffer dreq = cm_frame(0x15, pattern());
  const Packet dreq_packet = testing::dissect_frame(dreq);
  expect_numbers(dreq_packet, {{"infiniband.cm.dreq.localcommid", 0x01080f16},
                               {"infiniband.cm.dreq.remotecommid", 0x1d242b32},
                               {"infiniband.cm.req.remoteqpneecn", 0x394047}});
  EXPECT_EQ(size_of(dreq_packet, "infiniband.cm.dreq.private"), 220u);
  const Buffer drep = cm_frame(0x16, pattern());
  const Packet drep_packet = testing::dissect_frame(drep);
  expect_numbers(drep_packet,
                 {{"infiniband.cm.drsp.localcommid", 0x01080f16}, {"infiniband.cm.drsp.remotecommid", 0x1d242b32}});
  EXPECT_EQ(size_of(drep_packet, "infiniband.cm.drsp.private"), 224u);
}

// tshark keeps two of the six reserved bits.
TEST(Cm, RejHasEveryFieldWhereItBelongs) {
  const Buffer frame = cm_frame(0x12, pattern());
  const Packet packet = testing::dissect_frame(frame);
  expect_numbers(packet, {{"infiniband.cm.rej.localcommid", 0x01080f16},
                          {"infiniband.cm.rej.remotecommid", 0x1d242b32},
                          {"infiniband.cm.rej.msgrej", 0x00},
                          {"infiniband.cm.rej.reserved0", 0x39},
                          {"infiniband.cm.rej.rejinfolen", 0x20},
                          {"infiniband.cm.rej.reserved1", 0x00},
                          {"infiniband.cm.rej.reason", 0x474e}});
  EXPECT_EQ(size_of(packet, "infiniband.cm.rej.ari"), 72u);
  EXPECT_EQ(size_of(packet, "infiniband.cm.rej.private"), 148u);
}

// No dissector to compare with: offsets as in the Linux kernel's include/rdma/ibta_vol1_c12.h. Byte i is 7 i + 1.
TEST(Cm, MraHasEveryFieldWhereItBelongs) {
  Buffer data = pattern();
  data[8] = 0x80;  // LAP
  data[9] = 0xA5;  // service timeout 20
  const Buffer frame = cm_frame(0x11, data);
  const Packet packet = testing::dissect_frame(frame);
  expect_numbers(packet, {{"infiniband.cm.mra.localcommid", 0x01080f16},
                          {"infiniband.cm.mra.remotecommid", 0x1d242b32},
                          {"infiniband.cm.mra.msgmraed", 2},
                          {"infiniband.cm.mra.servicetout", 20}});
  EXPECT_EQ(testing::value_of(packet, "infiniband.cm.mra.msgmraed")->meaning(), "LAP");
  EXPECT_EQ(testing::value_of(packet, "infiniband.cm.mra.servicetout")->meaning(), "4.295 s");
  EXPECT_EQ(packet.header<CmMra>()->service_timeout_ns(), 4'294'967'296);
  EXPECT_EQ(size_of(packet, "infiniband.cm.mra.private"), 222u);
}

TEST(Cm, LapHasEveryFieldWhereItBelongs) {
  const Buffer frame = cm_frame(0x19, pattern());
  const Packet packet = testing::dissect_frame(frame);
  expect_numbers(packet, {{"infiniband.cm.lap.localcommid", 0x01080f16},
                          {"infiniband.cm.lap.remotecommid", 0x1d242b32},
                          {"infiniband.cm.lap.remoteqpneecn", 0x555c63},
                          {"infiniband.cm.lap.remoteresptout", 0x6a >> 3},
                          {"infiniband.cm.lap.alt_locallid", 0x8d94},
                          {"infiniband.cm.lap.alt_remotelid", 0x9ba2},
                          {"infiniband.cm.lap.alt_flowlabel", 0x89909},
                          {"infiniband.cm.lap.alt_tfcclass", 0x9e},
                          {"infiniband.cm.lap.alt_hoplim", 0xa5},
                          {"infiniband.cm.lap.alt_pktrate", 0xac & 0x3f},
                          {"infiniband.cm.lap.alt_sl", 0xb3 >> 4},
                          {"infiniband.cm.lap.alt_subnetlocal", 0},
                          {"infiniband.cm.lap.alt_localacktout", 0xba >> 3}});
  EXPECT_EQ(packet.header<CmLap>()->local_gid().bytes[0], 0xa9);
  EXPECT_EQ(packet.header<CmLap>()->remote_gid().bytes[0], 0x19);
  EXPECT_EQ(size_of(packet, "infiniband.cm.lap.private"), 168u);
}

TEST(Cm, AprHasEveryFieldWhereItBelongs) {
  Buffer data = pattern();
  data[9] = 5;
  const Buffer frame = cm_frame(0x1A, data);
  const Packet packet = testing::dissect_frame(frame);
  expect_numbers(packet, {{"infiniband.cm.apr.localcommid", 0x01080f16},
                          {"infiniband.cm.apr.remotecommid", 0x1d242b32},
                          {"infiniband.cm.apr.infolen", 0x39},
                          {"infiniband.cm.apr.status", 5}});
  EXPECT_EQ(testing::value_of(packet, "infiniband.cm.apr.status")->meaning(), "proposed path is the current path");
  EXPECT_EQ(size_of(packet, "infiniband.cm.apr.info"), 72u);
  EXPECT_EQ(size_of(packet, "infiniband.cm.apr.private"), 148u);
}

TEST(Cm, SidrRepHasEveryFieldWhereItBelongs) {
  Buffer data = pattern();
  data[4] = 1;
  const Buffer frame = cm_frame(0x18, data);
  const Packet packet = testing::dissect_frame(frame);
  expect_numbers(packet, {{"infiniband.cm.sidrrep.requestid", 0x01080f16},
                          {"infiniband.cm.sidrrep.status", 1},
                          {"infiniband.cm.sidrrep.infolen", 0x24},
                          {"infiniband.cm.sidrrep.qpn", 0x394047},
                          {"infiniband.cm.sidrrep.serviceid", 0x555c636a71787f86},
                          {"infiniband.cm.sidrrep.qkey", 0x8d949ba2}});
  EXPECT_EQ(testing::value_of(packet, "infiniband.cm.sidrrep.status")->meaning(), "service ID not supported");
  EXPECT_EQ(size_of(packet, "infiniband.cm.sidrrep.info"), 72u);
  EXPECT_EQ(size_of(packet, "infiniband.cm.sidrrep.private"), 136u);
}

TEST(Cm, SuggestedPathsHaveTheirCommunicationIds) {
  const Buffer sap = cm_frame(0x1B, pattern());
  expect_numbers(testing::dissect_frame(sap),
                 {{"infiniband.cm.sap.localcommid", 0x01080f16}, {"infiniband.cm.sap.remotecommid", 0x1d242b32}});
  const Buffer spr = cm_frame(0x1C, pattern());
  expect_numbers(testing::dissect_frame(spr),
                 {{"infiniband.cm.spr.localcommid", 0x01080f16}, {"infiniband.cm.spr.remotecommid", 0x1d242b32}});
}

TEST(Cm, OtherAttributesAreMadData) {
  for (const unsigned attribute : {0x00U, 0x01U, 0x0FU, 0x1DU, 0x110U, 0xFFFFU}) {
    const Buffer frame = cm_frame(attribute, pattern());
    const Packet packet = testing::dissect_frame(frame);
    ASSERT_NE(packet.find(HeaderKind::kMadData), nullptr) << attribute;
    EXPECT_EQ(packet.header<MadData>()->data()[1], 8);
  }
}

TEST(Cm, MadDataAreAllBytesOfEveryMessage) {
  for (unsigned attribute = 0x10; attribute <= 0x1C; ++attribute) {
    const Buffer frame = cm_frame(attribute, pattern());
    EXPECT_EQ(size_of(testing::dissect_frame(frame), "infiniband.mad.data"), kMadDataSize) << attribute;
  }
}

TEST(Cm, PrivateDataOfTheIpServiceFollowItsIpVersion) {
  Buffer data = pattern();
  const Buffer service = testing::hex("00000000 01 06 1c06");
  std::copy(service.begin(), service.end(), data.begin() + 8);
  data[141] = 0x60;
  const Buffer v6 = cm_frame(0x10, data);
  const Packet packet = testing::dissect_frame(v6);
  EXPECT_TRUE(testing::value_of(packet, "infiniband.cm.req.ip_cm.sip6"));
  EXPECT_TRUE(testing::value_of(packet, "infiniband.cm.req.ip_cm.dip6"));
  EXPECT_FALSE(testing::value_of(packet, "infiniband.cm.req.ip_cm.sip4"));
  EXPECT_FALSE(testing::value_of(packet, "infiniband.cm.req.private"));
  EXPECT_EQ(packet.header<CmReq>()->ip_cm()->source().bytes[0], 0xf1);
  EXPECT_EQ(packet.header<CmReq>()->ip_cm()->destination().bytes[15], 0xca);

  data[141] = 0x40;
  const Buffer v4 = cm_frame(0x10, data);
  const Packet v4_packet = testing::dissect_frame(v4);
  EXPECT_TRUE(testing::value_of(v4_packet, "infiniband.cm.req.ip_cm.sip4"));
  EXPECT_TRUE(testing::value_of(v4_packet, "infiniband.cm.req.ip_cm.dip4"));
  EXPECT_FALSE(testing::value_of(v4_packet, "infiniband.cm.req.ip_cm.sip6"));
  EXPECT_TRUE(v4_packet.header<CmReq>()->ip_cm()->source().is_v4());
  EXPECT_EQ(size_of(v4_packet, "infiniband.cm.req.ip_cm.private"), 56u);
}

TEST(Cm, AMessageCutAnywhereKeepsTheLayersBeforeTheCut) {
  for (unsigned attribute = 0x10; attribute <= 0x1C; ++attribute) {
    const Buffer frame = cm_frame(attribute, pattern());
    for (std::size_t captured = testing::kUdPayload; captured < kCutSteps; ++captured) {
      const Buffer kept = testing::cut(frame, captured);
      const Packet packet = testing::dissect_cut(kept, frame.size());
      const bool has_mad = captured >= testing::kUdPayload + Mad::kSize;
      ASSERT_EQ(packet.stop.reason, StopReason::kTruncated) << captured;
      EXPECT_EQ(packet.stop.needed, has_mad ? kMadDataSize : Mad::kSize);
      EXPECT_EQ(packet.find(HeaderKind::kMad) != nullptr, has_mad);
      EXPECT_EQ(packet.find(HeaderKind::kIcrc), nullptr);
      EXPECT_EQ(packet.roce.payload_offset, testing::kUdPayload);
      EXPECT_EQ(packet.roce.payload_length, kMadSize);
      EXPECT_EQ(check_icrc(packet).status, IcrcStatus::kUnverifiable);
    }
  }
}

}  // namespace
}  // namespace rocescope
