// UC on short sequences: nothing is acknowledged and nothing sent again.
#include <gmock/gmock.h>

#include <string>

#include "stream.hpp"

namespace rocescope {
namespace {

using testing::Stream;

/// Plays a recipe as the tracker does for UC.
void play(Stream& stream, const std::string& recipe) {
  stream.requester.set_reliable(false);
  std::istringstream lines(recipe);
  for (std::string line; std::getline(lines, line);) {
    stream.play(line);
    stream.requester.settle(stream.frame, 0, stream.news);
  }
}

TEST(RequesterUnreliable, LosesAMessageOfWhichAPacketIsMissing) {
  Stream stream;
  play(stream, R"(0 w_first  10 1024 = in_order
     1 w_middle 11 1024 = in_order
     2 w_last   12 4    = in_order
     3 w_first  13 1024 = in_order
     5 w_last   15 4    = gap missing 1
     6 send     16 4    = in_order
     7 send     18 4    = gap missing 1)");
  EXPECT_EQ(stream.requester.totals().troubles->missing, 2U);
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 2U);
  EXPECT_EQ(stream.requester.totals().troubles->messages_lost, 1U);  // of the message of PSN 17 nothing was seen
  std::size_t lost = 0;
  for (const Message& message : stream.news.ended) lost += message.outcome == MessageOutcome::kLost ? 1 : 0;
  EXPECT_EQ(lost, 1U);
}

TEST(RequesterUnreliable, LosesNothingThatIsOnlyLate) {
  Stream stream;
  play(stream, R"(0 send 10 4 = in_order
     1 send 12 4 = gap missing 1
     2 send 11 4 = out_of_order
     3 send 13 4 = in_order
     3.2 send 13 4 = capture_duplicate of 4)");
  EXPECT_EQ(stream.requester.totals().troubles->lost_before, 0U);
  EXPECT_EQ(stream.requester.totals().troubles->messages_lost, 0U);
}

// Nothing acknowledges them: were they all remembered, they would fill the memory.
TEST(RequesterUnreliable, RemembersTheLastPacketsAlone) {
  Stream stream;
  constexpr int kPackets = 200;
  for (int i = 0; i < kPackets; ++i) {
    const std::string psn = std::to_string(i);
    play(stream, psn + " send " + psn + " 4 = in_order");
  }
  play(stream, R"(200 send 150 4 = capture_duplicate of 151
     201 send 100 4 = capture_duplicate)");
}

}  // namespace
}  // namespace rocescope
