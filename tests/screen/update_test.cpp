// What keys do to what the user has chosen.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "screen/ui_state.hpp"

namespace rocescope::screen {
namespace {

using Kind = Key::Kind;

constexpr Key key(char character) { return {Kind::kCharacter, character}; }
constexpr Key key(Kind kind) { return {kind}; }

class Update : public ::testing::Test {
 protected:
  /// A list of the connections 101 to 130, of which ten have room.
  Update() {
    for (std::uint32_t number = 101; number <= 130; ++number) numbers.push_back(number);
  }
  Action press(Key pressed) {
    const Reaction reaction = update(state, pressed, {.numbers = numbers, .rows = 10, .most_back = 25});
    state = reaction.state;
    return reaction.action;
  }
  void type(std::string_view text) {
    for (const char each : text) press(key(each));
  }

  std::vector<std::uint32_t> numbers;
  UiState state;
};

TEST_F(Update, MovesTheMarkWithinTheList) {
  press(key(Kind::kDown));
  EXPECT_EQ(state.chosen, 102U);
  press(key('j'));
  EXPECT_EQ(state.chosen, 103U);
  press(key(Kind::kUp));
  press(key('k'));
  press(key('k'));
  EXPECT_EQ(state.chosen, 101U);
  press(key(Kind::kEnd));
  EXPECT_EQ(state.chosen, 130U);
  press(key(Kind::kDown));
  EXPECT_EQ(state.chosen, 130U);
  press(key(Kind::kPageUp));
  EXPECT_EQ(state.chosen, 120U);
  press(key('G'));
  press(key('g'));
  EXPECT_EQ(state.chosen, 0U);  // whatever is on top
  press(key(Kind::kPageDown));
  EXPECT_EQ(state.chosen, 111U);
}

TEST_F(Update, ScrollsNoFurtherThanTheMarkNeeds) {
  for (int i = 0; i < 9; ++i) press(key(Kind::kDown));
  EXPECT_EQ(state.top, 0U);
  press(key(Kind::kDown));
  EXPECT_EQ(state.top, 1U);
  press(key(Kind::kUp));
  EXPECT_EQ(state.top, 1U);
  press(key(Kind::kEnd));
  EXPECT_EQ(state.top, 20U);
  press(key(Kind::kHome));
  EXPECT_EQ(state.top, 0U);
}

TEST_F(Update, MarkStaysOnItsConnectionWhenTheListChanges) {
  press(key(Kind::kDown));
  numbers.insert(numbers.begin(), 7);
  EXPECT_EQ(chosen_index(state, numbers), 2U);
  press(key(Kind::kDown));
  EXPECT_EQ(state.chosen, 103U);
}

TEST_F(Update, MarkIsOnTopWhenItsConnectionIsNotListed) {
  press(key(Kind::kEnd));
  numbers.resize(4);
  EXPECT_EQ(chosen_index(state, numbers), 0U);
  EXPECT_EQ(first_shown(state, {.numbers = numbers, .rows = 10}), 0U);
}

TEST_F(Update, ListThatFitsIsNotScrolled) {
  press(key(Kind::kEnd));
  EXPECT_EQ(first_shown(state, {.numbers = numbers, .rows = 30}), 0U);
  EXPECT_EQ(first_shown(state, {.numbers = numbers, .rows = 29}), 1U);
  EXPECT_EQ(first_shown(state, {.numbers = numbers, .rows = 0}), 0U);  // no room at all
}

TEST_F(Update, EnterOpensTheMarkedConnection) {
  press(key(Kind::kEnter));
  EXPECT_EQ(state.page, Page::kConnection);
  EXPECT_EQ(state.chosen, 101U);
  EXPECT_EQ(press(key('q')), Action::kNone);
  EXPECT_EQ(state.page, Page::kConnections);
  press(key(Kind::kDown));
  press(key(Kind::kEnter));
  EXPECT_EQ(state.chosen, 102U);
  press(key(Kind::kEscape));
  EXPECT_EQ(state.page, Page::kConnections);
}

TEST_F(Update, EmptyListTakesAnyKey) {
  numbers.clear();
  for (const Kind kind : {Kind::kUp, Kind::kDown, Kind::kPageUp, Kind::kPageDown, Kind::kHome, Kind::kEnd, Kind::kEnter,
                          Kind::kEscape, Kind::kBackspace}) {
    EXPECT_EQ(press(key(kind)), Action::kNone);
    EXPECT_EQ(state, UiState());
  }
}

TEST_F(Update, LadderScrollsBackFromItsEnd) {
  press(key(Kind::kEnter));
  press(key(Kind::kDown));
  EXPECT_EQ(state.back, 0U);
  press(key(Kind::kUp));
  EXPECT_EQ(state.back, 1U);
  press(key(Kind::kPageUp));
  EXPECT_EQ(state.back, 11U);
  press(key(Kind::kHome));
  EXPECT_EQ(state.back, 25U);
  press(key(Kind::kUp));
  EXPECT_EQ(state.back, 25U);
  press(key(Kind::kPageDown));
  EXPECT_EQ(state.back, 15U);
  press(key(Kind::kEnd));
  EXPECT_EQ(state.back, 0U);
}

TEST_F(Update, OpensTheLadderAtItsEnd) {
  press(key(Kind::kEnter));
  press(key(Kind::kHome));
  press(key('q'));
  press(key(Kind::kEnter));
  EXPECT_EQ(state.back, 0U);
}

TEST_F(Update, SortsFromTheTop) {
  const std::pair<char, Order> orders[] = {
      {'r', Order::kRate}, {'l', Order::kLatency}, {'n', Order::kNumber}, {'t', Order::kTrouble}};
  for (const auto& [character, order] : orders) {
    press(key(Kind::kEnd));
    press(key(character));
    EXPECT_EQ(state.order, order);
    EXPECT_EQ(state.chosen, 0U);
    EXPECT_EQ(state.top, 0U);
  }
}

TEST_F(Update, FilterTakesKeysThatMeanSomethingElsewhere) {
  press(key('/'));
  type("pq?/ 10.0.0.1");
  EXPECT_EQ(state.filter, "pq?/ 10.0.0.1");
  EXPECT_FALSE(state.paused);
  press(key(Kind::kBackspace));
  press(key(Kind::kDown));
  press(key('\x1b'));
  EXPECT_EQ(state.filter, "pq?/ 10.0.0.");
  press(key(Kind::kEnter));
  EXPECT_FALSE(state.typing);
  EXPECT_EQ(state.page, Page::kConnections);
  EXPECT_EQ(press(key('q')), Action::kQuit);
}

TEST_F(Update, EscapeEndsTheFilter) {
  press(key('/'));
  type("abc");
  press(key(Kind::kEscape));
  EXPECT_EQ(state, UiState());
  press(key('/'));
  type("abc");
  press(key(Kind::kEnter));
  press(key('e'));
  EXPECT_TRUE(state.troubled_only);
  press(key(Kind::kEscape));
  EXPECT_EQ(state, UiState());
}

TEST_F(Update, FilterHasAnEnd) {
  press(key('/'));
  for (int i = 0; i < 1000; ++i) press(key('x'));
  EXPECT_EQ(state.filter.size(), 60U);
  for (int i = 0; i < 1000; ++i) press(key(Kind::kBackspace));
  EXPECT_EQ(state.filter, "");
}

TEST_F(Update, AnyKeyClosesHelpAndDoesNothingElse) {
  for (const Key closing : {key('q'), key('?'), key(Kind::kEnter), key(Kind::kEscape), key('p')}) {
    press(key('?'));
    EXPECT_TRUE(state.help);
    EXPECT_EQ(press(closing), Action::kNone);
    EXPECT_EQ(state, UiState());
  }
}

TEST_F(Update, PausesOnEveryPage) {
  press(key('p'));
  EXPECT_TRUE(state.paused);
  press(key(Kind::kEnter));
  press(key(' '));
  EXPECT_FALSE(state.paused);
  EXPECT_EQ(state.page, Page::kConnection);
}

TEST_F(Update, SavesTheMarkedConnection) {
  press(key(Kind::kDown));
  EXPECT_EQ(press(key('s')), Action::kSave);
  EXPECT_EQ(state.chosen, 102U);
  press(key(Kind::kHome));
  EXPECT_EQ(press(key('s')), Action::kSave);
  EXPECT_EQ(state.chosen, 101U);
  press(key(Kind::kEnter));
  EXPECT_EQ(press(key('s')), Action::kSave);
  EXPECT_EQ(state.page, Page::kConnection);
  press(key('q'));
  numbers.clear();
  EXPECT_EQ(press(key('s')), Action::kNone);
}

TEST_F(Update, KeysWithoutMeaningChangeNothing) {
  for (const char character : {'z', 'Q', '1', '\0', '\x7f'}) {
    EXPECT_EQ(press(key(character)), Action::kNone);
    EXPECT_EQ(state.chosen, 0U);
  }
  EXPECT_EQ(state, UiState());
}

}  // namespace
}  // namespace rocescope::screen
