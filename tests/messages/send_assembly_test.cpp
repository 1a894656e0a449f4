// SENDs put together from packets in any order.
#include "messages/send_assembly.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocescope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum Position;

constexpr std::uint64_t kMost = 1'000;

class SendAssemblyTest : public ::testing::Test {
 protected:
  /// The text that a packet completes, or nothing.
  std::string add(std::uint32_t psn, Position position, std::string_view text, std::size_t captured = 100) {
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    last = assembly.add({.psn = Psn(psn),
                         .position = position,
                         .bytes = Bytes(bytes).first(std::min(captured, bytes.size())),
                         .length = static_cast<std::uint32_t>(bytes.size()),
                         .frame = psn},
                        most);
    return text_of(last);
  }
  static std::string text_of(const std::optional<SendAssembly::Run>& run) {
    return run ? std::string(run->bytes.begin(), run->bytes.end()) : "";
  }
  SendAssembly assembly;
  std::optional<SendAssembly::Run> last;
  std::uint64_t most = kMost;
};

TEST_F(SendAssemblyTest, CompletesAMessageWithItsLastPacket) {
  EXPECT_EQ(add(0xFFFFFF, kFirst, "one "), "");
  EXPECT_EQ(add(0, kMiddle, "two "), "");
  EXPECT_EQ(add(1, kLast, "three"), "one two three");
  EXPECT_EQ(last->first, Psn(0xFFFFFF));
  EXPECT_EQ(last->length, 13U);
  EXPECT_THAT(last->holes, IsEmpty());
  EXPECT_TRUE(assembly.empty());
}

TEST_F(SendAssemblyTest, TakesPacketsInAnyOrder) {
  std::vector<std::uint32_t> order(4);
  std::iota(order.begin(), order.end(), 0U);
  const std::vector<std::string> texts = {"one ", "two ", "three ", "four"};
  do {
    std::string whole;
    for (const std::uint32_t psn : order) {
      EXPECT_EQ(whole, "");
      whole = add(psn, psn == 0 ? kFirst : psn == 3 ? kLast : kMiddle, texts[psn]);
    }
    EXPECT_EQ(whole, "one two three four");
    EXPECT_TRUE(assembly.empty());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(SendAssemblyTest, KeepsMessagesApart) {
  add(1, kMiddle, "b");
  EXPECT_EQ(add(3, kFirst, "x"), "");
  EXPECT_EQ(add(2, kLast, "c"), "");
  EXPECT_EQ(add(4, kLast, "y"), "xy");
  EXPECT_EQ(add(0, kFirst, "a"), "abc");
}

TEST_F(SendAssemblyTest, SaysWhereBytesAreMissing) {
  add(10, kFirst, "aaaa");
  add(12, kMiddle, "cccc");
  add(14, kLast, "e");
  const auto run = assembly.take(Psn(10), Psn(14), 4, kMost);
  EXPECT_EQ(text_of(run), std::string("aaaa\0\0\0\0cccc\0\0\0\0e", 17));
  EXPECT_EQ(run->length, 17U);
  EXPECT_THAT(run->holes, ElementsAre(Hole{4, 4, Hole::Reason::kNotSeen}, Hole{12, 4, Hole::Reason::kNotSeen}));
  EXPECT_TRUE(assembly.empty());
}

TEST_F(SendAssemblyTest, SaysThatItsEndsWereNotSeen) {
  add(11, kMiddle, "bb");
  const auto run = assembly.take(Psn(10), Psn(12), 0, kMost);
  EXPECT_EQ(text_of(run), "bb");
  EXPECT_THAT(run->holes, ElementsAre(Hole{0, 0, Hole::Reason::kNotSeen}, Hole{2, 0, Hole::Reason::kNotSeen}));
}

TEST_F(SendAssemblyTest, SaysWhatTheCaptureCut) {
  add(10, kFirst, "abcd", 3);
  EXPECT_EQ(add(11, kLast, "ef"), std::string("abc\0ef", 6));
  EXPECT_THAT(last->holes, ElementsAre(Hole{3, 1, Hole::Reason::kCut}));
}

TEST_F(SendAssemblyTest, KeepsNoMoreThanItIsAskedFor) {
  most = 5;
  add(10, kFirst, "abcd");
  add(11, kMiddle, "efgh");
  EXPECT_EQ(add(12, kLast, "ij"), "abcde");
  EXPECT_EQ(last->length, 10U);
  EXPECT_THAT(last->holes, ElementsAre(Hole{5, 5, Hole::Reason::kBeyondCap}));
}

TEST_F(SendAssemblyTest, HasNoHoleOverAnother) {
  most = 6;
  add(0, kFirst, "abcd");
  add(5, kMiddle, "klmn");
  const auto run = assembly.take(Psn(0), Psn(5), 4, most);
  EXPECT_EQ(text_of(run), std::string("abcd\0\0", 6));
  EXPECT_EQ(run->length, 24U);
  EXPECT_THAT(run->holes, ElementsAre(Hole{4, 2, Hole::Reason::kNotSeen}, Hole{6, 18, Hole::Reason::kBeyondCap},
                                      Hole{24, 0, Hole::Reason::kNotSeen}));
}

// Such as a snap length makes them.
TEST_F(SendAssemblyTest, TakesNoMemoryForCutPacketsBeyondTheCap) {
  add(0, kFirst, "abcd", 1);
  for (std::uint32_t psn = 1; psn < 100'000; ++psn) add(psn, kMiddle, "abcd", 1);
  EXPECT_LT(assembly.kept(), 20'000U);
  add(100'000, kLast, "e");
  EXPECT_EQ(last->length, 400'001U);
  EXPECT_EQ(last->holes.size(), kMost / 4 + 1);
}

TEST_F(SendAssemblyTest, GivesARunUpThatIsLongerThanAnyMessage) {
  add(0, kFirst, "a");
  std::uint32_t psn = 1;
  while (!last && psn <= SendAssembly::kMostPackets) add(psn++, kMiddle, "a");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->packets, SendAssembly::kMostPackets);
  EXPECT_TRUE(assembly.empty());
}

TEST_F(SendAssemblyTest, GivesTheOldestUpWhereTooManyWait) {
  for (std::uint32_t psn = 0; psn <= SendAssembly::kMostRuns; ++psn) add(psn * 2, kFirst, "a");
  ASSERT_TRUE(assembly.is_full());
  EXPECT_EQ(assembly.take_oldest()->first, Psn(0));
  EXPECT_FALSE(assembly.is_full());
}

}  // namespace
}  // namespace rocescope
