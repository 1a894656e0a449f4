// `rocescope explain`, and --fail-on, which goes by the same findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "captures.hpp"
#include "process.hpp"

namespace rocescope::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Explain, lists_the_findings) {
  const Outcome outcome = rocescope({"explain"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\nnak_sequence               warning  PSN sequence errors\n"));
  EXPECT_EQ(lines(outcome.out), 81);
}

TEST(Explain, tells_what_a_finding_means_and_what_to_do) {
  const Outcome outcome = rocescope({"explain", "nak_sequence", "rnr"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("nak_sequence (warning): PSN sequence errors\n\n  Meaning     The receiver"),
                    HasSubstr("\n  How sure    Exact; at least so many where the capture missed packets."),
                    HasSubstr("\n  What to do  "), HasSubstr("\n\nrnr (warning): receiver not ready\n")));
}

TEST(Explain, tells_what_a_kind_of_time_is) {
  const Outcome outcome = rocescope({"explain", "message_time", "rnr"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("message_time (a kind of time)\n\n  From the first packet of the first attempt"),
                    HasSubstr("\n\nrnr (warning): receiver not ready\n")));
}

TEST(Explain, suggests_what_was_meant) {
  const Outcome outcome = rocescope({"explain", "nak_sequenc"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "rocescope: unknown finding 'nak_sequenc'. Did you mean 'nak_sequence'?\n");
  EXPECT_THAT(rocescope({"explain", "xyzzy"}).err, HasSubstr("To list them: rocescope explain"));
}

TEST(FailOn, makes_an_exit_code_of_findings) {
  const std::string lossy = capture("impaired_out-loss_light.pcapng");
  EXPECT_EQ(rocescope({"analyze", lossy}).exit_code, 0);
  EXPECT_EQ(rocescope({"analyze", "--fail-on", "error", lossy}).exit_code, 1);
  EXPECT_EQ(rocescope({"analyze", "--fail-on", "warning", "--json", lossy}).exit_code, 1);
  EXPECT_EQ(rocescope({"analyze", "--fail-on=warning", capture("rping.pcapng")}).exit_code, 0);
  // Sent again, but nothing lost: no error.
  EXPECT_EQ(rocescope({"analyze", "--fail-on=error", capture("pingpong-rc.pcapng")}).exit_code, 0);
  EXPECT_EQ(rocescope({"analyze", "--fail-on=warning", capture("pingpong-rc.pcapng")}).exit_code, 1);
}

}  // namespace
}  // namespace rocescope::testing
