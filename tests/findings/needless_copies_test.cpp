// Requests that were sent again before an ACK could be missed: needless, if their receiver answered original and copy.
#include <gmock/gmock.h>

#include "made_capture.hpp"

namespace rocescope {
namespace {

using ::testing::HasSubstr;

/// Packets whose host numbers them, so that none is the copy of another.
class NumberedHosts {
 public:
  std::uint64_t send(std::uint32_t psn, std::int64_t after) {
    testing::RcPacket packet{.psn = psn, .after_bth = testing::Buffer(8), .dest_qp = 0x12};
    return capture_.add(numbered(testing::rc_packet(packet)), after);
  }
  std::uint64_t acknowledge(std::uint32_t psn, std::int64_t after, std::uint8_t credits = 0x1F) {
    testing::RcPacket packet{.opcode = testing::rc::kAcknowledge,
                             .psn = psn,
                             .after_bth = testing::aeth(credits, psn),
                             .dest_qp = 0x11,
                             .from = 2,
                             .to = 1};
    return capture_.add(numbered(testing::rc_packet(packet)), after);
  }
  void exchange(std::uint32_t from, std::uint32_t behind) {
    for (std::uint32_t psn = from; psn < behind; ++psn) {
      send(psn, 100'000);
      acknowledge(psn, 5'000);
    }
  }
  [[nodiscard]] std::vector<Finding> needless() const { return capture_.findings(FindingId::kSpuriousRetransmission); }

 private:
  testing::Buffer numbered(testing::Buffer frame) {
    constexpr std::size_t kIdentification = 18;
    ++number_;
    frame[kIdentification] = static_cast<std::uint8_t>(number_ >> 8);
    frame[kIdentification + 1] = static_cast<std::uint8_t>(number_);
    return testing::seal(std::move(frame));
  }

  testing::MadeCapture capture_;
  std::uint16_t number_ = 0;
};

TEST(NeedlessCopies, AreThoseThatTheReceiverAnsweredToo) {
  NumberedHosts hosts;
  hosts.exchange(1, 20);
  hosts.send(20, 100'000);
  const std::uint64_t copy = hosts.send(20, 70'000);
  hosts.acknowledge(20, 5'000);
  EXPECT_TRUE(hosts.needless().empty());
  hosts.acknowledge(20, 65'000);
  hosts.exchange(21, 40);
  const auto found = hosts.needless();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].what, HasSubstr("1 packet sent again needlessly: the receiver answered both copies"));
  EXPECT_EQ(testing::packets_of(found[0]), std::vector<std::uint64_t>{copy});
}

TEST(NeedlessCopies, AreKnownByOneAnswerMoreWhereTheFirstPassedBefore) {
  NumberedHosts hosts;
  hosts.exchange(1, 20);
  hosts.send(20, 100'000);
  hosts.acknowledge(20, 5'000);
  const std::uint64_t copy = hosts.send(20, 65'000);
  EXPECT_TRUE(hosts.needless().empty());
  hosts.acknowledge(20, 5'000);
  const auto found = hosts.needless();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(testing::packets_of(found[0]), std::vector<std::uint64_t>{copy});
}

TEST(NeedlessCopies, AreNoneOfATimeout) {
  NumberedHosts hosts;
  hosts.exchange(1, 20);
  hosts.send(20, 100'000);
  hosts.send(20, 67'000'000);
  hosts.acknowledge(20, 5'000);
  hosts.acknowledge(20, 65'000);
  EXPECT_TRUE(hosts.needless().empty());
}

TEST(NeedlessCopies, AreNotShownByAnAckThatGivesCredits) {
  NumberedHosts hosts;
  hosts.exchange(1, 20);
  hosts.send(20, 100'000);
  hosts.send(20, 70'000);
  hosts.acknowledge(20, 5'000, 0x01);
  hosts.acknowledge(20, 65'000, 0x05);
  EXPECT_TRUE(hosts.needless().empty());
}

TEST(NeedlessCopies, AreNotShownByAnswersMuchLater) {
  NumberedHosts hosts;
  hosts.exchange(1, 20);
  hosts.send(20, 100'000);
  hosts.send(20, 70'000);
  hosts.acknowledge(20, 5'000);
  hosts.acknowledge(20, 2'000'000'000);
  EXPECT_TRUE(hosts.needless().empty());
}

TEST(NeedlessCopies, AreTheLastOnesOfSeveral) {
  NumberedHosts hosts;
  hosts.exchange(1, 20);
  hosts.send(20, 100'000);
  hosts.send(20, 70'000);
  const std::uint64_t last = hosts.send(20, 70'000);
  hosts.acknowledge(20, 5'000);
  hosts.acknowledge(20, 65'000);
  const auto found = hosts.needless();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(testing::packets_of(found[0]), std::vector<std::uint64_t>{last});
}

/// Two ways to know it: of the first copy the ACK had passed, of the second the receiver answered original and copy.
TEST(NeedlessCopies, SayOfHowManyBothWereAnswered) {
  NumberedHosts hosts;
  hosts.exchange(1, 20);
  hosts.send(20, 500'000);
  hosts.acknowledge(20, 5'000);
  hosts.send(20, 200'000);
  hosts.exchange(21, 30);
  hosts.send(30, 100'000);
  hosts.send(30, 70'000);
  hosts.acknowledge(30, 5'000);
  hosts.acknowledge(30, 65'000);
  const auto found = hosts.needless();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].what, HasSubstr("2 packets sent again needlessly: of 1 the receiver answered both copies"));
}

}  // namespace
}  // namespace rocescope
