// `rocescope fields`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "captures.hpp"
#include "process.hpp"

namespace rocescope::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Fields, are_listed_one_a_line_between_tabs) {
  const Outcome outcome = rocescope({"fields"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\ninfiniband.bth.psn\tnumber\t24\t"));
  EXPECT_GT(lines(outcome.out), 100);
}

TEST(Fields, are_narrowed_to_what_mentions_a_word_in_any_case) {
  EXPECT_THAT(rocescope({"fields", "infiniband.bth.psn"}).out, StartsWith("infiniband.bth.psn\t"));
  const std::string both = rocescope({"fields", "PARTITION KEY", "bth.psn"}).out;
  EXPECT_THAT(both, HasSubstr("infiniband.bth.p_key\t"));
  EXPECT_THAT(both, HasSubstr("infiniband.bth.psn\t"));
}

TEST(Fields, that_nobody_has_are_an_error) {
  const Outcome outcome = rocescope({"fields", "xyzzy", "plugh"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "rocescope: no field mentions 'xyzzy' or 'plugh'. All of them: rocescope fields\n");
}

TEST(Fields, names_are_those_of_fields_headers_and_aliases_each_once) {
  std::vector<std::string> names;
  std::istringstream lines(rocescope({"fields", "--names"}).out);
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  for (const char* name : {"infiniband.bth.psn", "infiniband.bth", "ip.addr", "frame.number"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  }
}

}  // namespace
}  // namespace rocescope::testing
