// SMB Direct. Expectations come from the layouts of MS-SMBD 2.2 and MS-SMB2 2.2; tests/oracle/smb_commands_test.py
// has tshark as a witness.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "dissectors/message.hpp"
#include "dissectors/ulp/forms.hpp"
#include "dissectors/ulp/smb_direct/smb_message.hpp"
#include "rocescope/headers/smb2.hpp"
#include "rocescope/headers/smb_direct.hpp"
#include "support/command_stream.hpp"
#include "support/rounds.hpp"
#include "ulp/guess.hpp"

namespace rocescope::smb_connection_test {

using testing::Buffer;
using testing::CommandStream;
using testing::follow_commands;

constexpr std::uint16_t kRead = 8;
constexpr std::uint16_t kWrite = 9;
constexpr std::uint16_t kCancel = 12;
constexpr std::uint16_t kNotify = 15;
constexpr std::uint32_t kResponse = 1;
constexpr std::uint32_t kAsync = 2;

void put(Buffer& message, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) message[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// A data transfer message.
Buffer transfer(Bytes body, std::uint32_t remaining = 0, std::uint16_t granted = 1) {
  Buffer message(body.empty() ? 20 : 24);
  put(message, 0, 255, 2);
  put(message, 2, granted, 2);
  put(message, 8, remaining, 4);
  put(message, 12, body.empty() ? 0 : 24, 4);
  put(message, 16, body.size(), 4);
  message.insert(message.end(), body.begin(), body.end());
  return message;
}

Buffer header(std::uint16_t command, std::uint64_t id, std::uint32_t flags = 0, std::uint32_t status = 0) {
  Buffer message(64);
  message[0] = 0xFE;
  message[1] = 'S';
  message[2] = 'M';
  message[3] = 'B';
  put(message, 4, 64, 2);
  put(message, 6, 1, 2);
  put(message, 8, status, 4);
  put(message, 12, command, 2);
  put(message, 14, 10, 2);
  put(message, 16, flags, 4);
  put(message, 24, id, 8);
  put(message, 36, 7, 4);  // Tree ID
  return message;
}

/// Of 4096 bytes at 65536, into memory at 0x1000.
Buffer read_request(std::uint64_t id, std::uint32_t key = 0x77) {
  Buffer message = header(kRead, id);
  message.resize(64 + 48 + 16);
  put(message, 64, 49, 2);
  put(message, 68, 4096, 4);
  put(message, 72, 65'536, 8);
  put(message, 80, id, 8);  // File ID
  put(message, 100, 1, 4);  // RDMA V1
  put(message, 108, 112, 2);
  put(message, 110, 16, 2);
  put(message, 112, 0x1000, 8);
  put(message, 120, key, 4);
  put(message, 124, 4096, 4);
  return message;
}

Buffer write_request(std::uint64_t id, std::size_t size) {
  Buffer message = header(kWrite, id);
  message.resize(64 + 48 + size);
  put(message, 64, 49, 2);
  put(message, 66, 112, 2);
  put(message, 68, size, 4);
  return message;
}

Buffer response(std::uint16_t command, std::uint64_t id, std::uint32_t status = 0, std::uint32_t flags = 0) {
  Buffer message = header(command, id, kResponse | flags, status);
  message.resize(64 + 16);
  put(message, 64, status == 0 ? 17 : 9, 2);
  return message;
}

Buffer request() {
  Buffer message(20);
  put(message, 0, 0x0100, 2);
  put(message, 2, 0x0100, 2);
  put(message, 6, 255, 2);
  put(message, 8, 1364, 4);
  put(message, 12, 8192, 4);
  put(message, 16, 1'048'576, 4);
  return message;
}

/// Enough for the form of its messages to tell what the connection carries.
void begin(CommandStream& stream) {
  for (std::uint64_t id = 1; id < 5; ++id) {
    stream.send(0, transfer(read_request(id)));
    stream.send(1, transfer(response(kRead, id)));
  }
}

Command with_id(const CommandReport& report, std::uint64_t id) {
  return *std::ranges::find(report.commands, id, &Command::id);
}

TEST(SmbConnection, KnowsCommandsByTheirForm) {
  CommandStream stream(0x100);
  begin(stream);
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.carried.size(), 1U);
  EXPECT_EQ(report.carried[0].protocol, UpperProtocol::kSmbDirect);
  EXPECT_EQ(report.carried[0].known_by, KnownBy::kShape);
  EXPECT_EQ(report.carried[0].initiator, 0);
  EXPECT_EQ(report.carried[0].unreadable, 0U);
  ASSERT_EQ(report.commands.size(), 4U);
  const Command& read = report.commands[0];
  EXPECT_EQ(read.operation, "Read");
  EXPECT_EQ(read.target, 7U);
  EXPECT_EQ(read.offset, 65'536U);
  EXPECT_EQ(read.bytes, 4096U);
  EXPECT_EQ(read.kind, CommandKind::kIo);
  EXPECT_EQ(read.outcome, CommandOutcome::kSucceeded);
}

TEST(SmbConnection, IsNotBelievedAfterAFewMessages) {
  CommandStream stream(0x100);
  for (std::uint64_t id = 1; id < 3; ++id) {
    stream.send(0, transfer(read_request(id)));
    stream.send(1, transfer(response(kRead, id)));
  }
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

// A counter and zeros are no credits of SMB Direct.
TEST(SmbConnection, IsNotBelievedByCreditsAlone) {
  CommandStream stream(0x100);
  for (std::uint16_t i = 1; i < 80; ++i) stream.send(i % 2U, transfer({}, 0, i));
  EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
}

TEST(SmbConnection, TiesDataToCommandsByDescriptors) {
  CommandStream stream(0x100);
  begin(stream);
  stream.send(0, transfer(read_request(9, 0x99)));
  stream.write(1, 0x1000, 0x99, Buffer(512));
  stream.write(1, 0x1200, 0x99, Buffer(256));
  stream.write(1, 0x2000, 0x99, Buffer(128));  // behind its 4096 bytes
  stream.write(1, 0x1000, 0x98, Buffer(64));   // another key
  stream.send(1, transfer(response(kRead, 9)));
  EXPECT_EQ(with_id(follow_commands(stream.frames()), 9).data_bytes, 768U);
}

TEST(SmbConnection, PutsFragmentsTogether) {
  CommandStream stream(0x100);
  begin(stream);
  const Buffer whole = write_request(9, 3000);
  for (std::size_t at = 0; at < whole.size(); at += 1000) {
    const std::size_t size = std::min<std::size_t>(1000, whole.size() - at);
    stream.send(0, transfer(Bytes(whole).subspan(at, size), static_cast<std::uint32_t>(whole.size() - at - size)));
  }
  stream.send(1, transfer(response(kWrite, 9)));
  const CommandReport report = follow_commands(stream.frames());
  const Command& write = with_id(report, 9);
  EXPECT_EQ(write.bytes, 3000U);
  EXPECT_TRUE(write.in_capsule);
  EXPECT_EQ(write.outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(write.request_packet, 17U);  // of its first fragment
  EXPECT_EQ(write.issued, 17'000);
  EXPECT_EQ(write.acknowledged, 24'000);  // of its last
  EXPECT_EQ(report.carried[0].unreadable, 0U);
}

// A chain of Create, Query Info and Close of a file that does not exist: the status of those behind says nothing of its
// own (MS-SMB2, 3.3.5.2.7.2).
TEST(SmbConnection, BlamesNoCommandForTheOneBeforeIt) {
  constexpr std::uint16_t kCreate = 5;
  constexpr std::uint16_t kClose = 6;
  constexpr std::uint32_t kRelated = 4;
  constexpr std::uint32_t kNotFound = 0xC0000034;
  constexpr std::uint32_t kFileClosed = 0xC0000128;
  CommandStream stream(0x100);
  begin(stream);
  for (const std::uint32_t first : {kNotFound, std::uint32_t{0}}) {
    const std::uint64_t id = first == 0 ? 20 : 10;
    const auto chain = [&](bool is_response) {
      Buffer all = is_response ? response(kCreate, id, first) : header(kCreate, id);
      all.resize(128);
      put(all, 20, 128, 4);
      const Buffer second =
          is_response ? response(kClose, id + 1, kFileClosed, kRelated) : header(kClose, id + 1, kRelated);
      all.insert(all.end(), second.begin(), second.end());
      return all;
    };
    stream.send(0, transfer(chain(false)));
    stream.send(1, transfer(chain(true)));
  }
  const CommandReport report = follow_commands(stream.frames());
  EXPECT_EQ(with_id(report, 11).outcome, CommandOutcome::kFailed);
  EXPECT_TRUE(with_id(report, 11).is_answer);
  EXPECT_FALSE(with_id(report, 21).is_answer);
}

/// Of a connection whose client gets two credits from the Negotiate, and each response of the server brings one.
class Credits : public ::testing::Test {
 protected:
  Credits() {
    stream_.send(0, request());
    Buffer negotiated(32);
    put(negotiated, 0, 0x0100, 2);
    put(negotiated, 2, 0x0100, 2);
    put(negotiated, 4, 0x0100, 2);
    put(negotiated, 8, 255, 2);
    put(negotiated, 10, 2, 2);
    put(negotiated, 16, 1 << 20, 4);
    put(negotiated, 20, 1364, 4);
    put(negotiated, 24, 1364, 4);
    put(negotiated, 28, 1 << 20, 4);
    stream_.send(1, negotiated);
    for (std::uint64_t id = 1; id < 5; ++id) {
      stream_.send(0, transfer(read_request(id), 0, 8));
      stream_.send(1, transfer(response(kRead, id)));
    }
  }
  /// The next message comes so much later, in nanoseconds.
  void wait(std::int64_t time) { waits_.emplace_back(stream_.frames().size(), time); }
  [[nodiscard]] std::array<CommandTroubles::Times, 2> found() const {
    std::vector<Frame> frames = stream_.frames();
    for (const auto& [from, time] : waits_) {
      for (std::size_t i = from; i < frames.size(); ++i) frames[i].timestamp += time;
    }
    CommandWatch watch;
    testing::follow(frames, watch);
    const auto place = watch.troubles().find(1);
    if (place == watch.troubles().end()) return {};
    constexpr auto kNoCredits = CommandTroubles::Event::kNoCredits;
    return {place->second.at(0, kNoCredits), place->second.at(1, kNoCredits)};
  }
  /// A message of SMB in three fragments, of which the client can send two.
  void send_fragments() {
    const Buffer whole = write_request(9, 300 - 112);
    stream_.send(0, transfer(Bytes(whole).first(100), 200));
    stream_.send(0, transfer(Bytes(whole).subspan(100, 100), 100));
    wait(5'000'000);
    stream_.send(1, transfer({}, 0, 3));
    wait(2'000'000);
    stream_.send(0, transfer(Bytes(whole).last(100)));
  }

  CommandStream stream_{0x100};
  std::vector<std::pair<std::size_t, std::int64_t>> waits_;
};

TEST_F(Credits, AreWaitedForInTheMiddleOfAMessage) {
  send_fragments();
  const auto [client, server] = found();
  EXPECT_EQ(client.seen.count, 1U);
  EXPECT_EQ(client.longest, 5'002'000);  // a packet, and the ACK before it
  EXPECT_EQ(client.seen.packets[0], 25U);
  EXPECT_EQ(server.seen.count, 0U);
}

TEST_F(Credits, AreWaitedForByWhoSendsAtOnceWhenThereAreSome) {
  stream_.send(0, transfer(read_request(9)));
  stream_.send(0, transfer(read_request(10)));
  wait(7'000'000);
  stream_.send(1, transfer(response(kRead, 9)));
  stream_.send(0, transfer(read_request(11)));
  EXPECT_EQ(found()[0].total, 7'002'000);
}

// The peer has no buffer left either, and grants no more: both wait for ever.
TEST_F(Credits, AreWaitedForInVain) {
  const Buffer whole = write_request(9, 300 - 112);
  stream_.send(0, transfer(Bytes(whole).first(100), 200));
  stream_.send(0, transfer(Bytes(whole).subspan(100, 100), 100));
  wait(90'000'000'000);
  stream_.send(1, transfer(response(kRead, 4), 0, 0));
  EXPECT_EQ(found()[0].longest, 90'000'002'000);
  EXPECT_EQ(found()[0].seen.packets[0], 25U);
}

TEST_F(Credits, AreNotWaitedForByWhoHasNothingToSend) {
  stream_.send(0, transfer(read_request(9)));
  stream_.send(0, transfer(read_request(10)));
  wait(7'000'000);
  stream_.send(1, transfer(response(kRead, 9)));
  wait(3'000'000);
  stream_.send(0, transfer(read_request(11)));
  EXPECT_EQ(found()[0].total, 0);
}

TEST_F(Credits, AreNotWaitedForWhereThereAreSome) {
  stream_.send(0, transfer(read_request(9)));
  wait(7'000'000);
  stream_.send(1, transfer(response(kRead, 9)));
  stream_.send(0, transfer(read_request(10)));
  EXPECT_EQ(found()[0].total, 0);
}

// A message that needs more credits than there can be: a grant was not seen.
TEST_F(Credits, AreNotCountedWhereAGrantIsMissing) {
  for (std::uint64_t id = 9; id < 12; ++id) stream_.send(0, transfer(read_request(id)));
  for (std::uint64_t id = 9; id < 12; ++id) stream_.send(1, transfer(response(kRead, id)));
  send_fragments();
  EXPECT_EQ(found()[0].total, 0);
}

// The rest of a message whose beginning is missing is none, and what comes behind is read all the same.
TEST(SmbConnection, SkipsFragmentsWithoutABeginning) {
  CommandStream stream(0x100);
  begin(stream);
  stream.send(0, transfer(Buffer(100), 200));
  stream.send(0, transfer(Buffer(200)));
  stream.send(0, transfer(write_request(9, 100), 50));  // of which the end is missing
  stream.send(0, transfer(read_request(10)));
  stream.send(1, transfer(response(kRead, 10)));
  const CommandReport report = follow_commands(stream.frames());
  EXPECT_EQ(report.commands.size(), 5U);
  EXPECT_EQ(with_id(report, 10).outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(report.carried[0].unreadable, 3U);
}

TEST(SmbConnection, FollowsCommandsInAChain) {
  CommandStream stream(0x100);
  begin(stream);
  Buffer chain = read_request(9, 0x91);
  put(chain, 20, chain.size(), 4);
  const Buffer second = read_request(10, 0x92);
  chain.insert(chain.end(), second.begin(), second.end());
  stream.send(0, transfer(chain));
  Buffer answers = response(kRead, 9);
  put(answers, 20, answers.size(), 4);
  const Buffer last = response(kRead, 10, 0xC0000185);
  answers.insert(answers.end(), last.begin(), last.end());
  stream.send(1, transfer(answers));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 6U);
  EXPECT_EQ(with_id(report, 9).outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(with_id(report, 10).outcome, CommandOutcome::kFailed);
  EXPECT_EQ(with_id(report, 10).status_name, "STATUS_IO_DEVICE_ERROR");
  for (const std::uint64_t id : {9U, 10U}) {
    EXPECT_EQ(with_id(report, id).request_packet, 17U);
    EXPECT_EQ(with_id(report, id).acknowledged, 18'000);
    EXPECT_EQ(with_id(report, id).response_packet, 19U);
  }
}

TEST(SmbConnection, WaitsForTheFinalResponse) {
  CommandStream stream(0x100);
  begin(stream);
  stream.send(0, transfer(header(kNotify, 9)));
  stream.send(1, transfer(response(kNotify, 9, 0x103, kAsync)));
  stream.send(0, transfer(header(kCancel, 9, kAsync)));
  stream.send(1, transfer(response(kNotify, 9, 0xC0000120, kAsync)));
  const CommandReport report = follow_commands(stream.frames());
  ASSERT_EQ(report.commands.size(), 6U);
  const auto notify = std::ranges::find(report.commands, "Change Notify", &Command::operation);
  EXPECT_EQ(notify->status, 0xC0000120U);
  EXPECT_EQ(notify->response_packet, 23U);
  EXPECT_TRUE(notify->is_answer);
  EXPECT_EQ(std::ranges::count(report.commands, "Cancel", &Command::operation), 1);
}

TEST(SmbConnection, TellsFailuresFromAnswers) {
  EXPECT_TRUE(is_smb_success(0));
  EXPECT_TRUE(is_smb_success(0x103));
  EXPECT_TRUE(is_smb_success(0xC0000016));
  EXPECT_FALSE(is_smb_success(0xC0000034));
  EXPECT_TRUE(is_smb_answer(0xC0000034, false));   // a file is not there
  EXPECT_TRUE(is_smb_answer(0xC0000011, true));    // its end
  EXPECT_FALSE(is_smb_answer(0xC000007F, false));  // the disk is full
  EXPECT_FALSE(is_smb_answer(0xC0000022, true));   // a READ is denied
  CommandStream stream(0x100);
  begin(stream);
  stream.send(0, transfer(header(1, 9)));
  stream.send(1, transfer(response(1, 9, 0xC0000016)));
  stream.send(0, transfer(header(1, 10)));
  stream.send(1, transfer(response(1, 10, 0xC000006D)));
  const CommandReport report = follow_commands(stream.frames());
  EXPECT_EQ(with_id(report, 9).outcome, CommandOutcome::kSucceeded);
  EXPECT_EQ(with_id(report, 10).outcome, CommandOutcome::kFailed);
  EXPECT_EQ(with_id(report, 10).kind, CommandKind::kConnect);
  EXPECT_FALSE(with_id(report, 10).is_answer);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures[0].status_name, "STATUS_LOGON_FAILURE");
}

TEST(SmbConnection, CountsWhatIsEncrypted) {
  CommandStream stream(0x100);
  begin(stream);
  Buffer hidden(200);
  std::ranges::copy(std::string_view("\xFDSMB"), hidden.begin());
  stream.send(0, transfer(hidden));
  const CommandReport report = follow_commands(stream.frames());
  EXPECT_EQ(report.carried[0].encrypted, 1U);
  EXPECT_EQ(report.carried[0].commands, 4U);
  EXPECT_EQ(report.carried[0].unreadable, 0U);
}

TEST(SmbConnection, KnowsThePort) {
  Handshake handshake;
  handshake.kind = HandshakeKind::kCm;
  for (const std::uint64_t port : {445U, 5445U}) {
    handshake.service_id = 0x0106'0000 + port;
    EXPECT_EQ(guess_by_handshake(handshake).protocol, UpperProtocol::kSmbDirect);
    EXPECT_EQ(guess_by_handshake(handshake).by, KnownBy::kServiceId);
  }
}

TEST(SmbConnection, ShowsLayersOfEachLength) {
  const Buffer read = transfer(read_request(9));
  const Buffer frame(64);
  for (std::size_t size = 0; size <= read.size(); ++size) {  // reads nothing behind what is there
    const Buffer cut(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(size));
    Packet packet;
    dissect({.data = frame, .original_length = 64}, packet);
    dissect_message(MessageProtocol::kSmbDirect, cut, packet);
    EXPECT_EQ(packet.find(HeaderKind::kSmbDirectData) != nullptr, size >= 24) << size;
    EXPECT_EQ(packet.find(HeaderKind::kSmbHeader) != nullptr, size >= 24 + 64) << size;
    EXPECT_EQ(packet.find(HeaderKind::kSmbReadRequest) != nullptr, size >= 24 + 64 + 48) << size;
    EXPECT_EQ(packet.find(HeaderKind::kSmbDescriptor) != nullptr, size >= read.size()) << size;
  }
}

TEST(SmbConnection, BelievesNoLengthThatLies) {
  EXPECT_TRUE(has_form_of_smb_direct(request(), 20));
  EXPECT_FALSE(has_form_of_smb_direct(request(), 24));
  const Buffer right = transfer(read_request(9));
  EXPECT_TRUE(has_form_of_smb_direct(right, right.size()));
  EXPECT_FALSE(has_form_of_smb_direct(right, right.size() + 4));
  for (const std::size_t wrong : {4U, 6U, 11U, 12U, 16U, 19U}) {
    Buffer lying = right;
    lying[wrong] = static_cast<std::uint8_t>(lying[wrong] ^ 0x80U);
    EXPECT_FALSE(has_form_of_smb_direct(lying, lying.size())) << wrong;
  }
  // Descriptors, names and chains that reach behind the message.
  Buffer far = read_request(9);
  put(far, 110, 0xFFFF, 2);
  EXPECT_EQ(smb_messages_of(far)[0].memory.size(), 1U);
  put(far, 108, 0xFFF0, 2);
  EXPECT_TRUE(smb_messages_of(far)[0].memory.empty());
  put(far, 20, 0xFFFFFFF8, 4);
  EXPECT_EQ(smb_messages_of(far).size(), 1U);
  Buffer endless = header(kRead, 1);
  for (int i = 0; i < 200; ++i) {
    put(endless, endless.size() - 64 + 20, 64, 4);
    const Buffer next = header(kRead, 1);
    endless.insert(endless.end(), next.begin(), next.end());
  }
  EXPECT_EQ(smb_messages_of(endless).size(), kMostSmbChained);
}

// Headers of SMB Direct with wrong bytes in them, and right ones with random bytes behind.
TEST(SmbConnection, DoesNotBelieveRandomBytesBehindRightOnes) {
  std::mt19937 random(1);
  for (std::uint32_t each = 0; each < testing::rounds(3'000); ++each) {
    CommandStream stream(0x1000 + 2 * each);
    for (std::size_t i = 0; i < 12; ++i) {
      Buffer bytes(20 + random() % 200);
      std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
      put(bytes, 0, 0x00FF, 2);
      if (each % 2 == 0) put(bytes, 4, 0, 4);
      stream.send(random() % 2, bytes);
    }
    EXPECT_TRUE(follow_commands(stream.frames()).carried.empty());
  }
}

}  // namespace rocescope::smb_connection_test
