// What responses say, without anything that judges them.
#include "tracking/requests/response_watch.hpp"

#include <gtest/gtest.h>

#include "stream_parts.hpp"

namespace rocescope {
namespace {

using namespace testing;

// IBTA Table 46: code 31 is no credit count, code 0 is none left.
ResponsePacket ack(std::uint32_t msn, std::uint8_t credits, std::int64_t time) {
  return {.psn = Psn(msn), .frame = msn, .time = time, .value = credits, .msn = msn};
}

TEST(ResponseWatch, CountsMsnsThatGoBackAndStallsForCredits) {
  Counted counted;
  ResponseWatch watch;
  const auto observe = [&](const ResponsePacket& packet) {
    watch.observe(packet, counted.log);
    watch.observe_aeth(packet, VerdictKind::kResponse, counted.log);
  };
  EXPECT_FALSE(watch.heard());
  observe(ack(7, 31, 0));
  observe(ack(6, 0, 1 * kMicrosecond));
  observe(ack(8, 0, 3 * kMicrosecond));
  observe(ack(9, 4, 2001 * kMicrosecond));
  watch.observe_request(2002 * kMicrosecond, counted.log);
  EXPECT_TRUE(watch.heard());
  EXPECT_EQ(counted.totals.sums.acks, 4U);
  EXPECT_EQ(counted.totals.troubles->msn_backwards, 1U);
  EXPECT_EQ(counted.totals.troubles->credit_stalls, 1U);
  EXPECT_EQ(counted.totals.troubles->credit_stalled, 2000 * kMicrosecond);
}

TEST(ResponseWatch, MissesWhatComesBehindAHoleInReadResponses) {
  RequestOrder order;
  order.set_mtu(1024);
  order.start_with(Psn(10));
  order.pass(read(10, 4096), 4);
  ResponseWatch watch;
  const RequestPacket again = read(10, 4096);
  EXPECT_FALSE(watch.misses_response(again, order));
  watch.observe_read({.kind = ResponsePacket::Kind::kRead, .psn = Psn(12)}, Psn(11), order.next());
  EXPECT_TRUE(watch.misses_response(again, order));
  EXPECT_TRUE(watch.misses_response_since(0, again, order));
  EXPECT_FALSE(watch.misses_response_since(1, again, order));
  for (const std::uint32_t psn : {11U, 12U, 13U}) {
    watch.observe_read({.kind = ResponsePacket::Kind::kRead, .psn = Psn(psn)}, Psn(psn), order.next());
  }
  EXPECT_FALSE(watch.misses_response(again, order));
}

TEST(ResponseWatch, TakesTheAckTimeoutOfTheHandshakeForATimeout) {
  RequestOrder order;
  order.start_with(Psn(10));
  order.pass(request(kSendOnly, 10), 1);
  ResponseWatch watch;
  watch.set_ack_timeout(67 * kMillisecond);
  EXPECT_FALSE(watch.timed_out(50 * kMillisecond, order));
  EXPECT_TRUE(watch.timed_out(67 * kMillisecond, order));
  watch.progress(30 * kMillisecond);  // the timer starts again (IBTA 9.7.6.1.3)
  EXPECT_FALSE(watch.timed_out(67 * kMillisecond, order));
}

TEST(ResponseWatch, MeasuresASilenceThatIsUnusual) {
  Counted counted;
  ResponseWatch watch;
  watch.acknowledge({.time = 10 * kMillisecond}, 0, counted.log);  // nothing says what is usual
  EXPECT_TRUE(counted.news.measures.empty());
  watch.measure_wait(20 * kMicrosecond);
  watch.acknowledge({.time = 11 * kMillisecond}, 0, counted.log);
  ASSERT_EQ(counted.news.measures.size(), 1U);
  EXPECT_EQ(counted.news.measures[0].kind, TimeKind::kStall);
  EXPECT_EQ(counted.news.measures[0].ns, 1 * kMillisecond);
}

}  // namespace
}  // namespace rocescope
