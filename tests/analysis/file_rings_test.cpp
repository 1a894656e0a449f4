// Which captures are one capture in several files, by their names and times.
#include "analysis/points/file_rings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rocescope/capture.hpp"
#include "support/durations.hpp"

namespace rocescope::file_rings_test {
namespace {

/// A capture, and when it has frames, in ms.
struct Capture {
  std::string name;
  std::vector<std::int64_t> times;
};

/// Captures that are read together.
class Captures final : public FrameSource {
 public:
  explicit Captures(const std::vector<Capture>& captures, std::vector<CaptureInfo> info = {}) : info_(std::move(info)) {
    info_.resize(captures.size());
    for (std::uint32_t i = 0; i < captures.size(); ++i) {
      info_[i].path = captures[i].name;
      for (const std::int64_t time : captures[i].times) frames_.emplace_back(time, i);
    }
    std::ranges::stable_sort(frames_);
  }
  bool next(Frame& frame) override {
    if (next_ == frames_.size()) return false;
    const auto& [time, capture] = frames_[next_++];
    frame.timestamp = time * kMillisecond;
    frame.capture_id = capture;
    return true;
  }
  std::span<const CaptureInfo> info() const override { return info_; }
  bool has_ended(std::uint32_t capture) const override {
    return std::ranges::none_of(std::span(frames_).subspan(next_),
                                [&](const auto& frame) { return frame.second == capture; });
  }

 private:
  std::vector<CaptureInfo> info_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> frames_;
  std::size_t next_ = 0;
};

using Firsts = std::vector<std::uint32_t>;

/// Of each, the first capture of those that it goes on with.
Firsts firsts_of(const std::vector<Capture>& captures) {
  Captures source(captures);
  FileRings rings;
  Frame frame;
  while (source.next(frame)) rings.observe(frame, source);
  Firsts firsts;
  for (std::uint32_t i = 0; i < captures.size(); ++i) firsts.push_back(rings.first_of(i));
  return firsts;
}

TEST(FileRings, AreFilesThatBeginWhereOthersEnd) {
  EXPECT_EQ(firsts_of({{"a/x.pcap", {1, 2}}, {"a/x.pcap1", {2, 7}}, {"a/x.pcap2.gz", {50, 60}}}), (Firsts{0, 0, 0}));
  EXPECT_EQ(firsts_of({{"x.pcap2", {9, 10}}, {"x.pcap0", {1, 2}}, {"x.pcap1", {3, 4}}}), (Firsts{1, 1, 1}))
      << "the oldest one is overwritten";
}

TEST(FileRings, AreNoneWhereTimesOverlapOrLieFarApart) {
  EXPECT_EQ(firsts_of({{"x.pcap1", {1, 5}}, {"x.pcap2", {2, 9}}}), (Firsts{0, 1}));
  EXPECT_EQ(firsts_of({{"x.pcap1", {1, 5}}, {"x.pcap2", {10'006, 10'009}}}), (Firsts{0, 1}));
  EXPECT_EQ(firsts_of({{"node1.pcap", {1, 5}}, {"node2.pcap", {6, 9}}}), (Firsts{0, 1})) << "clocks may be wrong";
}

TEST(FileRings, OfTwoHostsAreTwo) {
  EXPECT_EQ(firsts_of({{"n1.pcap1", {1, 4}}, {"n2.pcap1", {5, 6}}, {"n1.pcap2", {7, 8}}, {"n2.pcap2", {9, 10}}}),
            (Firsts{0, 1, 0, 1}));
  EXPECT_EQ(firsts_of({{"n1.pcap1", {1, 7}}, {"n2.pcap1", {2, 5}}, {"n1.pcap2", {6, 8}}}), (Firsts{0, 1, 2}));
}

TEST(FileRings, HaveTheInterfacesOfTheSameName) {
  const auto with = [](std::vector<std::string> interfaces) {
    CaptureInfo info;
    for (std::string& name : interfaces) info.interfaces.push_back({.name = std::move(name)});
    return info;
  };
  Captures source({{"x.pcap1", {1, 2}}, {"x.pcap2", {3, 4, 5}}}, {with({"a", "b"}), with({"b", "a", "c"})});
  FileRings rings;
  Frame frame;
  for (const std::uint32_t interface : {0U, 1U, 0U, 1U, 2U}) {
    ASSERT_TRUE(source.next(frame));
    frame.interface_id = interface;
    rings.observe(frame, source);
  }
  EXPECT_EQ(rings.first_of({1, 0}), (InterfaceOf{0, 1}));
  EXPECT_EQ(rings.first_of({1, 1}), (InterfaceOf{0, 0}));
  EXPECT_EQ(rings.first_of({1, 2}), (InterfaceOf{1, 2}));
  EXPECT_EQ(rings.count_behind({0, 0}), 1U);
  EXPECT_EQ(rings.count_behind({1, 2}), 0U);
}

}  // namespace
}  // namespace rocescope::file_rings_test
