// PSNs of requests, without anything that judges them.
#include "tracking/requests/request_order.hpp"

#include <gtest/gtest.h>

#include "stream_parts.hpp"

namespace rocescope::request_order_test {
namespace {

using namespace testing;

TEST(RequestOrder, CountsTheResponsesOfAReadAsItsPsns) {
  RequestOrder order;
  EXPECT_EQ(order.span_of(read(5, 10'000)), 1U);  // unknown path MTU
  order.set_mtu(4096);
  EXPECT_EQ(order.span_of(read(5, 10'000)), 3U);
  EXPECT_EQ(order.span_of(read(5, 0)), 1U);
  EXPECT_EQ(order.span_of(request(kSendOnly, 5, 10'000)), 1U);
}

TEST(RequestOrder, LearnsTheSpanOfAReadFromWhatComesNext) {
  RequestOrder order;
  order.start_with(Psn(5));
  const RequestPacket first = read(5, 5'000);
  order.pass(first, 1);
  order.leave_loose_end(first);
  EXPECT_EQ(order.loose_end(Psn(9)), Psn(5));
  EXPECT_FALSE(order.loose_end(Psn(30)));
  const auto known = order.tie_loose_end(Psn(10));  // 5 PSNs: 1024 bytes each
  ASSERT_TRUE(known);
  EXPECT_EQ(known->span, 5U);
  EXPECT_EQ(order.next(), Psn(10));
  EXPECT_EQ(order.mtu(), 0U);  // a READ between them may have been missed
  for (const std::uint32_t psn : {10U, 15U, 20U}) {
    EXPECT_EQ(order.mtu(), 0U);
    const RequestPacket next = read(psn, 5'000);
    order.pass(next, 1);
    order.leave_loose_end(next);
    ASSERT_TRUE(order.tie_loose_end(Psn(psn + 5)));
  }
  EXPECT_EQ(order.mtu(), 1024U);
}

TEST(RequestOrder, ExpectsWhatComesBehindAReadOnceItsSpanIsKnown) {
  RequestOrder tied;
  tied.start_with(Psn(5));
  tied.pass(read(5, 5'000), 1);
  tied.leave_loose_end(read(5, 5'000));
  ASSERT_TRUE(tied.tie_loose_end(Psn(10)));
  tied.pass(request(kSendOnly, 10), 1);
  EXPECT_TRUE(tied.has_arrived(Psn(10)));
  EXPECT_FALSE(tied.beyond_at());

  RequestOrder learned;
  learned.start_with(Psn(5));
  learned.pass(read(5, 5'000), 1);
  learned.leave_loose_end(read(5, 5'000));
  ASSERT_TRUE(learned.learn_mtu(1024, Position::kFirst));
  EXPECT_EQ(learned.expected(), Psn(10));
}

TEST(RequestOrder, KnowsWhatIsOutstandingSeenAndArrived) {
  RequestOrder order;
  order.start_with(Psn(5));
  order.pass(request(kSendOnly, 5), 1);
  order.missing().add({Psn(6), 1, 0});
  order.pass(request(kSendOnly, 7, 0, kMillisecond), 1);
  EXPECT_TRUE(order.is_outstanding(Psn(5)));
  EXPECT_FALSE(order.is_outstanding(Psn(8)));
  EXPECT_TRUE(order.has_seen(Psn(7)));
  EXPECT_FALSE(order.has_seen(Psn(6)));
  EXPECT_TRUE(order.has_arrived(Psn(5)));
  EXPECT_FALSE(order.has_arrived(Psn(7)));  // its receiver drops it: 6 is missing
  EXPECT_EQ(order.beyond_at(), kMillisecond);
  order.acknowledge(Psn(7));
  EXPECT_FALSE(order.is_outstanding(Psn(6)));
  EXPECT_FALSE(order.beyond_at());
}

TEST(RequestOrder, BeginsEarlierWhereTheFirstPacketsCameLate) {
  RequestOrder order;
  order.start_with(Psn(10));
  order.extend_start(Psn(8), 0);
  EXPECT_EQ(order.unacknowledged(), Psn(8));
  EXPECT_FALSE(order.has_seen(Psn(9)));
  RequestOrder with_start;
  with_start.start_at(Psn(10));  // by the CM: nothing is before it
  with_start.extend_start(Psn(8), 0);
  EXPECT_EQ(with_start.unacknowledged(), Psn(10));
}

TEST(RequestOrder, BelievesThatPacketsAreLateForASecond) {
  RequestOrder order;
  EXPECT_FALSE(order.may_be_late(0, kMicrosecond));
  order.count_late(10 * kMicrosecond, 0);
  EXPECT_TRUE(order.may_be_late(0, 15 * kMicrosecond));
  EXPECT_FALSE(order.may_be_late(0, 30 * kMicrosecond));
  EXPECT_FALSE(order.may_be_late(2'000 * kMillisecond, 2'000 * kMillisecond));
}

}  // namespace
}  // namespace rocescope::request_order_test
