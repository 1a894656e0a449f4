#include "rocescope/headers/exchange.hpp"

#include <gtest/gtest.h>

#include "rocescope/headers.hpp"
#include "support/roce_frame.hpp"

namespace rocescope::exchange_test {
namespace {

using testing::Buffer;

/// A message of `size` bytes: header, then `body`, then zeros.
Buffer message(unsigned type, std::size_t size, const char* body) {
  Buffer bytes = testing::hex("524c4142 01");
  testing::append(bytes, type, 1);
  testing::append(bytes, 0x0203, 2);
  testing::append(bytes, testing::hex(body));
  EXPECT_LE(bytes.size(), size);
  bytes.resize(size, 0);
  return bytes;
}

Buffer frame_of(const Buffer& message_bytes) { return testing::ud_frame(0x12, 0x34, kExchangeKey, message_bytes); }

struct Expected {
  const char* name;
  std::uint64_t number;
};

void expect_message(const Buffer& frame, HeaderKind kind, std::initializer_list<Expected> fields) {
  const Packet packet = testing::dissect_frame(frame);
  EXPECT_EQ(packet.stop.reason, StopReason::kNone);
  EXPECT_NE(packet.find(HeaderKind::kExchange), nullptr);
  EXPECT_NE(packet.find(kind), nullptr);
  EXPECT_EQ(packet.find(HeaderKind::kPayload), nullptr);
  for (const Expected& expected : fields) {
    const auto value = testing::value_of(packet, expected.name);
    if (!value) {
      ADD_FAILURE() << expected.name << " is not there";
    } else {
      EXPECT_EQ(value->number, expected.number) << expected.name;
    }
  }
}

TEST(Exchange, HeaderTellsTypeAndSequence) {
  const Buffer frame = frame_of(message(9, 32, ""));
  const Packet packet = testing::dissect_frame(frame);
  const Exchange exchange = *packet.header<Exchange>();
  EXPECT_EQ(exchange.magic(), kExchangeKey);
  EXPECT_EQ(exchange.version(), 1);
  EXPECT_EQ(exchange.type(), ExchangeType::kConnectionConfirm);
  EXPECT_EQ(exchange.sequence(), 0x0203);
  EXPECT_EQ(testing::value_of(packet, "rocescope.exchange.type")->meaning(), "CONNECTION_CONFIRM");
}

TEST(Exchange, DeviceDiscovery) {
  expect_message(
      frame_of(message(1, 32, "00000011 00000022")), HeaderKind::kExchangeDiscoveryReq,
      {{"rocescope.exchange.discovery_req.clientid", 0x11}, {"rocescope.exchange.discovery_req.capabilities", 0x22}});
  expect_message(frame_of(message(2, 64, "00000011 1122334455667788 00000400 00000800 0000000040000000 0000000b")),
                 HeaderKind::kExchangeDiscoveryResp,
                 {{"rocescope.exchange.discovery_resp.serverid", 0x11},
                  {"rocescope.exchange.discovery_resp.guid", 0x1122334455667788},
                  {"rocescope.exchange.discovery_resp.maxqps", 1024},
                  {"rocescope.exchange.discovery_resp.maxmrs", 2048},
                  {"rocescope.exchange.discovery_resp.maxmsgsize", 1U << 30},
                  {"rocescope.exchange.discovery_resp.transports.rc", 1},
                  {"rocescope.exchange.discovery_resp.transports.uc", 1},
                  {"rocescope.exchange.discovery_resp.transports.ud", 0},
                  {"rocescope.exchange.discovery_resp.transports.xrc", 1}});
}

TEST(Exchange, QueuePairs) {
  constexpr char kBody[] = "00000012 02 000000 00abcdef 00000080 00000081 00000002 00000003 00001000 00000016";
  expect_message(frame_of(message(3, 64, kBody)), HeaderKind::kExchangeQpCreateReq,
                 {{"rocescope.exchange.qp_create_req.qpn", 0x12},
                  {"rocescope.exchange.qp_create_req.type", 2},
                  {"rocescope.exchange.qp_create_req.startpsn", 0xabcdef},
                  {"rocescope.exchange.qp_create_req.maxsendwr", 0x80},
                  {"rocescope.exchange.qp_create_req.maxrecvwr", 0x81},
                  {"rocescope.exchange.qp_create_req.maxsendsge", 2},
                  {"rocescope.exchange.qp_create_req.maxrecvsge", 3},
                  {"rocescope.exchange.qp_create_req.mtu", 4096}});
  expect_message(frame_of(message(4, 64, kBody)), HeaderKind::kExchangeQpCreateResp,
                 {{"rocescope.exchange.qp_create_resp.qpn", 0x12},
                  {"rocescope.exchange.qp_create_resp.mtu", 4096},
                  {"rocescope.exchange.qp_create_resp.status", 0x16}});
}

TEST(Exchange, XrcTargetHasAReceiveQueue) {
  constexpr char kBody[] = "00000012 05 a1b2c3 00abcdef 00000000 00000081 00000001 00000001 00001000 00000000";
  expect_message(frame_of(message(4, 64, kBody)), HeaderKind::kExchangeQpCreateResp,
                 {{"rocescope.exchange.qp_create_resp.type", 5},
                  {"rocescope.exchange.qp_create_resp.xrcsrqn", 0xa1b2c3},
                  {"rocescope.exchange.qp_create_resp.startpsn", 0xabcdef}});
}

TEST(Exchange, MemoryRegions) {
  constexpr char kBody[] = "00000001 00007f0011223344 0000000000100000 00000007 00000005 000011aa 000022bb 0000000c";
  expect_message(frame_of(message(5, 64, kBody)), HeaderKind::kExchangeMrRegisterReq,
                 {{"rocescope.exchange.mr_register_req.regionid", 1},
                  {"rocescope.exchange.mr_register_req.va", 0x7f0011223344},
                  {"rocescope.exchange.mr_register_req.length", 0x100000},
                  {"rocescope.exchange.mr_register_req.access", 7},
                  {"rocescope.exchange.mr_register_req.pd", 5}});
  expect_message(frame_of(message(6, 64, kBody)), HeaderKind::kExchangeMrRegisterResp,
                 {{"rocescope.exchange.mr_register_resp.rkey", 0x11aa},
                  {"rocescope.exchange.mr_register_resp.lkey", 0x22bb},
                  {"rocescope.exchange.mr_register_resp.status", 12}});
}

TEST(Exchange, Connections) {
  constexpr char kBody[] =
      "00000012 00000013 1111111111111111 2222222222222222 000011aa 000022bb 0000000000010000 0e 07 06 00 00000009";
  expect_message(frame_of(message(7, 64, kBody)), HeaderKind::kExchangeConnectionReq,
                 {{"rocescope.exchange.connection_req.clientqpn", 0x12},
                  {"rocescope.exchange.connection_req.serverqpn", 0x13},
                  {"rocescope.exchange.connection_req.clientguid", 0x1111111111111111},
                  {"rocescope.exchange.connection_req.serverguid", 0x2222222222222222},
                  {"rocescope.exchange.connection_req.clientrkey", 0x11aa},
                  {"rocescope.exchange.connection_req.serverrkey", 0x22bb},
                  {"rocescope.exchange.connection_req.maxmsgsize", 65536},
                  {"rocescope.exchange.connection_req.timeout", 14},
                  {"rocescope.exchange.connection_req.retrycount", 7},
                  {"rocescope.exchange.connection_req.rnrretry", 6}});
  expect_message(
      frame_of(message(8, 64, kBody)), HeaderKind::kExchangeConnectionAccept,
      {{"rocescope.exchange.connection_accept.rnrretry", 6}, {"rocescope.exchange.connection_accept.status", 9}});
  expect_message(frame_of(message(9, 32, "00000012 00000013 00000004")), HeaderKind::kExchangeConnectionConfirm,
                 {{"rocescope.exchange.connection_confirm.clientqpn", 0x12},
                  {"rocescope.exchange.connection_confirm.serverqpn", 0x13},
                  {"rocescope.exchange.connection_confirm.status", 4}});
  const Buffer ready = frame_of(message(10, 32, "00000012 00000013 00000003"));
  expect_message(ready, HeaderKind::kExchangeConnectionReady,
                 {{"rocescope.exchange.connection_ready.clientqpn", 0x12},
                  {"rocescope.exchange.connection_ready.serverqpn", 0x13}});
  EXPECT_EQ(testing::value_of(testing::dissect_frame(ready), "rocescope.exchange.connection_ready.state")->meaning(),
            "RTS");
}

TEST(Exchange, MessagesFillThirtyTwoOrSixtyFourBytes) {
  for (const HeaderInfo& header : all_headers()) {
    if (!header.name.starts_with("rocescope.exchange.")) continue;
    EXPECT_TRUE(header.size == 24 || header.size == 56) << header.name;
  }
}

TEST(Exchange, SomebodyElsesDatagramsWithItsKeyArePayload) {
  for (const char* bytes : {"524c4143 01 01 0000", "00000000 00000000", "524c4142", ""}) {
    const Buffer payload = testing::hex(bytes);
    const Buffer frame = frame_of(payload);
    const Packet packet = testing::dissect_frame(frame);
    EXPECT_EQ(packet.stop.reason, StopReason::kNone);
    EXPECT_EQ(packet.find(HeaderKind::kExchange), nullptr);
    EXPECT_EQ(packet.find(HeaderKind::kPayload) != nullptr, !payload.empty());
  }
  const Buffer other_key = testing::ud_frame(0x12, 0x34, 0x11111111, message(1, 32, ""));
  EXPECT_EQ(testing::dissect_frame(other_key).find(HeaderKind::kExchange), nullptr);
}

TEST(Exchange, UnknownTypesAndVersionsLeaveTheirBytesAsPayload) {
  Buffer version = message(1, 32, "");
  version[4] = 2;
  for (const Buffer& bytes : {message(0, 32, ""), message(11, 64, ""), version}) {
    const Buffer frame = frame_of(bytes);
    const Packet packet = testing::dissect_frame(frame);
    EXPECT_EQ(packet.stop.reason, StopReason::kNone);
    EXPECT_NE(packet.find(HeaderKind::kExchange), nullptr);
    ASSERT_NE(packet.find(HeaderKind::kPayload), nullptr);
    EXPECT_EQ(packet.find(HeaderKind::kPayload)->length, bytes.size() - Exchange::kSize);
  }
}

TEST(Exchange, AShortMessageIsMalformedAndACutOneTruncated) {
  for (unsigned type = 1; type <= 10; ++type) {
    const std::size_t size = type == 1 || type >= 9 ? 32 : 64;
    const Buffer whole = message(type, size, "");
    for (std::size_t length = Exchange::kSize; length < size; length += 4) {
      const Buffer frame = frame_of(testing::cut(whole, length));
      const Packet packet = testing::dissect_frame(frame);
      EXPECT_EQ(packet.stop.reason, StopReason::kMalformed) << type;
      EXPECT_NE(packet.find(HeaderKind::kExchange), nullptr);
      EXPECT_NE(packet.find(HeaderKind::kIcrc), nullptr);
    }
    const Buffer frame = frame_of(whole);
    for (std::size_t captured = 0; captured < frame.size(); ++captured) {
      const Buffer kept = testing::cut(frame, captured);
      const Packet packet = testing::dissect_cut(kept, frame.size());
      EXPECT_EQ(packet.stop.reason, StopReason::kTruncated) << captured;
      EXPECT_EQ(packet.find(HeaderKind::kExchange) != nullptr, captured >= testing::kUdPayload + Exchange::kSize);
    }
  }
}

}  // namespace
}  // namespace rocescope::exchange_test
