// Which finding of a connection is the cause of which, and in what order they stand.
#include "findings/causes.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "findings/findings.hpp"

namespace rocescope {
namespace {

using ::testing::ElementsAre;

/// Seen `count` times by side 0 of a connection.
Finding finding(FindingId id, std::uint32_t connection, std::uint64_t count = 1) {
  Finding finding{.info = &finding_info(id), .connection = connection, .side = 0, .weight = count};
  finding.seen = {.count = count, .first_time = 10, .last_time = 20};
  return finding;
}

Finding of_side(std::size_t side, Finding finding) {
  finding.side = side;
  return finding;
}

/// `1 rnr`, `1 retransmissions < rnr`
std::vector<std::string> sorted(std::vector<Finding> findings) {
  findings::attribute(findings);
  sort_findings(findings);
  std::vector<std::string> texts;
  for (const Finding& each : findings) {
    texts.push_back(std::to_string(each.connection) + ' ' + std::string(each.info->name));
    if (each.cause != nullptr) texts.back() += " < " + std::string(each.cause->name);
  }
  return texts;
}

TEST(Causes, ComeBeforeTheirConsequences) {
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1, 192), finding(FindingId::kGoBackNWaste, 1, 192),
                      finding(FindingId::kNakSequence, 1, 9), finding(FindingId::kRnr, 1, 9)}),
              ElementsAre("1 rnr", "1 retransmissions < rnr", "1 go_back_n_waste < rnr", "1 nak_sequence < rnr"));
  EXPECT_THAT(sorted({finding(FindingId::kTimeoutRecovery, 1), finding(FindingId::kRetransmissions, 1),
                      finding(FindingId::kIcrcBad, 1)}),
              ElementsAre("1 icrc_bad", "1 timeout_recovery < icrc_bad", "1 retransmissions < icrc_bad"));
}

// The receiver that is not ready until the requester gives up: what it put off last is what the requester gave up at.
TEST(Causes, OfGivingUpIsTheReceiverThatIsNotReady) {
  Finding gave_up = finding(FindingId::kRetryExhausted, 1);
  gave_up.seen = {.count = 1, .first_time = 20, .last_time = 20};
  EXPECT_THAT(sorted({gave_up, finding(FindingId::kRnr, 1, 4), finding(FindingId::kRetransmissions, 1, 3)}),
              ElementsAre("1 rnr", "1 retry_exhausted < rnr", "1 retransmissions < rnr"));
  gave_up.seen = {.count = 1, .first_time = 500, .last_time = 500};
  EXPECT_THAT(sorted({gave_up, finding(FindingId::kRnr, 1, 4), finding(FindingId::kRetransmissions, 1, 3)}),
              ElementsAre("1 retry_exhausted", "1 rnr", "1 retransmissions < rnr"))
      << "it had been ready again; then nothing came back";
}

TEST(Causes, APeerThatIsGoneExplainsWhatNothingElseDoes) {
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1, 7), finding(FindingId::kRetryExhausted, 1)}),
              ElementsAre("1 retry_exhausted", "1 retransmissions < retry_exhausted"));
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1, 7), finding(FindingId::kRetryExhausted, 1),
                      finding(FindingId::kPacketLossBefore, 1, 1)}),
              ElementsAre("1 retry_exhausted", "1 packet_loss_before", "1 retransmissions < packet_loss_before"));
}

// Each asks for one recovery.
TEST(Causes, AreThoseThatWereSeenMostOften) {
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1, 192), finding(FindingId::kIcrcBad, 1, 1),
                      finding(FindingId::kPacketLossAfter, 1, 30)}),
              ElementsAre("1 packet_loss_after", "1 retransmissions < packet_loss_after", "1 icrc_bad"));
}

TEST(Causes, AreOfTheSameDirectionButForDamage) {
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1), of_side(1, finding(FindingId::kPacketLossBefore, 1))}),
              ElementsAre("1 packet_loss_before", "1 retransmissions"));
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1), of_side(1, finding(FindingId::kIcrcBad, 1))}),
              ElementsAre("1 icrc_bad", "1 retransmissions < icrc_bad"));
}

TEST(Causes, AreOfTheSameConnection) {
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1), finding(FindingId::kRnr, 2)}),
              ElementsAre("1 retransmissions", "2 rnr"));
}

TEST(Causes, LeaveAConsequenceAloneThatNothingExplains) {
  EXPECT_THAT(sorted({finding(FindingId::kRetransmissions, 1, 23), finding(FindingId::kTimeoutRecovery, 1, 3),
                      finding(FindingId::kOneSided, 1)}),
              ElementsAre("1 timeout_recovery", "1 retransmissions", "1 one_sided"));
}

// A broken sender: its responder refuses what it sent.
TEST(Causes, OfARefusalIsTheBreachBeforeIt) {
  Finding refused = finding(FindingId::kNakInvalidRequest, 1);
  refused.seen.first_time = 15;
  EXPECT_THAT(sorted({refused, finding(FindingId::kOpcodeOrder, 1)}),
              ElementsAre("1 opcode_order", "1 nak_invalid_request < opcode_order"));
  refused.seen.first_time = 5;
  EXPECT_THAT(sorted({refused, finding(FindingId::kOpcodeOrder, 1)}),
              ElementsAre("1 nak_invalid_request", "1 opcode_order"));
}

TEST(Causes, CountALossOnceThatTwoPointsShow) {
  EXPECT_THAT(sorted({finding(FindingId::kPacketLossAfter, 1, 29), finding(FindingId::kPacketLossBetween, 1, 127)}),
              ElementsAre("1 packet_loss_between", "1 packet_loss_after < packet_loss_between"));
  EXPECT_THAT(sorted({finding(FindingId::kPacketLossAfter, 1, 29), finding(FindingId::kPacketLossBetween, 1, 1)}),
              ElementsAre("1 packet_loss_after", "1 packet_loss_between"));
}

TEST(Causes, CongestionThatNobodyAnswersComesFirstWhereNothingWorseIsThere) {
  EXPECT_THAT(sorted({finding(FindingId::kCaptureLoss, 1, 900), finding(FindingId::kCeWithoutCnp, 1, 65),
                      finding(FindingId::kEcnMarked, 1, 65)}),
              ElementsAre("1 ce_without_cnp", "1 capture_loss", "1 ecn_marked"));
  EXPECT_THAT(sorted({finding(FindingId::kCnpWithoutReaction, 1, 20), finding(FindingId::kRnr, 1, 2)}),
              ElementsAre("1 rnr", "1 cnp_without_reaction"));
}

TEST(SortedFindings, KeepThoseOfAConnectionTogetherTheWorstConnectionFirst) {
  EXPECT_THAT(sorted({finding(FindingId::kRnr, 3, 50), finding(FindingId::kPacketLossBefore, 1, 2),
                      finding(FindingId::kPacketLossBefore, 2, 5), finding(FindingId::kNakRemoteAccess, 4),
                      finding(FindingId::kSmallMtu, 5), finding(FindingId::kRetransmissions, 1, 80),
                      finding(FindingId::kRetransmissions, 2, 4)}),
              ElementsAre("4 nak_remote_access", "2 packet_loss_before", "2 retransmissions < packet_loss_before",
                          "1 packet_loss_before", "1 retransmissions < packet_loss_before", "3 rnr", "5 small_mtu"));
}

TEST(SortedFindings, OfTheWholeCaptureStandAlone) {
  std::vector<Finding> all{finding(FindingId::kPfcStorm, 0), finding(FindingId::kCaptureLoss, 0, 12),
                           finding(FindingId::kPacketLossBefore, 1, 2)};
  EXPECT_THAT(sorted(std::move(all)), ElementsAre("0 pfc_storm", "1 packet_loss_before", "0 capture_loss"));
}

}  // namespace
}  // namespace rocescope
