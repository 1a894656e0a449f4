// Protocols of which the name is all that is found out. Layouts: RFC 7609 (SMC-R), Lustre's o2iblnd-idl.h
// and librdmacm's rsocket.c.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dissectors/message.hpp"
#include "dissectors/ulp/forms.hpp"
#include "support/command_stream.hpp"
#include "support/rds_message.hpp"
#include "support/rounds.hpp"
#include "ulp/guess.hpp"

namespace rocescope::named_forms_test {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;
using testing::rds;

void put(Buffer& message, std::size_t at, std::uint64_t value, std::size_t size, bool is_big = true) {
  for (std::size_t i = 0; i < size; ++i) {
    message[at + (is_big ? size - 1 - i : i)] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

/// Connection Data Control of SMC-R.
Buffer data_control(std::uint16_t number) {
  Buffer message(44);
  message[0] = 0xFE;
  message[1] = 44;
  put(message, 2, number, 2);
  put(message, 4, 0x0102'0304, 4);
  put(message, 12, number * 100U, 4);
  return message;
}

Buffer lustre(std::uint64_t cookie, bool is_big) {
  Buffer message(60);
  put(message, 0, 0x0BE9'1B91, 4, is_big);
  put(message, 4, 0x12, 2, is_big);
  message[6] = 0xD7;  // GET_DONE
  put(message, 8, 60, 4, is_big);
  put(message, 48, cookie, 8, is_big);
  return message;
}

/// 9P2000.L, Linux' net/9p: Tread and Rread in turn.
Buffer nine_p(std::uint32_t number) {
  Buffer message(number % 2 == 0 ? 23 : 11 + 32);
  put(message, 0, message.size(), 4, false);
  message[4] = number % 2 == 0 ? 116 : 117;
  put(message, 5, number / 2, 2, false);
  return message;
}

/// What a receiver of NCCL writes when it is ready, by version (src/transport/net_ib.cc, struct ncclIbSendFifo).
enum class Nccl : std::uint8_t { k2v7, k2v8, k2v12, k2v20, k2v24, k2v30 };
Buffer clear_to_send(Nccl version, std::uint64_t number, std::size_t buffers = 1) {
  struct Places {
    std::size_t size, length, key, buffers, number, tag;
  };
  static constexpr std::array<Places, 6> kPlaces{{{24, 4, 16, 20, 12, 0},
                                                  {32, 4, 16, 20, 12, 0},
                                                  {32, 4, 12, 16, 24, 20},
                                                  {64, 4, 12, 20, 32, 24},
                                                  {64, 8, 16, 32, 40, 36},
                                                  {64, 8, 16, 48, 56, 52}}};
  const Places& at = kPlaces[static_cast<std::size_t>(version)];
  Buffer message(at.size * buffers);
  for (std::size_t i = 0; i < buffers; ++i) {
    const std::size_t entry = i * at.size;
    put(message, entry, 0x7F12'3400'0000 + 0x10'0000 * (number % 8), 8, false);
    put(message, entry + 8, 0x8'0000, at.length, false);
    if (at.tag != 0) put(message, entry + at.tag, 0xABCD, 4, false);
    put(message, entry + at.number, number, at.tag != 0 ? 8 : 4, false);
    put(message, entry + at.key, 0x0018'1500 + i, 4, false);
    put(message, entry + at.buffers, buffers, 4, false);  // before 2.12: it is ready
  }
  return message;
}

template <class Make>
CommandReport report_of(Make make, std::uint32_t messages = 12) {
  CommandStream stream(0x100);
  for (std::uint32_t i = 0; i < messages; ++i) stream.send(i % 2, make(i));
  return follow_commands(stream.frames());
}

void expect(const CommandReport& report, UpperProtocol protocol) {
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, protocol);
  EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
  EXPECT_EQ(report.carried[0].commands, 0U);
  EXPECT_TRUE(report.commands.empty());
}

TEST(NamedForms, KnowsProtocolsBySeveralMessages) {
  expect(report_of([](std::uint32_t i) { return data_control(static_cast<std::uint16_t>(i)); }), UpperProtocol::kSmcR);
  expect(report_of([](std::uint32_t i) { return lustre(i, false); }), UpperProtocol::kLustre);
  expect(report_of([](std::uint32_t i) { return lustre(i, true); }), UpperProtocol::kLustre);
  expect(report_of(nine_p), UpperProtocol::kNineP);
}

// A length and a type are not enough: others have them as well.
TEST(NamedForms, BelievesNo9pWithoutResponses) {
  EXPECT_TRUE(report_of([](std::uint32_t i) { return nine_p(2 * i); }, 40).carried.empty());
  EXPECT_TRUE(report_of(
                  [](std::uint32_t i) {
                    Buffer message = nine_p(i);
                    put(message, 5, i, 2, false);  // each with a tag of its own
                    return message;
                  },
                  40)
                  .carried.empty());
}

TEST(NamedForms, KnowsToolsByTheirLines) {
  Handshake handshake;
  handshake.kind = HandshakeKind::kOob;
  EXPECT_EQ(guess_by_handshake(handshake).by, KnownBy::kNothing);  // lines of two forms
  handshake.line_form = KeyLineForm::kPingpong;
  EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kPingpong);
  handshake.line_form = KeyLineForm::kPerftest;
  EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kPerftest);
  EXPECT_EQ(guess_by_handshake(handshake).by, KnownBy::kKeyLines);
}

TEST(NamedForms, BelievesNoFewMessages) {
  EXPECT_TRUE(report_of([](std::uint32_t i) { return lustre(i, false); }, 7).carried.empty());
  EXPECT_TRUE(report_of([](std::uint32_t) { return lustre(1, false); }).carried.empty());  // the same again and again
}

TEST(NamedForms, BelievesNoStreamWithOtherMessages) {
  EXPECT_TRUE(report_of([](std::uint32_t i) {
                return i == 5 ? Buffer(44) : data_control(static_cast<std::uint16_t>(i));
              }).carried.empty());
}

// Messages of the link layer of SMC-R have the form, too: a link begins with them.
TEST(NamedForms, KnowsMessagesOfTheLinkLayer) {
  Buffer confirm_link(44);
  confirm_link[0] = 1;
  confirm_link[1] = 44;
  std::fill_n(confirm_link.begin() + 4, 31, std::uint8_t{0x5A});
  EXPECT_TRUE(has_form_of_smc_r(confirm_link, 44));
  confirm_link[43] = 1;
  EXPECT_FALSE(has_form_of_smc_r(confirm_link, 44));
  EXPECT_FALSE(has_form_of_smc_r(data_control(1), 45));
}

TEST(NamedForms, DoesNotBelieveRandomBytesBehindRightOnes) {
  std::mt19937 random(1);
  for (std::uint32_t each = 0; each < testing::rounds(3'000); ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 12; ++i) {
      Buffer bytes = each % 4 == 0   ? data_control(0)
                     : each % 4 == 1 ? lustre(0, true)
                     : each % 4 == 2 ? rds(1, 16)
                                     : nine_p(random() % 2);
      std::generate(bytes.begin() + (each % 2 == 1 ? 4 : 2), bytes.end(),
                    [&] { return static_cast<std::uint8_t>(random()); });
      stream.send(random() % 2, bytes);
    }
    EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
  }
}

TEST(NamedForms, KnowsPrivateDataOfRsockets) {
  Buffer data(40);
  data[0] = 1;
  put(data, 2, 384, 2);
  put(data, 8, 0x5555'0000'1000, 8);
  put(data, 16, 0x123, 4);
  put(data, 20, 2, 4);
  put(data, 24, 0x5555'0000'2000, 8);
  put(data, 32, 0x124, 4);
  put(data, 36, 65'536, 4);
  Handshake handshake;
  handshake.kind = HandshakeKind::kCm;
  handshake.service_id = 0x0106'1BDF;
  for (const std::size_t size : {40U, 39U, 38U}) {  // the zeros at its end are left out
    handshake.sides[0].private_data.assign(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kRsockets);
  }
  for (const std::size_t wrong : {0U, 1U, 4U, 6U, 20U}) {
    handshake.sides[0].private_data = data;
    handshake.sides[0].private_data[wrong] = 0x7F;
    EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kUnknown) << wrong;
  }
}

/// Of so many receives in a row, with their data.
CommandReport report_of_nccl(Nccl version, std::size_t buffers, std::uint64_t receives) {
  CommandStream stream(0x100);
  for (std::uint64_t i = 1; i <= receives; ++i) {
    stream.write(1, 0x1000 + 512 * static_cast<std::uint32_t>(i % 256), 0x77, clear_to_send(version, i, buffers));
    stream.write(0, 0x3400'0000, 0x0018'1500, Buffer(1024, 0xC3));
  }
  return follow_commands(stream.frames());
}

TEST(NamedForms, KnowsReceiversOfNccl) {
  for (const Nccl version : {Nccl::k2v7, Nccl::k2v8, Nccl::k2v12, Nccl::k2v20, Nccl::k2v24, Nccl::k2v30}) {
    SCOPED_TRACE(static_cast<int>(version));
    expect(report_of_nccl(version, 1, 4), UpperProtocol::kNccl);
    EXPECT_TRUE(report_of_nccl(version, 1, 3).carried.empty());
  }
  for (const Nccl version : {Nccl::k2v12, Nccl::k2v20, Nccl::k2v24, Nccl::k2v30}) {
    SCOPED_TRACE(static_cast<int>(version));
    expect(report_of_nccl(version, 3, 4), UpperProtocol::kNccl);
  }
}

TEST(NamedForms, KnowsNcclByWhereDataGo) {
  constexpr std::uint64_t kAddress = 0x3400'0000;
  for (const bool is_there : {false, true}) {
    CommandStream stream(0x100);
    for (std::uint64_t i = 1; i <= 2; ++i) {
      Buffer ready = clear_to_send(Nccl::k2v24, i);
      put(ready, 0, is_there ? kAddress : kAddress + 4096, 8, false);
      stream.write(1, 0x1000, 0x77, ready);
      stream.write(0, kAddress, 0x0018'1500, Buffer(1024, 0xC3));
    }
    if (is_there) expect(follow_commands(stream.frames()), UpperProtocol::kNccl);
    if (!is_there) {
      EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
    }
  }
}

TEST(NamedForms, DoubtsNcclWhereAReceiverCountsInNoOrder) {
  CommandStream stream(0x100);
  for (std::uint64_t i = 1; i <= 40; ++i) stream.write(1, 0x1000, 0x77, clear_to_send(Nccl::k2v24, 1000 - i));
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(NamedForms, DoubtsNcclWhereThereAreSends) {
  CommandStream stream(0x100);
  stream.write(1, 0x1000, 0x77, clear_to_send(Nccl::k2v24, 1));
  stream.send(0, Buffer(48, 0x11));
  for (std::uint64_t i = 2; i <= 40; ++i) stream.write(1, 0x1000, 0x77, clear_to_send(Nccl::k2v24, i));
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(NamedForms, LetsSendsSayWhatAWriteLikeOneOfNcclDoesNot) {
  CommandStream stream(0x100);
  stream.write(1, 0x1000, 0x77, clear_to_send(Nccl::k2v24, 1));
  for (std::uint16_t i = 0; i < 12; ++i) stream.send(0, data_control(i));
  expect(follow_commands(stream.frames()), UpperProtocol::kSmcR);
}

TEST(NamedForms, TakesNoRandomOrEmptyWriteForOneOfNccl) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1'000'000; ++i) {
    Buffer payload(i % 3 == 0 ? 24 : i % 3 == 1 ? 32 : 64);
    for (std::size_t at = 0; at < payload.size(); at += 8) put(payload, at, random(), 8);
    ASSERT_FALSE(has_form_of_nccl(payload, payload.size()));
  }
  for (const std::size_t size : {24U, 32U, 64U, 128U, 512U}) {
    EXPECT_FALSE(has_form_of_nccl(Buffer(size), size));
    EXPECT_FALSE(has_form_of_nccl(Buffer(size, 0x01), size));
    Buffer counts(size);
    for (std::size_t at = 0; at < size; ++at) counts[at] = static_cast<std::uint8_t>(at);
    EXPECT_FALSE(has_form_of_nccl(counts, size));
  }
}

TEST(NamedForms, KnowsPrivateDataOfLibfabric) {
  // captures/libfabric-rxm.pcapng, the REQ; zeros at the end are left out
  const Buffer data{24, 1, 2, 4, 3, 0x0D, 0x83, 1, 0, 0, 0x40, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0xBB};
  Handshake handshake;
  handshake.kind = HandshakeKind::kCm;
  handshake.service_id = 0x0106'8E55;
  handshake.sides[0].private_data = data;
  EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kLibfabric);
  EXPECT_EQ(guess_by_handshake(handshake).by, KnownBy::kPrivateData);
  for (const std::size_t wrong : {0U, 1U, 2U, 3U, 4U, 8U, 12U, 16U}) {
    handshake.sides[0].private_data = data;
    handshake.sides[0].private_data[wrong] = 0x7F;
    EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kUnknown) << wrong;
  }
  for (std::size_t size = 0; size <= 17; ++size) {
    handshake.sides[0].private_data.assign(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kUnknown) << size;
  }
}

}  // namespace rocescope::named_forms_test
