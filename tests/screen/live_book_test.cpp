// What a screen remembers of the updates.
#include "screen/live_book.hpp"

#include <gmock/gmock.h>

#include "screen/screen_model.hpp"
#include "updates.hpp"

namespace rocescope::screen {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(RateHistory, HasARateForEachLook) {
  RateHistory history;
  history.add(2, 5);
  history.add(3, 6);
  history.add(6, 7);
  EXPECT_THAT(history.until(7, 7), ElementsAre(0, 5, 6, 0, 0, 7, 0));
  EXPECT_THAT(history.until(3, 2), ElementsAre(5, 6));
  EXPECT_THAT(history.until(2, 4), ElementsAre(0, 0, 0, 5));
  EXPECT_EQ(history.at(6), 7);
  EXPECT_EQ(history.at(7), 0);
}

TEST(RateHistory, ForgetsWhatIsLongAgo) {
  RateHistory history;
  for (std::uint64_t look = 1; look <= 100; ++look) history.add(look, static_cast<double>(look));
  EXPECT_THAT(history.until(100, 1000), SizeIs(RateHistory::kMost));
  EXPECT_EQ(history.at(100 - RateHistory::kMost), 0);
  EXPECT_EQ(history.at(101 - RateHistory::kMost), 101 - static_cast<float>(RateHistory::kMost));
  history.add(1'000'000, 9);
  EXPECT_EQ(history.at(1'000'000), 9);
  for (std::uint64_t look = 1'000'000 - RateHistory::kMost; look < 1'000'000; ++look) EXPECT_EQ(history.at(look), 0);
}

TEST(LiveBook, RateOfAConnectionIsWhatItSentSinceTheLookBefore) {
  LiveBook book(0);
  const auto look = [&](std::int64_t second, std::uint64_t bytes) {
    LiveUpdate update{.time = second * kSecond, .duration = kSecond};
    if (bytes > 0) update.connections.push_back(connection_of(5, {.bytes = bytes}));
    book.add(update);
  };
  look(1, 1000);
  look(2, 4000);
  look(3, 0);
  look(4, 4500);
  ASSERT_NE(book.find(5), nullptr);
  EXPECT_THAT(book.find(5)->rates.until(4, 4), ElementsAre(8000, 24000, 0, 4000));
  EXPECT_EQ(book.find(4), nullptr);
  EXPECT_EQ(book.find(6), nullptr);
}

TEST(LiveBook, DropsConnectionsThatAreGone) {
  LiveBook book(0);
  LiveUpdate update{.time = kSecond, .duration = kSecond};
  for (const std::uint32_t number : {1U, 2U, 3U})
    update.connections.push_back(connection_of(number, {.bytes = number}));
  book.add(update);
  update.connections.clear();
  update.connections.push_back(connection_of(3, {.bytes = 5}));
  update.gone = {{.number = 1, .part_of = 3}};
  book.add(update);
  EXPECT_EQ(book.find(1), nullptr);
  ASSERT_NE(book.find(2), nullptr);
  EXPECT_EQ(book.find(2)->bytes, 2U);
  ASSERT_NE(book.find(3), nullptr);
  EXPECT_EQ(book.find(3)->bytes, 5U);
  EXPECT_THAT(listed_connections(book, {.order = Order::kNumber}), ElementsAre(2, 3));
}

TEST(LiveBook, DropsTheLastConnection) {
  LiveBook book(0);
  LiveUpdate update{.time = kSecond, .duration = kSecond};
  update.connections.push_back(connection_of(1, {.bytes = 1}));
  book.add(update);
  update.connections.clear();
  update.gone = {{.number = 1, .part_of = 0}};
  book.add(update);
  EXPECT_THAT(book.rows(), SizeIs(0));
  update.gone = {{.number = 7, .part_of = 1}};  // which it never knew
  book.add(update);
  EXPECT_THAT(book.rows(), SizeIs(0));
}

TEST(LiveBook, FindingsAreNewestFirstAndTheWorstOnTop) {
  LiveBook book(0);
  LiveUpdate update{.time = kSecond};
  update.findings.push_back(finding_of(FindingId::kPacketLossBefore, "first"));
  update.findings.push_back(finding_of(FindingId::kSmallMtu, "second"));
  book.add(update);
  update.findings = {finding_of(FindingId::kNotEct, "later")};
  book.add(update);
  std::vector<std::string> texts;
  for (const TimedFinding& each : book.findings()) texts.push_back(each.finding.what);
  EXPECT_THAT(texts, ElementsAre("later", "first", "second"));
}

TEST(LiveBook, CausesAreAboveWhatFollowsFromThemAndNotesBelow) {
  LiveBook book(0);
  LiveUpdate update{.time = kSecond};
  update.findings = {finding_of(FindingId::kPacketLossBefore, "lost", 1),
                     finding_of(FindingId::kRetransmissions, "sent again", 1),
                     finding_of(FindingId::kSmallMtu, "advice", 1), finding_of(FindingId::kRnr, "not ready", 2)};
  update.findings[1].cause = &finding_info(FindingId::kPacketLossBefore);
  book.add(update);
  std::vector<std::string> texts;
  for (const TimedFinding& each : book.findings()) texts.push_back(each.finding.what);
  EXPECT_THAT(texts, ElementsAre("lost", "not ready", "sent again", "advice"));
}

TEST(LiveBook, KeepsSoManyFindings) {
  LiveBook book(0);
  LiveUpdate update;
  for (int i = 0; i < 1000; ++i) update.findings.push_back(finding_of(FindingId::kSmallMtu, std::to_string(i)));
  book.add(update);
  EXPECT_EQ(book.findings().size(), LiveBook::kMostFindings);
  EXPECT_EQ(book.findings().front().finding.what, "0");
}

TEST(LiveBook, StateIsTheEndOfEitherSideElseTheFurther) {
  LiveBook book(0);
  const auto state_of = [&](std::optional<QpState> first, std::optional<QpState> second) {
    LiveUpdate update;
    update.connections.push_back(connection_of(1, {.states = {first, second}}));
    book.add(update);
    return book.find(1)->state;
  };
  EXPECT_EQ(state_of({}, {}), std::nullopt);
  EXPECT_EQ(state_of({}, QpState::kRts), QpState::kRts);
  EXPECT_EQ(state_of(QpState::kRts, QpState::kRtr), QpState::kRts);
  EXPECT_EQ(state_of(QpState::kInit, QpState::kRtr), QpState::kRtr);
  EXPECT_EQ(state_of(QpState::kErr, QpState::kReset), QpState::kErr);
  EXPECT_EQ(state_of(QpState::kErr, QpState::kInit), QpState::kErr);
  EXPECT_EQ(state_of(QpState::kRts, QpState::kReset), QpState::kReset);
}

TEST(LiveBook, ConnectionThatEndedWithAnErrorIsFirstByTroubleAndNeverHidden) {
  LiveBook book(0);
  LiveUpdate update{.time = kSecond, .duration = kSecond};
  update.connections.push_back(connection_of(1, {.bytes = 900, .resent = 100}));
  update.connections.push_back(connection_of(2, {.states = {QpState::kErr, QpState::kErr}}));  // a REJ
  update.connections.push_back(connection_of(3, {.states = {QpState::kErr, QpState::kErr}}));  // a DREQ
  update.connections.push_back(connection_of(4, {.states = {QpState::kRts, QpState::kRts}}));
  update.connections.push_back(connection_of(5, {.states = {QpState::kReset, QpState::kReset}}));
  update.connections.back().sides[1].sightings.add(FindingId::kRetryExhausted, 1, 1, 1);
  update.connections.push_back(connection_of(6, {.states = {QpState::kReset, QpState::kReset}}));
  update.connections.back().sides[0].requests.make().troubles.make().fatal_naks = 1;
  update.findings.push_back(finding_of(FindingId::kCmReject, "refused", 2));
  update.findings.push_back(finding_of(FindingId::kSmallMessages, "small", 3));
  update.findings.push_back(finding_of(FindingId::kPacketLossBefore, "lost", 4));
  update.findings.push_back(finding_of(FindingId::kPacketLossBefore, "lost", 77));
  book.add(update);
  EXPECT_THAT(listed_connections(book, {.order = Order::kTrouble}), ElementsAre(6, 2, 5, 1, 3, 4));
  EXPECT_THAT(listed_connections(book, {.order = Order::kNumber, .troubled_only = true}), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(listed_connections(book, {.order = Order::kRate}), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(LiveBook, ErrorsOfADirectionAreThoseOfTheConnectionThatItIsPartOf) {
  LiveBook book(0);
  LiveUpdate update{.time = kSecond, .duration = kSecond};
  update.connections.push_back(connection_of(1, {}));
  update.connections.push_back(connection_of(2, {.states = {QpState::kErr, QpState::kErr}}));
  update.findings.push_back(finding_of(FindingId::kCmReject, "refused", 1));
  book.add(update);
  EXPECT_FALSE(book.find(2)->failed());
  update.findings.clear();
  update.connections.pop_front();
  update.gone = {{.number = 1, .part_of = 2}};
  book.add(update);
  EXPECT_TRUE(book.find(2)->failed());
}

class List : public ::testing::Test {
 protected:
  List() : book(0) {
    LiveUpdate update{.time = kSecond, .duration = kSecond};
    update.connections.push_back(connection_of(1, {.bytes = 100, .resent = 7, .time = 50}));
    update.connections.push_back(connection_of(2, {.bytes = 900, .time = 90}));
    update.connections.push_back(connection_of(3, {.bytes = 500, .resent = 9}));
    update.connections.push_back(
        connection_of(4, {.bytes = 900, .states = {QpState::kErr, QpState::kErr}, .time = 90}));
    book.add(update);
  }
  [[nodiscard]] std::vector<std::uint32_t> listed(const UiState& ui) const { return listed_connections(book, ui); }

  LiveBook book;
};

TEST_F(List, IsSorted) {
  EXPECT_THAT(listed({.order = Order::kTrouble}), ElementsAre(3, 1, 2, 4));
  EXPECT_THAT(listed({.order = Order::kRate}), ElementsAre(2, 4, 3, 1));
  EXPECT_THAT(listed({.order = Order::kLatency}), ElementsAre(2, 4, 1, 3));
  EXPECT_THAT(listed({.order = Order::kNumber}), ElementsAre(1, 2, 3, 4));
}

TEST_F(List, HasThoseThatPassTheFilter) {
  EXPECT_THAT(listed({.order = Order::kNumber, .troubled_only = true}), ElementsAre(1, 3));
  EXPECT_THAT(listed({.filter = "ERR"}), ElementsAre(4));
  EXPECT_THAT(listed({.filter = "10.0.0.3 "}), ElementsAre(3));
  EXPECT_THAT(listed({.filter = "0x000102"}), ElementsAre(2));
  EXPECT_THAT(listed({.filter = "nothing"}), ElementsAre());
}

}  // namespace
}  // namespace rocescope::screen
