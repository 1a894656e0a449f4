// What is remembered of PSNs that were skipped, however they come back.
#include "tracking/requests/missing_psns.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace rocescope {
namespace {

TEST(MissingPsns, AreTakenOutOfTheirRun) {
  MissingPsns missing;
  missing.add({.first = Psn(10), .count = 5});
  missing.fill(Psn(12), 1);
  ASSERT_EQ(missing.runs().size(), 2U);
  EXPECT_EQ(missing.count(), 4U);
  EXPECT_EQ(missing.find(Psn(12)), nullptr);
  EXPECT_NE(missing.find(Psn(11)), nullptr);
  EXPECT_NE(missing.find(Psn(13)), nullptr);
}

/// With all parts this would take minutes.
TEST(MissingPsns, ForgetTheOldestPartOfARunThatFallsIntoTooMany) {
  constexpr std::uint32_t kParts = 50'000;
  MissingPsns missing;
  missing.add({.first = Psn(1), .count = 2 * kParts + 1});
  for (std::uint32_t i = 1; i <= kParts; ++i) missing.fill(Psn(2 * i), 1);
  EXPECT_EQ(missing.runs().size(), MissingPsns::kMaxParts);
  EXPECT_EQ(missing.count(), kParts + 1);
  EXPECT_NE(missing.find(Psn(2 * kParts + 1)), nullptr);
}

TEST(MissingPsns, DoNotGrowOnceARunFellIntoParts) {
  MissingPsns missing;
  std::uint32_t next = 0;
  const auto skip = [&] {
    missing.add({.first = Psn(next), .count = 3});
    next += 4;
  };
  for (std::size_t i = 0; i < MissingPsns::kMaxRuns; ++i) skip();
  missing.fill(Psn(next - 3), 1);  // in the middle of the last
  const std::size_t most = missing.runs().size();
  for (std::size_t i = 0; i < 1000; ++i) skip();
  EXPECT_EQ(missing.runs().size(), most);
  EXPECT_EQ(missing.count(), 3 * (MissingPsns::kMaxRuns + 1000) - 1);
}

/// With a run for each acknowledgement this would take minutes.
TEST(MissingPsns, ThatAreAcknowledgedOneByOneAreOneRun) {
  constexpr std::uint32_t kPsns = 500'000;
  MissingPsns missing;
  missing.add({.first = Psn(1), .count = kPsns});
  for (std::uint32_t psn = 2; psn <= kPsns; ++psn) missing.acknowledge_before(Psn(psn));
  EXPECT_EQ(missing.runs().size(), 2U);
  EXPECT_EQ(missing.acknowledged(), kPsns - 1);
  EXPECT_EQ(missing.count(), kPsns);
  EXPECT_FALSE(missing.is_settled());
  missing.acknowledge_before(Psn(kPsns + 1));
  EXPECT_TRUE(missing.is_settled());
}

}  // namespace
}  // namespace rocescope
