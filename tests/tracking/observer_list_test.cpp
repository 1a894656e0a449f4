// Which packets an observer is shown.
#include "tracking/observer_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/hex.hpp"
#include "support/recorded.hpp"
#include "tracking/connections/connection_setup.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;

/// Writes its name down for each packet that it is shown.
template <unsigned wants>
struct Named {
  static constexpr unsigned kWants = wants;
  void observe(const TrackedPacket&) const { log->push_back(name); }
  std::string name;
  std::vector<std::string>* log = nullptr;
};

/// Who is shown the packet, in their order.
std::vector<std::string> shown(const TrackedPacket& tracked) {
  std::vector<std::string> log;
  ObserverList list(Named<traits::kOtherFrame>{"other", &log}, Named<traits::kRoce>{"roce", &log},
                    Named<traits::kConnected>{"connected", &log}, Named<traits::kUnusual>{"unusual", &log},
                    Named<traits::kMeasured>{"measured", &log}, Named<traits::kEnded>{"ended", &log},
                    Named<traits::kHandshake | traits::kConnected>{"states", &log}, Named<0>{"nothing", &log});
  list.observe(tracked);
  return log;
}

/// RC SEND Only, or an Acknowledge with this syndrome.
testing::Buffer send() { return testing::roce_packet({.opcode = 0x04}); }
testing::Buffer acknowledge(std::uint8_t syndrome) {
  return testing::roce_packet({.opcode = 0x11, .after_bth = {syndrome, 0, 0, 1}});
}

TEST(ObserverList, ShowsAFrameWithoutRoceToThoseWhoWantIt) {
  testing::Buffer frame = testing::hex("0180c2000001 020000000000 8808 0001 ffff");
  frame.resize(60);
  testing::Recorded recorded(frame);
  EXPECT_THAT(shown({.record = recorded.record()}), ElementsAre("other"));
}

TEST(ObserverList, ShowsAnExpectedPacketToFew) {
  testing::Recorded request(send());
  Connection connection;
  EXPECT_THAT(shown({.record = request.record()}), ElementsAre("roce"));
  EXPECT_THAT(
      shown({.record = request.record(), .connection = &connection, .verdict = {.kind = VerdictKind::kInOrder}}),
      ElementsAre("roce", "connected", "states"));
  testing::Recorded response(acknowledge(0x1F));
  EXPECT_THAT(
      shown({.record = response.record(), .connection = &connection, .verdict = {.kind = VerdictKind::kResponse}}),
      ElementsAre("roce", "connected", "states"));
}

TEST(ObserverList, ShowsWhatIsUnusual) {
  testing::Recorded request(send());
  for (const VerdictKind kind : {VerdictKind::kGap, VerdictKind::kOutOfOrder, VerdictKind::kRetransmission,
                                 VerdictKind::kCaptureDuplicate, VerdictKind::kStale, VerdictKind::kAckOfUnseen}) {
    EXPECT_THAT(shown({.record = request.record(), .verdict = {.kind = kind}}), ElementsAre("roce", "unusual"));
  }
  const Verdict lost{.kind = VerdictKind::kResponse, .lost = LostWhere::kAfter};
  EXPECT_THAT(shown({.record = request.record(), .verdict = lost}), ElementsAre("roce", "unusual"));
  // IBTA Table 45: an ACK without credits, RNR NAK, NAK.
  for (const std::uint8_t syndrome : testing::hex("00 20 60")) {
    testing::Recorded response(acknowledge(syndrome));
    EXPECT_THAT(shown({.record = response.record(), .verdict = {.kind = VerdictKind::kResponse}}),
                ElementsAre("roce", "unusual"));
  }
  PacketRecord corrupt = request.record();
  corrupt.icrc.status = IcrcStatus::kBad;
  EXPECT_THAT(shown({.record = corrupt}), ElementsAre("roce", "unusual"));
}

TEST(ObserverList, ShowsWhatAPacketEnds) {
  testing::Recorded response(acknowledge(0x1F));
  const std::vector<Message> messages(1);
  const std::vector<Measure> measures(1);
  EXPECT_THAT(shown({.record = response.record(), .ended = messages, .measures = measures}),
              ElementsAre("roce", "measured", "ended"));
}

TEST(ObserverList, ShowsMessagesOfHandshakes) {
  testing::Buffer frame = testing::hex("020000000001 020000000000 0800");
  frame.resize(60);
  testing::Recorded recorded(frame);
  const std::vector<HandshakeNews> news(1);
  EXPECT_THAT(shown({.record = recorded.record(), .handshakes = news}), ElementsAre("other", "states"));
}

}  // namespace
}  // namespace rocescope
