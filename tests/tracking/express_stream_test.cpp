// What the express lane keeps of READs that ended.
#include "tracking/express/express_stream.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

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

/// Whatever number of READs was kept before, as many as there is room for are kept, the last ones.
TEST(ExpressAnswers, KeepTheLastReadsWithThoseOfBefore) {
  constexpr std::uint64_t kReads = 40;
  for (std::uint64_t before = 0; before <= AnsweredReads::kMost; ++before) {
    for (std::uint64_t reads = before; reads <= kReads; ++reads) {
      AnsweredReads lent;
      for (std::uint64_t i = 0; i < before; ++i) {
        lent.keep({.number = i,
                   .outcome = MessageOutcome::kCompleted,
                   .has_first = true,
                   .completion_frame = 1,
                   .completion_time = static_cast<std::int64_t>(i)});
      }
      ExpressAnswers answers;
      answers.lend(std::move(lent));
      for (std::uint64_t i = before; i < reads; ++i) {
        std::int64_t over = -1;  // each READ takes as many nanoseconds as its number says
        const ExpressMessage read{.number = i};
        ASSERT_EQ(answers.keep(read, 0, static_cast<std::int64_t>(i), over), i >= AnsweredReads::kMost);
        if (i >= AnsweredReads::kMost) ASSERT_EQ(over, static_cast<std::int64_t>(i - AnsweredReads::kMost));
      }
      AnsweredReads kept = answers.take_back();
      for (std::uint64_t i = 0; i < reads; ++i) {
        ASSERT_EQ(kept.take(i).has_value(), i + AnsweredReads::kMost >= reads) << i << " of " << reads;
      }
    }
  }
}

}  // namespace
}  // namespace rocescope
