// When captures end that are read together, by their names and times.
#include "tracking/connections/capture_ends.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/durations.hpp"

namespace rocescope::capture_ends_test {
namespace {

struct Capture {
  std::string name;
  std::int64_t first = 0;  // s
  std::int64_t last = 0;
};

/// In seconds, of each.
std::vector<std::int64_t> ends_of(const std::vector<Capture>& captures) {
  CaptureEnds ends;
  std::vector<std::string> names;
  for (const Capture& capture : captures) names.push_back(capture.name);
  ends.name(names);
  for (std::uint32_t i = 0; i < captures.size(); ++i) {
    ends.pass(i, captures[i].first * kSecond);
    ends.pass(i, captures[i].last * kSecond);
  }
  std::vector<std::int64_t> found;
  for (std::uint32_t i = 0; i < captures.size(); ++i) found.push_back(ends.end_of(i) / kSecond);
  return found;
}

using Ends = std::vector<std::int64_t>;

TEST(CaptureEnds, AreThoseOfEachWhereTheyAreOfOtherPlaces) {
  EXPECT_EQ(ends_of({{"a.pcap", 1, 5}, {"b.pcap", 2, 9}}), (Ends{5, 9}));
  EXPECT_EQ(ends_of({{"a.pcap", 1, 5}, {"b.pcap", 6, 9}}), (Ends{5, 9}));
  EXPECT_EQ(ends_of({{"node1.pcap", 1, 5}, {"node2.pcap", 2, 9}}), (Ends{5, 9})) << "it begins before the other ends";
  EXPECT_EQ(ends_of({{"1/a.pcap", 1, 5}, {"2/a.pcap", 6, 9}}), (Ends{5, 9})) << "folders are of hosts";
}

TEST(CaptureEnds, AreThoseOfTheLastOneThatFollows) {
  EXPECT_EQ(ends_of({{"x.pcap", 1, 5}, {"x.pcap1", 5, 9}, {"x.pcap2", 20, 21}}), (Ends{21, 21, 21}));
  EXPECT_EQ(ends_of({{"x.pcap9", 1, 5}, {"x.pcap10", 5, 9}, {"x.pcap11", 9, 12}}), (Ends{12, 12, 12}));
  EXPECT_EQ(ends_of({{"x.pcap0", 7, 9}, {"x.pcap1", 1, 4}, {"x.pcap2", 4, 6}}), (Ends{9, 9, 9})) << "a ring";
  EXPECT_EQ(ends_of({{"x_00001_20260101000001.pcapng.gz", 1, 4}, {"x_00002_20260101000004.pcapng", 4, 6}}),
            (Ends{6, 6}));
}

TEST(CaptureEnds, OfTwoHostsGoOnInFilesOfTheirOwn) {
  EXPECT_EQ(ends_of({{"node1_1.pcap", 1, 4}, {"node2_1.pcap", 2, 6}, {"node1_2.pcap", 5, 7}, {"node2_2.pcap", 8, 20}}),
            (Ends{7, 20, 7, 20}));
}

TEST(CaptureEnds, TimesMayGoBackALittle) {
  CaptureEnds ends;
  ends.name({"x_1.pcap", "x_2.pcap"});
  ends.pass(0, 1 * kSecond);
  ends.pass(0, 3 * kSecond + 50 * kMillisecond);
  ends.pass(1, 3 * kSecond);
  ends.pass(1, 5 * kSecond);
  EXPECT_EQ(ends.end_of(0), 5 * kSecond);
  ends.pass(0, 3 * kSecond + 200 * kMillisecond);  // it has not ended after all
  EXPECT_EQ(ends.end_of(0), 3 * kSecond + 200 * kMillisecond);
}

/// What was asked before says nothing about what is known now.
TEST(CaptureEnds, AreTheSameWheneverTheyWereAskedBefore) {
  for (const bool asked : {false, true}) {
    CaptureEnds ends;
    ends.name({"x_1.pcap", "x_2.pcap"});
    ends.pass(0, 1 * kSecond);
    ends.pass(1, 3 * kSecond);
    if (asked) {
      EXPECT_EQ(ends.end_of(0), 3 * kSecond);
    }
    ends.pass(0, 3 * kSecond + 100 * kMillisecond);
    ends.pass(1, 5 * kSecond);
    EXPECT_EQ(ends.end_of(0), 3 * kSecond + 100 * kMillisecond) << asked;
  }
}

TEST(CaptureEnds, AreNotAskedOfOneAlone) {
  CaptureEnds ends;
  ends.name({"x.pcap"});
  ends.pass(0, kSecond);
  EXPECT_EQ(ends.end_of(0), CaptureEnds::kNever);
}

TEST(CaptureEnds, AreFoundAmongMany) {
  constexpr std::uint32_t kMany = 5'000;
  std::vector<Capture> captures;
  for (std::uint32_t i = 0; i < kMany; ++i) captures.push_back({"x_" + std::to_string(i) + ".pcap", 2 * i, 2 * i + 1});
  EXPECT_EQ(ends_of(captures), Ends(kMany, 2 * kMany - 1));
}

}  // namespace
}  // namespace rocescope::capture_ends_test
