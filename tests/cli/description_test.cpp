// What states and partial results say of the types that they hold.
#include <gtest/gtest.h>

#include <cstdint>

#include "partial/describe.hpp"
#include "partial/state/containers.hpp"

namespace rocescope::partial {
namespace {

struct Hash {
  std::size_t operator()(std::uint32_t key) const noexcept { return key; }
};
template <class T>
using Table = KeyTable<std::uint32_t, T, Hash>;

TEST(Description, tells_types_apart_that_differ_in_a_parameter) {
  Description description;
  const std::string one = description.words(type_of<StateMembers, Table<std::uint32_t>>());
  const std::string before = description.text();
  const std::string other = description.words(type_of<StateMembers, Table<std::uint64_t>>());
  EXPECT_NE(one, other);
  EXPECT_NE(before, description.text());
}

}  // namespace
}  // namespace rocescope::partial
