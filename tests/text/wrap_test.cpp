#include "text/wrap.hpp"

#include <gmock/gmock.h>

namespace rocescope::text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Wrap, CutsAtSpaces) {
  EXPECT_THAT(wrap("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrap("one two three", 80), ElementsAre("one two three"));
  EXPECT_THAT(wrap("", 80), IsEmpty());
}

TEST(Wrap, LeavesALongWordWhole) {
  EXPECT_THAT(wrap("a 0123456789abcdef b", 8), ElementsAre("a", "0123456789abcdef", "b"));
}

TEST(Wrap, KeepsANumberWithItsUnit) {
  EXPECT_THAT(wrap("the longest 414 ms", 15), ElementsAre("the longest", "414 ms"));
  EXPECT_THAT(wrap("sent 1,204 packets", 10), ElementsAre("sent", "1,204 packets"));
  EXPECT_THAT(wrap("it is 304", 5), ElementsAre("it is", "304"));
}

}  // namespace
}  // namespace rocescope::text
