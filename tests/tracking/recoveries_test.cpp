// Where packets that come again belong, without anything that finds out that they do.
#include "tracking/requests/recoveries.hpp"

#include <gtest/gtest.h>

#include "stream_parts.hpp"

namespace rocescope {
namespace {

using namespace testing;

/// Ten SENDs from PSN 10 on, a microsecond apart.
class RecoveriesTest : public ::testing::Test {
 protected:
  RecoveriesTest() {
    order.start_with(Psn(10));
    for (std::uint32_t psn = 10; psn < 20; ++psn) {
      const RequestPacket packet = request(kSendOnly, psn, 100, psn * kMicrosecond);
      order.sent().add({.psn = packet.psn, .first_frame = packet.frame, .last_time = packet.time, .content = 100});
      order.pass(packet, 1);
    }
  }
  std::optional<Recoveries::Place> place_of(std::uint32_t psn, std::int64_t time) {
    return recoveries.place_of(request(kSendOnly, psn, 100, time), order, responses);
  }
  Verdict resend(std::uint32_t psn, std::int64_t time) {
    Verdict verdict;
    recoveries.resend(request(kSendOnly, psn, 100, time), *place_of(psn, time), verdict, order, responses, counted.log);
    return verdict;
  }
  void ask(std::uint32_t psn, std::int64_t time) {
    recoveries.ask({.psn = Psn(psn), .frame = 99, .time = time, .cause = ResendCause::kNak, .lost = LostWhere::kAfter});
  }

  Counted counted;
  RequestOrder order;
  ResponseWatch responses;
  Recoveries recoveries;
};

TEST_F(RecoveriesTest, BeginWhereANakAsks) {
  EXPECT_FALSE(place_of(12, 30 * kMicrosecond));
  ask(12, 25 * kMicrosecond);
  EXPECT_TRUE(recoveries.is_asked(Psn(12), ResendCause::kNak));
  EXPECT_EQ(resend(12, 30 * kMicrosecond).evidence, 99U);
  EXPECT_FALSE(recoveries.is_asked(Psn(12), ResendCause::kNak));  // that was followed
  EXPECT_EQ(resend(13, 31 * kMicrosecond).cause, ResendCause::kNak);
  ASSERT_NE(recoveries.current(), nullptr);
  EXPECT_EQ(recoveries.current()->packets, 2U);
  EXPECT_EQ(recoveries.current()->bytes, 200U);
  EXPECT_EQ(recoveries.current()->lost_after, 1U);
  EXPECT_EQ(counted.totals.troubles->recoveries, 1U);
  ASSERT_EQ(counted.news.measures.size(), 1U);
  EXPECT_EQ(counted.news.measures[0].ns, 5 * kMicrosecond);
}

TEST_F(RecoveriesTest, LoseWhatTheySkip) {
  ask(12, 25 * kMicrosecond);
  (void)resend(12, 30 * kMicrosecond);
  const Verdict verdict = resend(15, 31 * kMicrosecond);
  EXPECT_EQ(verdict.missing, 2U);
  EXPECT_EQ(counted.totals.troubles->lost_before, 2U);
  EXPECT_TRUE(order.sent().find(Psn(13))->missed);
  (void)resend(13, 32 * kMicrosecond);  // it was only late
  EXPECT_EQ(counted.totals.troubles->lost_before, 1U);
}

TEST_F(RecoveriesTest, EndWithANewPacketAndLoseTheRest) {
  ask(12, 25 * kMicrosecond);
  (void)resend(12, 30 * kMicrosecond);
  recoveries.end(request(kSendOnly, 20, 100, 40 * kMicrosecond), order, counted.log);
  EXPECT_EQ(recoveries.current(), nullptr);
  ASSERT_NE(recoveries.ended(), nullptr);
  EXPECT_EQ(counted.totals.troubles->lost_before, 7U);  // 13 to 19
  recoveries.begin_packet();
  EXPECT_EQ(recoveries.ended(), nullptr);
}

TEST_F(RecoveriesTest, DoNotCountWhatWasDamagedAsLost) {
  ask(12, 25 * kMicrosecond);
  (void)resend(12, 30 * kMicrosecond);
  recoveries.add_corrupt({.psn = Psn(13), .frame = 120}, order, counted.log);
  EXPECT_TRUE(recoveries.has_corrupt(Psn(13)));
  (void)resend(14, 31 * kMicrosecond);
  EXPECT_EQ(counted.totals.troubles->lost_before, 0U);
  EXPECT_EQ(recoveries.take_corrupt(Psn(13)), 120U);
  EXPECT_EQ(recoveries.take_corrupt(Psn(13)), 0U);
}

TEST_F(RecoveriesTest, TakeALossBackThatAnAckDenies) {
  ask(12, 25 * kMicrosecond);
  counted.totals.troubles.make().lost_after = 1;
  recoveries.acknowledge(Psn(13), counted.log);
  EXPECT_EQ(counted.totals.troubles->lost_after, 0U);
}

}  // namespace
}  // namespace rocescope
