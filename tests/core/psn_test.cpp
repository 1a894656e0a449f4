#include "rocescope/psn.hpp"

#include <gtest/gtest.h>

#include <random>

namespace rocescope {
namespace {

TEST(Psn, WrapsAfter24Bits) {
  EXPECT_EQ(Psn(0xFFFFFF) + 1, Psn(0));
  EXPECT_EQ(Psn(0) - 1, Psn(0xFFFFFF));
  EXPECT_EQ(Psn(0x1000000), Psn(0));
  Psn psn(0xFFFFFE);
  ++psn;
  ++psn;
  EXPECT_EQ(psn, Psn(0));
}

TEST(Psn, OrdersAcrossTheWrap) {
  EXPECT_TRUE(Psn(0xFFFFFF).before(Psn(0)));
  EXPECT_TRUE(Psn(5).after(Psn(0xFFFFF0)));
  EXPECT_FALSE(Psn(7).before(Psn(7)));
}

TEST(Psn, DistanceReachesHalfTheSpaceBackAndOneLessForward) {
  EXPECT_EQ(Psn(0).distance_to(Psn(0x7FFFFF)), 0x7FFFFF);
  EXPECT_EQ(Psn(0).distance_to(Psn(0x800000)), -0x800000);
  EXPECT_EQ(Psn(0xFFFFFF).distance_to(Psn(0)), 1);
}

TEST(Psn, NumbersHalfTheSpaceApartAreNeitherBeforeNorAfter) {
  EXPECT_FALSE(Psn(0).before(Psn(0x800000)));
  EXPECT_FALSE(Psn(0).after(Psn(0x800000)));
}

// The laws of serial arithmetic (RFC 1982 with 24 bits), on random numbers and on those next to the borders.
class PsnLaws : public ::testing::Test {
 protected:
  template <class Law>
  void for_pairs(Law law) {
    std::mt19937 random(20250701);
    constexpr std::uint32_t kBorders[] = {0, 1, 2, 0x7FFFFE, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFE, 0xFFFFFF};
    for (const std::uint32_t a : kBorders) {
      for (const std::uint32_t b : kBorders) law(a, b);
    }
    for (int i = 0; i < 100'000; ++i) law(random() & 0xFFFFFF, random() & 0xFFFFFF);
  }
};

TEST_F(PsnLaws, AddingTheDistanceLeadsThere) {
  for_pairs([](std::uint32_t a, std::uint32_t b) {
    const auto distance = static_cast<std::uint32_t>(Psn(a).distance_to(Psn(b)));
    ASSERT_EQ(Psn(a) + distance, Psn(b)) << a << " " << b;
  });
}

TEST_F(PsnLaws, SubtractionUndoesAddition) {
  for_pairs([](std::uint32_t a, std::uint32_t n) { ASSERT_EQ((Psn(a) + n) - n, Psn(a)); });
}

TEST_F(PsnLaws, ExactlyOneOfBeforeAfterEqualOrOpposite) {
  for_pairs([](std::uint32_t a, std::uint32_t b) {
    const bool opposite = ((a - b) & 0xFFFFFF) == 0x800000;
    ASSERT_EQ(Psn(a).before(Psn(b)) + Psn(a).after(Psn(b)) + (Psn(a) == Psn(b)) + opposite, 1) << a << " " << b;
  });
}

TEST_F(PsnLaws, OrderDoesNotDependOnWhereTheNumbersStart) {
  for_pairs([](std::uint32_t a, std::uint32_t b) {
    ASSERT_EQ(Psn(a).before(Psn(b)), Psn(a + 0xABCDEF).before(Psn(b + 0xABCDEF)));
  });
}

TEST_F(PsnLaws, BeforeAgreesWithTheSignOfTheDistance) {
  for_pairs([](std::uint32_t a, std::uint32_t b) {
    if (((a - b) & 0xFFFFFF) == 0x800000) return;
    ASSERT_EQ(Psn(a).before(Psn(b)), Psn(a).distance_to(Psn(b)) > 0);
  });
}

}  // namespace
}  // namespace rocescope
