// What a report leaves out because the capture does not show it.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "findings/findings.hpp"
#include "support/captures.hpp"

namespace rocescope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const Report& report, FindingId id) {
  for (const Finding& finding : find_findings({.tracking = report})) {
    if (finding.info->id == id) return finding.what;
  }
  return {};
}

TEST(CaptureLimits, WithoutTheAnswersNothingIsATimeout) {
  constexpr const char* kWhy = "why is not known: the answers were not captured";
  Report report = testing::report_of({testing::shipped("impaired_in-loss_heavy.pcapng")});
  const auto server =
      std::find_if(report.connections.front().sides.begin(), report.connections.front().sides.end(),
                   [](const ConnectionSide& side) { return !side.sightings.find(FindingId::kRetransmissions); });
  ASSERT_NE(server, report.connections.front().sides.end());
  server->first_packet = 0;  // but its part of the handshake was seen: it is silent
  EXPECT_NE(text_of(report, FindingId::kTimeoutRecovery), "");
  EXPECT_THAT(text_of(report, FindingId::kRetransmissions), Not(HasSubstr(kWhy)));
  report.handshakes.clear();
  EXPECT_EQ(text_of(report, FindingId::kTimeoutRecovery), "");
  EXPECT_THAT(text_of(report, FindingId::kRetransmissions), HasSubstr(kWhy));
}

/// In its truth: the client's WRITEs had not completed when the server was killed. The server's DREQ follows.
TEST(CaptureLimits, GapsMayHideTheAcksOfWhatIsOutstanding) {
  Report report = testing::report_of({testing::shipped("killed-server.pcapng")});
  EXPECT_NE(text_of(report, FindingId::kTornDownOutstanding), "");
  for (ConnectionSide& side : report.connections.front().sides) {
    side.requests.make().troubles.make().capture_lost = 1;
    EXPECT_EQ(text_of(report, FindingId::kTornDownOutstanding), "");
    side.requests.make().troubles.make().capture_lost = 0;
  }
}

}  // namespace
}  // namespace rocescope
