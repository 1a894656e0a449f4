// Screens as text. Their numbers are those that `analyze` and tshark tell of the same captures.
#include "screen/layout.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "analysis/analysis.hpp"
#include "analysis/packet_reader.hpp"
#include "ladder/ladder.hpp"
#include "rocescope/capture.hpp"
#include "support/source_dir.hpp"
#include "updates.hpp"

namespace rocescope::screen {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A screen of what a capture has, with a look after each 100 ms in which packets came.
class Recorded {
 public:
  /// The first `end` nanoseconds of it.
  explicit Recorded(const std::string& name, std::int64_t end, UiState ui = {}) : book_(0) {
    const auto source = open_capture(rocescope::testing::source_dir() + "/captures/" + name);
    if (!source) throw std::runtime_error(source.error().message);
    Analysis analysis(**source, {});
    const std::int64_t start = first_time(name);
    book_ = LiveBook(start);
    analysis.watch(start);
    constexpr std::int64_t kStep = kSecond / 10;
    const std::vector<LiveCounters> counters = {{.received = 213}};
    const auto look = [&](std::int64_t time) {
      LiveUpdate update = analysis.look(time, counters);
      update.interfaces = {"enp0s1"};
      book_.add(update);
    };
    std::int64_t time = 0;
    while (const PacketRecord* record = analysis.next()) {
      time = record->packet->frame.timestamp;
      if (time >= book_.start() + end) break;
      if (time < book_.last().time + kStep) continue;
      look(time);
    }
    look(time);
    model.book = &book_;
    model.ui = std::move(ui);
    model.numbers = listed_connections(book_, model.ui);
    if (model.ui.page == Page::kConnection) open(name, analysis.tracker());
  }

  [[nodiscard]] std::string text(std::size_t width, std::size_t height) const {
    return layout(model, width, height).text();
  }

  ScreenModel model;

 private:
  static std::int64_t first_time(const std::string& name) {
    Frame first;
    const auto source = open_capture(rocescope::testing::source_dir() + "/captures/" + name);
    return (*source)->next(first) ? first.timestamp : 0;
  }

  void open(const std::string& name, const Tracker& tracker) {
    const std::uint32_t number = model.ui.chosen;
    const Tracking known = tracker.snapshot(std::span(&number, 1));
    detail_.connection = known.connections.front();
    const auto source = open_capture(rocescope::testing::source_dir() + "/captures/" + name);
    PacketReader reader(**source);
    Ladder ladder({known.connections, number}, {}, [&](const LadderEvent& event) { detail_.ladder.push_back(event); });
    while (const PacketRecord* record = reader.next()) ladder.add(*record);
    ladder.finish();
    model.detail = &detail_;
  }

  LiveBook book_;
  ConnectionDetail detail_;
};

/// A screen of connections that were made up.
class MadeUp {
 public:
  explicit MadeUp(std::uint32_t connections) : book_(0) {
    LiveUpdate update{.time = kSecond, .duration = kSecond, .interfaces = {"enp0s1"}, .counters = {{}}};
    for (std::uint32_t number = 1; number <= connections; ++number) {
      update.connections.push_back(
          connection_of(number, {.bytes = number * 125U, .resent = number % 100 == 0 ? 1U : 0U}));
    }
    book_.add(update);
    model.book = &book_;
    list();
  }
  void list() { model.numbers = listed_connections(book_, model.ui); }
  [[nodiscard]] std::string text(std::size_t width = 80, std::size_t height = 24) const {
    return layout(model, width, height).text();
  }
  void press(Key key) {
    model.ui = update(model.ui, key, view_of(model, 80, 24)).state;
    list();
  }

  ScreenModel model;

 private:
  LiveBook book_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Layout, ShowsAll) {
  const Recorded screen("impaired_out-loss_heavy.pcapng", 36 * kSecond / 10);
  EXPECT_EQ(screen.text(80, 24), R"( rocescope live  enp0s1                                                  3.63 s
 Packets   172 /s  Resent    91.7 %  NAKs           4  Dropped        0
 Rate   1.37 Mb/s  CE           0 %  CNPs           0                        █▅
 Connections 1, by trouble
no. connection                  state    b/s         out     p50     p99 trouble
  1 192.168.2.25 > 192.168.2.24 RTS   1.37 M     █▅    2 5.12 ms 7.64 ms      20












 Newest findings
     3.56 s error   connection 1: at least 3 packets lost before the capture po…
     3.56 s error   connection 1: about 1 packet sent again after about 1 timeo…
     3.56 s warning connection 1: at least 9 packets sent again in 3 recoveries…
     3.56 s warning connection 1: go-back-N resent at least 6.14 kB, 17 % of wh…
 q quit  Enter open  t r l n sort  / filter  e trouble  s save  p pause  ? help
)");
}

TEST(Layout, IsWhatTheReadmeShows) {
  const Recorded screen("two_views-corrupt.pcap.gz", 6 * kSecond / 10);
  std::string shown;
  for (const std::string& line : lines_of(screen.text(110, 20))) shown += line.empty() ? "\n" : "    " + line + "\n";
  std::ifstream file(rocescope::testing::source_dir() + "/src/screen/README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_THAT(readme, HasSubstr(shown)) << shown;
}

TEST(Layout, ShowsMoreWhereThereIsRoom) {
  const Recorded screen("impaired_out-loss_heavy.pcapng", 36 * kSecond / 10);
  const std::vector<std::string> lines = lines_of(screen.text(200, 60));
  ASSERT_EQ(lines.size(), 60U);
  EXPECT_EQ(
      lines[4],
      R"(no. connection                                                  state    b/s                                                               out     p50     p99  resent    NAKs    CNPs      CE trouble)");
  EXPECT_EQ(
      lines[5],
      R"(  1 192.168.2.25 0x000011 > 192.168.2.24 0x000011               RTS   1.37 M                                                           █▅    2 5.12 ms 7.64 ms      20       4                      20)");
  EXPECT_EQ(lines[46], " Newest findings");
  EXPECT_THAT(lines[49],
              StartsWith("     3.56 s warning connection 1: at least 9 packets sent again in 3 recoveries; 2 "
                         "stalls, longest 67.7 ms"));
}

TEST(Layout, ShowsAConnection) {
  const Recorded screen("impaired_out-loss_heavy.pcapng", 10 * kSecond, {.page = Page::kConnection, .chosen = 1});
  EXPECT_EQ(screen.text(80, 24), R"( rocescope live  enp0s1                                                  4.11 s
 Connection 1: RC, MTU 1024, paired by oob
 side                   state packets    sent messages  out resent   NAKs   CNPs
 192.168.2.25 0x000011    RTS     150  163 kB       10    0     79      9      0
 192.168.2.24 0x000011    RTS      19 1.18 kB        0    0      0      0      0
 Rate     0 b/s                                                        ▆█▇▁
 Message times  10: p50 68.2 ms, p90 140 ms, p99 140 ms, max 140 ms
 <   2.10 ms              2 █████████████████████████
 >=  4.19 ms              2 █████████████████████████
 >=  67.1 ms              2 █████████████████████████
 >=   134 ms              4 ██████████████████████████████████████████████████
 Last messages
                            |     PSN 10657612-10657613                       |
!   180   3.837529  61.6 ms |-- WRITE Middle  1,024 B, PSN 10657602 --------->|
                            |     retransmission after a timeout; the first   |
                            |     copy was not seen at the capture point      |
!   181   3.838400   871 us |-- 3 x WRITE  1,024 B, PSN 10657603-10657605 --->|
                            |     retransmission of 153-155 after a timeout   |
    184   3.839190   358 us |<- ACK  PSN 10657605 ----------------------------|
!   185   3.839321   131 us |-- 8 x WRITE  1,024 B, PSN 10657606-10657613 --->|
                            |     in 4.59 ms                                  |
                            |     retransmission of 156-179 after a timeout   |
    193   3.844500   588 us |<- ACK  PSN 10657613 ----------------------------|
 q back  Up Down scroll  s save  p pause  ? help
)");
}

TEST(Layout, LadderScrollsToItsBeginning) {
  Recorded screen("impaired_out-loss_heavy.pcapng", 10 * kSecond, {.page = Page::kConnection, .chosen = 1});
  screen.model.ui.back = view_of(screen.model, 80, 24).most_back;
  EXPECT_THAT(lines_of(screen.text(80, 24))[12], HasSubstr("     24   3.482"));
  const std::string beginning = screen.text(80, 24);
  screen.model.ui.back = 1'000'000;  // the screen was smaller then
  EXPECT_EQ(screen.text(80, 24), beginning);
  EXPECT_EQ(view_of(screen.model, 80, 1000).most_back, 0U);
}

TEST(Layout, HasAsciiForTerminalsWithoutMore) {
  for (const Page page : {Page::kConnections, Page::kConnection}) {
    Recorded screen("impaired_out-loss_heavy.pcapng", 10 * kSecond, {.page = page, .chosen = 1});
    screen.model.unicode = false;
    const std::string text = screen.text(80, 24);
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char each) { return each > 0; })) << text;
    EXPECT_THAT(text, HasSubstr("#"));
  }
}

TEST(Layout, SaysSoWhereItHasNothing) {
  const MadeUp screen(0);
  EXPECT_EQ(screen.text(80, 24), R"( rocescope live  enp0s1                                                  1.00 s
 Packets     0 /s  Resent       0 %  NAKs           0  Dropped        0
 Rate       0 b/s  CE           0 %  CNPs           0
 Connections 0, by trouble
no. connection                  state    b/s         out     p50     p99 trouble
 None so far: no RoCE packet came.












 No findings




 q quit  Enter open  t r l n sort  / filter  e trouble  s save  p pause  ? help
)");
}

TEST(Layout, SaysSoWhereItHasNoRoom) {
  const MadeUp screen(3);
  EXPECT_EQ(screen.text(40, 10),
            "This terminal is too small:\n40 x 10; the screen takes\n72 x 14 at least. q quits\n\n\n\n\n\n\n\n");
  EXPECT_EQ(screen.text(5, 1), "This\n");
  EXPECT_EQ(screen.text(0, 0), "");
}

TEST(Layout, ShowsTheCommandsOfAProtocol) {
  const Recorded screen("nvme_io.pcapng", 60 * kSecond);
  const std::string text = screen.text(96, 24);
  EXPECT_THAT(text, HasSubstr("\n NVMe-oF    IOPS "));
  EXPECT_THAT(text, HasSubstr("failed    0\n Connections "));
}

TEST(Layout, ShowsNoBytesThatNobodyKnows) {
  LiveUpdate update{.time = kSecond, .duration = kSecond, .interfaces = {"enp0s1"}, .counters = {{}}};
  LiveCommands read{.protocol = UpperProtocol::kSrp, .operation = "Read(10)", .over = 2, .unsized = 1, .latency = {}};
  MadeUp screen(0);
  const auto text = [&](std::uint64_t bytes) {
    read.bytes = bytes;
    update.commands = {read};
    update.total_commands = {read};
    LiveBook book(0);
    book.add(update);
    screen.model.book = &book;
    std::string all = screen.text(96, 24);
    screen.model.book = nullptr;
    return all;
  };
  EXPECT_THAT(text(0), HasSubstr("\n SRP        IOPS     2            -  out "));
  EXPECT_THAT(text(512), HasSubstr("\n SRP        IOPS     2     512 B/s+  out "));
  read.unsized = 0;
  EXPECT_THAT(text(512), HasSubstr("\n SRP        IOPS     2      512 B/s  out "));
}

TEST(Layout, HasAHelpPage) {
  MadeUp screen(3);
  screen.press({Key::Kind::kCharacter, '?'});
  EXPECT_EQ(screen.text(80, 24), R"( rocescope live  enp0s1                                                  1.00 s
 Up Down j k  mark another connection; PgUp, PgDn, Home, End as well
 Enter        open it: rates, times, last messages; q or Esc closes it
 t r l n      sort by trouble (failed ones first), rate, p99, number
 /            list only those with a text: an address, number, state
 e            list only those that failed or had trouble
 Esc          list all again
 s            write its packets to connection-N.pcapng; s ends that
 p            pause the screen; the capture goes on
 q Ctrl-C     end the capture and print the report

 state        ERR or RESET of either queue pair, else the further state
 b/s          of both directions, headers included, since the last look
 out          messages outstanding: requested and not yet answered
 p50 p99      from the first packet of a message to its completion
 trouble      packets sent again, and NAKs except sequence errors
 Resent CE    share of packets sent again, marked, since the last look
 NAKs CNPs    since the start
 Dropped      lost by the kernel or an interface, since the start
 IOPS ...     commands of protocols such as NVMe-oF, since the last look



 any key: back
)");
}

TEST(Layout, HelpFitsTheNarrowestTerminal) {
  MadeUp screen(3);
  screen.model.ui.help = true;
  const std::vector<std::string> narrow = lines_of(screen.text(kLeastWidth, 24));
  const std::vector<std::string> wide = lines_of(screen.text(200, 24));
  for (std::size_t y = 1; y < 24; ++y) EXPECT_EQ(narrow[y], wide[y]);
}

TEST(Layout, SaysWhereOnlyOneDirectionWasSeen) {
  MadeUp screen(1);
  const ConnectionDetail detail{.connection = connection_of(1, {.bytes = 100}), .ladder = {}};
  screen.model.ui.page = Page::kConnection;
  screen.model.ui.chosen = 1;
  screen.model.detail = &detail;
  EXPECT_EQ(lines_of(screen.text())[1], " Connection 1: RC, one direction only");
}

TEST(Layout, HasTenThousandConnections) {
  MadeUp screen(10'000);
  std::vector<std::string> lines = lines_of(screen.text());
  EXPECT_EQ(lines[3], " Connections 1-13 of 10,000, by trouble");
  EXPECT_THAT(lines[5], StartsWith("10000 10.0.39.16 > 10.1.39.16"));
  EXPECT_THAT(lines[6], StartsWith(" 9900 "));
  for (const char each : {'r', 'G'}) screen.press({Key::Kind::kCharacter, each});
  lines = lines_of(screen.text());
  EXPECT_EQ(lines[3], " Connections 9,988-10,000 of 10,000, by rate");
  EXPECT_THAT(lines[17], StartsWith("    1 10.0.0.1 > 10.1.0.1"));
  for (const char each : {'/', '.', '3', '9', '.', '1', '6', ' '}) screen.press({Key::Kind::kCharacter, each});
  lines = lines_of(screen.text());
  EXPECT_EQ(lines[3], " Connections 1 that have '.39.16 ', by rate (10,000 in all)");
  EXPECT_THAT(lines[23], StartsWith(" Filter: .39.16 _"));
}

TEST(Layout, SaysSoWhereAFilterLeavesNothing) {
  MadeUp screen(3);
  for (const char each : {'e', '/', 'x'}) screen.press({Key::Kind::kCharacter, each});
  const std::vector<std::string> lines = lines_of(screen.text());
  EXPECT_EQ(lines[3], " Connections 0 with trouble that have 'x', by trouble (3 in all)");
  EXPECT_EQ(lines[5], " None of them.");
}

TEST(Layout, MarksTheChosenConnection) {
  MadeUp screen(3);
  screen.press({Key::Kind::kDown});
  const Cells cells = layout(screen.model, 80, 24);
  EXPECT_FALSE(cells.at(0, 5).reversed);
  EXPECT_TRUE(cells.at(0, 6).reversed);
  EXPECT_TRUE(cells.at(79, 6).reversed);
  EXPECT_FALSE(cells.at(0, 7).reversed);
}

TEST(Layout, SaysThatItIsPaused) {
  MadeUp screen(3);
  EXPECT_THAT(screen.text(), Not(HasSubstr("PAUSED")));
  screen.press({Key::Kind::kCharacter, 'p'});
  EXPECT_THAT(lines_of(screen.text())[0], ::testing::EndsWith("PAUSED at 1.00 s"));
}

TEST(Layout, NoticeStandsInThePlaceOfTheKeys) {
  MadeUp screen(3);
  screen.model.notice = "3 packets written";
  EXPECT_EQ(lines_of(screen.text())[23], " 3 packets written");
  screen.press({Key::Kind::kCharacter, '/'});
  EXPECT_THAT(lines_of(screen.text())[23], StartsWith(" Filter: _"));
}

TEST(Layout, FitsEveryTerminal) {
  const Recorded open("impaired_out-loss_heavy.pcapng", 10 * kSecond, {.page = Page::kConnection, .chosen = 1});
  MadeUp list(1000);
  list.model.ui.typing = true;
  list.model.ui.filter = std::string(60, '0');
  for (std::size_t width = 0; width < 260; ++width) {
    for (const std::size_t height : {0U, 1U, 2U, 13U, 14U, 15U, 24U, 60U, 200U}) {
      for (const ScreenModel* model : std::initializer_list<const ScreenModel*>{&open.model, &list.model}) {
        const Cells cells = layout(*model, width, height);
        EXPECT_EQ(cells.width(), width);
        EXPECT_EQ(cells.height(), height);
        (void)view_of(*model, width, height);
      }
    }
  }
}

}  // namespace
}  // namespace rocescope::screen
