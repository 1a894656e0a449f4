// What the express lane keeps of READs that ended.
#include "tracking/express/express_stream.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace rocescope {
namespace {

/// Messages of a connection in doubt have numbers above 2^32, one step of 2^32 for each doubt.
TEST(ExpressAnswers, KeepTheNumberAndTheIcrcOfARead) {
  constexpr std::uint64_t kNumber = (std::uint64_t{70'000} << 32U) + 3;
  constexpr std::uint32_t kIcrc = 0xDEADBEEF;
  ExpressAnswers answers;
  answers.lend({});
  const ExpressMessage read{.number = kNumber,
                            .first_frame = 17,
                            .bytes = 512,
                            .first_icrc = kIcrc,
                            .first_psn = Psn(5),
                            .last_psn = Psn(6),
                            .operation = Operation::kReadRequest,
                            .has_last = true};
  std::int64_t over = 0;
  EXPECT_FALSE(answers.keep(read, 19, 1'000, over));
  AnsweredReads kept = answers.take_back();
  const auto whole = kept.take(kNumber);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->first_icrc, kIcrc);
  EXPECT_EQ(whole->first_frame, 17U);
  EXPECT_EQ(whole->completion_frame, 19U);
  EXPECT_EQ(whole->completion_time, 1'000);
}

}  // namespace
}  // namespace rocescope
