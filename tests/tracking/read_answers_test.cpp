// Answers to READs that were skipped, however many there are.
#include "tracking/requests/read_answers.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace rocescope {
namespace {

TEST(ReadAnswers, ThatWereSkippedAreTakenOnce) {
  ReadAnswers answers(Psn(0), 0);
  answers.skip(Psn(10), 3);
  EXPECT_TRUE(answers.take_skipped(Psn(11)));
  EXPECT_FALSE(answers.take_skipped(Psn(11)));
  EXPECT_TRUE(answers.take_skipped(Psn(12)));
  EXPECT_TRUE(answers.take_skipped(Psn(10)));
  EXPECT_FALSE(answers.take_skipped(Psn(13)));
}

/// With all parts that are left this would take minutes.
TEST(ReadAnswers, ForgetTheFirstOfTooManyParts) {
  constexpr std::uint32_t kParts = 500'000;
  ReadAnswers answers(Psn(0), 0);
  answers.skip(Psn(1), 2 * kParts + 1);
  std::uint32_t taken = 0;
  for (std::uint32_t i = 1; i <= kParts; ++i) taken += answers.take_skipped(Psn(2 * i)) ? 1U : 0U;
  EXPECT_EQ(taken, kParts);
  EXPECT_TRUE(answers.take_skipped(Psn(2 * kParts + 1)));
  EXPECT_FALSE(answers.take_skipped(Psn(1)));  // forgotten
}

}  // namespace
}  // namespace rocescope
