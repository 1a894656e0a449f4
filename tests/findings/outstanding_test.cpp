// Connections that ended with messages outstanding: a peer that the lab killed, and real packets with the rest left out.
#include <gmock/gmock.h>

#include <initializer_list>
#include <string>

#include "made_capture.hpp"
#include "support/captures.hpp"
#include "support/durations.hpp"

namespace rocescope::outstanding_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::packets_of;
using ::testing::SizeIs;

/// Of captures/lab_rping_write_ud_atomic.pcap, as tshark shows them: the handshake, a SEND, its ACK, a READ, its response, a
/// SEND of the other side, its ACK, and a SEND.
constexpr std::initializer_list<std::size_t> kUpToTheSend = {16, 17, 18, 19, 20, 21, 22, 23, 24, 25};
constexpr std::size_t kSend = 25;
constexpr std::size_t kAck = 26;
constexpr std::size_t kWriteOfTheOther = 27;
constexpr std::size_t kDreq = 55;
constexpr std::size_t kOther = 14;  // ARP

class Cut {
 public:
  explicit Cut(std::initializer_list<std::size_t> numbers = kUpToTheSend) {
    Result<std::unique_ptr<FrameSource>> source =
        open_captures(std::vector<std::string>{testing::shipped("lab_rping_write_ud_atomic.pcap")});
    Frame frame;
    while ((*source)->next(frame)) whole_.emplace_back(frame.data.begin(), frame.data.end());
    for (const std::size_t number : numbers) add(number);
  }
  Cut& add(std::size_t number, std::int64_t after = kMillisecond) {
    made_.add(whole_.at(number - 1), after);
    return *this;
  }
  /// The same with its PSN `later`, as a sequence error if it is an ACK.
  Cut& add_with_psn(std::size_t number, std::uint8_t later, bool is_nak = false) {
    constexpr std::size_t kLastOfPsn = 53;
    constexpr std::size_t kSyndrome = 54;
    testing::Buffer frame = whole_.at(number - 1);
    frame[kLastOfPsn] = static_cast<std::uint8_t>(frame[kLastOfPsn] + later);
    if (is_nak) frame[kSyndrome] = 0x60;
    made_.add(testing::seal(std::move(frame)), kMillisecond);
    return *this;
  }
  [[nodiscard]] std::vector<Finding> found(FindingId id = FindingId::kTornDownOutstanding) const {
    return made_.findings(id);
  }
  [[nodiscard]] std::size_t count(FindingId id) const { return made_.findings(id).size(); }

 private:
  std::vector<testing::Buffer> whole_;
  testing::MadeCapture made_;
};

/// In their truths: rdmagen's server killed itself while the client's WRITEs were on their way, which never completed; the
/// client killed itself when its last one had been acknowledged.
TEST(TornDownOutstanding, IsReportedForAPeerThatWasKilled) {
  const Report report = testing::report_of({testing::shipped("killed-server.pcapng")});
  const auto is_it = [](const Finding& f) { return f.info->id == FindingId::kTornDownOutstanding; };
  const auto found = std::find_if(report.findings.begin(), report.findings.end(), is_it);
  ASSERT_NE(found, report.findings.end());
  EXPECT_EQ(
      found->what,
      "192.168.2.24 tore the connection down with packet 312 (DREQ): 2 messages outstanding (8.00 kB), the first from "
      "packet 304");
  EXPECT_EQ(found->connection, 1U);
  EXPECT_EQ(to_string(found->info->severity), "error");
}

TEST(TornDownOutstanding, IsReportedForNoOtherCapture) {
  for (const std::string& path : testing::all_captures()) {
    if (path.ends_with("killed-server.pcapng")) continue;
    const Report report = testing::report_of({path});
    for (const Finding& finding : report.findings) {
      EXPECT_NE(finding.info->id, FindingId::kTornDownOutstanding) << path << ": " << finding.what;
    }
  }
}

/// A side closes in order without waiting for the ACK of its last message, as rsockets do: nothing was lost, and the
/// capture missed nothing.
TEST(TornDownOutstanding, NotWhereTheLastMessageAwaitsItsAck) {
  Cut cut;
  cut.add(kDreq);
  EXPECT_THAT(cut.found(), IsEmpty());
  EXPECT_THAT(cut.found(FindingId::kCaptureLoss), IsEmpty());
}

/// A packet before it was lost: the receiver dropped it, and asked for both. Only the other one came again.
TEST(TornDownOutstanding, IsInDoubtWhereTheLastMessageDidNotComeAgain) {
  Cut cut{16, 17, 18, 19, 20, 21, 22, 23, 24};
  cut.add_with_psn(kSend, 1).add_with_psn(kAck, 0, true).add(kSend).add(kAck);
  EXPECT_THAT(cut.found(FindingId::kCaptureLoss), IsEmpty()) << "the capture just ends";
  Cut answered = cut;
  cut.add(kDreq, 47'000 * kMillisecond);
  EXPECT_THAT(cut.found(), IsEmpty());
  const auto found = cut.found(FindingId::kCaptureLoss);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what,
            "a message (16 B) did not come again after the NAK in packet 11, and the connection was torn down 47.0 s "
            "later: outstanding, or the capture missed it");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(10, 11));
  EXPECT_EQ(to_string(found[0].strength), "estimated");
  answered.add_with_psn(kSend, 1).add(kDreq);
  EXPECT_THAT(answered.found(FindingId::kCaptureLoss), IsEmpty()) << "it came again";
}

/// The receiver went on: both may have come again and been acknowledged, and the capture have missed that.
TEST(TornDownOutstanding, NotWhereTheReceiverWentOnAfterItAskedForSeveral) {
  Cut cut{16, 17, 18, 19, 20, 21, 22, 23, 24};
  cut.add_with_psn(kSend, 1).add_with_psn(kSend, 2).add_with_psn(kAck, 0, true).add(kSend).add(kAck);
  cut.add(kWriteOfTheOther, 2'000 * kMillisecond).add(kDreq);
  EXPECT_THAT(cut.found(), IsEmpty());
}

TEST(TornDownOutstanding, NotWhenAllWasAcknowledged) {
  EXPECT_THAT(Cut().add(kAck).add(kDreq).found(), IsEmpty());
  EXPECT_THAT(Cut().add(kDreq).add(kAck).found(), IsEmpty()) << "the ACK came through all the same";
  EXPECT_THAT(Cut().found(), IsEmpty()) << "the capture just ends";
}

TEST(TornDownOutstanding, WhenTheOtherSideIsSilent) {
  Cut cut;
  cut.add(kSend, 100 * kMillisecond);
  EXPECT_THAT(cut.found(), IsEmpty()) << "one may be a loss";
  cut.add(kSend, 100 * kMillisecond);
  EXPECT_THAT(cut.found(), IsEmpty()) << "the answer may come after the end of the capture";
  cut.add(kOther, 99 * kMillisecond);
  EXPECT_THAT(cut.found(), IsEmpty());
  cut.add(kOther, 1 * kMillisecond);
  const auto found = cut.found();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what,
            "192.168.2.24 is silent, and packets were sent again up to packet 12: 1 message outstanding (16 B), the "
            "first from "
            "packet 10");
  EXPECT_THAT(packets_of(found[0]), ElementsAre(10, 12));
}

TEST(TornDownOutstanding, NotWhenTheOtherSideStillSends) {
  Cut cut;
  cut.add(kSend, 100 * kMillisecond).add(kWriteOfTheOther, 90 * kMillisecond).add(kSend, 10 * kMillisecond);
  EXPECT_THAT(cut.found(), IsEmpty());
}

TEST(TornDownOutstanding, NotWhenTheRequesterGaveUpBefore) {
  Cut cut;
  for (int i = 0; i < 7; ++i) cut.add(kSend, 100 * kMillisecond);  // the REQ allows as many
  EXPECT_THAT(cut.found(), IsEmpty()) << "it may be answered yet";
  cut.add(kDreq, 1000 * kMillisecond);
  EXPECT_THAT(cut.found(), IsEmpty());
  EXPECT_EQ(cut.count(FindingId::kRetryExhausted), 1U);
}

/// Its truth: retry_cnt 6, and a completion with RETRY_EXC_ERR. Each retry is of the 8 packets that were outstanding.
TEST(RetryExhausted, WhereEachRetryIsOfSeveralPackets) {
  const Report report = testing::report_of({testing::shipped("link_away-server-exhausted.pcapng")});
  const auto is_it = [](const Finding& f) { return f.info->id == FindingId::kRetryExhausted; };
  const auto found = std::find_if(report.findings.begin(), report.findings.end(), is_it);
  ASSERT_NE(found, report.findings.end());
  EXPECT_EQ(found->weight, 6U);
}

}  // namespace
}  // namespace rocescope::outstanding_test
