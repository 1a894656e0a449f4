#include "core/exchange_messages.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rocescope::rdmagen {
namespace {

/// Bytes of hexadecimal digits; spaces do not count; zeros up to `size`.
std::vector<std::uint8_t> message_bytes(std::size_t size, const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c != ' ') digits += c;
  }
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  }
  EXPECT_LE(bytes.size(), size);
  bytes.resize(size, 0);
  return bytes;
}

struct Case {
  const char* name;
  ExchangeBody body;
  std::size_t size;
  const char* text;
};

QpCreate some_qp() {
  return {.qpn = 0x000011,
          .qp_type = 2,
          .starting_psn = 0xabcdef,
          .max_send_wr = 0x80,
          .max_recv_wr = 0x81,
          .max_send_sge = 1,
          .max_recv_sge = 2,
          .path_mtu = 1024};
}

QpCreate some_xrc_target() {
  QpCreate qp = some_qp();
  qp.qp_type = 5;
  qp.xrc_srqn = 0xa1b2c3;
  qp.max_send_wr = 0;
  return qp;
}

MrRegister some_region() {
  return {.region_id = 7,
          .virtual_address = 0x1122334455667788,
          .length = 0x0000000100000002,
          .access_flags = 0xf,
          .protection_domain = 9};
}

ConnectionParameters some_connection() {
  return {.client_qpn = 0x11,
          .server_qpn = 0x12,
          .client_guid = 0x1112131415161718,
          .server_guid = 0x2122232425262728,
          .client_rkey = 0x31323334,
          .server_rkey = 0x41424344,
          .max_message_size = 0x0000000040000000,
          .timeout = 14,
          .retry_count = 7,
          .rnr_retry = 6};
}

// Written by hand from the specification of the exchange; every message has sequence 0x0102.
std::vector<Case> cases() {
  const char* qp = "524c4142 01 03 0102 00000011 02 000000 00abcdef 00000080 00000081 00000001 00000002 00000400";
  const char* qp_resp =
      "524c4142 01 04 0102 00000011 02 000000 00abcdef 00000080 00000081 00000001 00000002 00000400 00000002";
  const char* mr = "524c4142 01 05 0102 00000007 1122334455667788 0000000100000002 0000000f 00000009";
  const char* mr_resp =
      "524c4142 01 06 0102 00000007 1122334455667788 0000000100000002 0000000f 00000009 51525354 61626364 00000000";
  const char* connection =
      "524c4142 01 07 0102 00000011 00000012 1112131415161718 2122232425262728 31323334 41424344 0000000040000000 0e "
      "07 06";
  const char* accept =
      "524c4142 01 08 0102 00000011 00000012 1112131415161718 2122232425262728 31323334 41424344 0000000040000000 0e "
      "07 06 "
      "00 00000001";
  return {
      {"DEVICE_DISCOVERY_REQ", DeviceDiscoveryReq{0x01020304, 0x05060708}, 32, "524c4142 01 01 0102 01020304 05060708"},
      {"DEVICE_DISCOVERY_RESP", DeviceDiscoveryResp{0x01020304, 0x1112131415161718, 0x100, 0x200, 0x40000000, 7}, 64,
       "524c4142 01 02 0102 01020304 1112131415161718 00000100 00000200 0000000040000000 00000007"},
      {"QP_CREATE_REQ", QpCreateReq{some_qp()}, 64, qp},
      {"QP_CREATE_RESP", QpCreateResp{some_qp(), ExchangeStatus::kFailed}, 64, qp_resp},
      {"QP_CREATE_RESP", QpCreateResp{some_xrc_target(), ExchangeStatus::kDone}, 64,
       "524c4142 01 04 0102 00000011 05 a1b2c3 00abcdef 00000000 00000081 00000001 00000002 00000400 00000000"},
      {"MR_REGISTER_REQ", MrRegisterReq{some_region()}, 64, mr},
      {"MR_REGISTER_RESP", MrRegisterResp{some_region(), 0x51525354, 0x61626364, ExchangeStatus::kDone}, 64, mr_resp},
      {"CONNECTION_REQ", ConnectionReq{some_connection()}, 64, connection},
      {"CONNECTION_ACCEPT", ConnectionAccept{some_connection(), ExchangeStatus::kRejected}, 64, accept},
      {"CONNECTION_CONFIRM", ConnectionConfirm{0x11, 0x12, ExchangeStatus::kDone}, 32,
       "524c4142 01 09 0102 00000011 00000012 00000000"},
      {"CONNECTION_READY", ConnectionReady{0x11, 0x12, 3}, 32, "524c4142 01 0a 0102 00000011 00000012 00000003"},
  };
}

TEST(ExchangeMessages, AreWrittenByteByByteAsSpecified) {
  for (const Case& message : cases()) {
    EXPECT_EQ(encode({0x0102, message.body}), message_bytes(message.size, message.text)) << message.name;
    EXPECT_EQ(name_of(message.body), message.name);
  }
}

TEST(ExchangeMessages, AreReadByteByByteAsSpecified) {
  for (const Case& message : cases()) {
    const auto read = decode_exchange(message_bytes(message.size, message.text));
    ASSERT_TRUE(read) << message.name;
    EXPECT_EQ(*read, (ExchangeMessage{0x0102, message.body})) << message.name;
  }
}

TEST(ExchangeMessages, OfAnotherLengthAreNone) {
  for (const Case& message : cases()) {
    const auto bytes = message_bytes(message.size, message.text);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(decode_exchange(std::span(bytes).first(size))) << message.name << ' ' << size;
    }
    auto longer = bytes;
    longer.push_back(0);
    EXPECT_FALSE(decode_exchange(longer)) << message.name;
  }
}

TEST(ExchangeMessages, OfAnotherMagicVersionOrTypeAreNone) {
  const auto good = message_bytes(32, cases()[0].text);
  for (const std::size_t at : {0U, 3U, 4U}) {
    auto bytes = good;
    ++bytes[at];
    EXPECT_FALSE(decode_exchange(bytes)) << at;
  }
  for (const unsigned type : {0U, 11U, 255U}) {
    auto bytes = good;
    bytes[5] = static_cast<std::uint8_t>(type);
    EXPECT_FALSE(decode_exchange(bytes)) << type;
  }
}

}  // namespace
}  // namespace rocescope::rdmagen
