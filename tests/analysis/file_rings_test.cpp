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
  explicit Captures(const std::vector<Capture>& captures) {
    for (std::uint32_t i = 0; i < captures.size(); ++i) {
      info_.push_back({.path = captures[i].name});
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
  EXPECT_EQ(firsts_of({{"x_2", {9, 10}}, {"x_0", {1, 2}}, {"x_1", {3, 4}}}), (Firsts{1, 1, 1}))
      << "the oldest is overwritten";
}

TEST(FileRings, AreNoneWhereTimesOverlapOrLieFarApart) {
  EXPECT_EQ(firsts_of({{"host1", {1, 5}}, {"host2", {2, 9}}}), (Firsts{0, 1}));
  EXPECT_EQ(firsts_of({{"host1", {1, 5}}, {"host2", {106, 109}}}), (Firsts{0, 1}));
  EXPECT_EQ(firsts_of({{"near", {1, 5}}, {"far", {6, 9}}}), (Firsts{0, 1}));
  EXPECT_EQ(firsts_of({{"1/x", {1, 5}}, {"2/x", {6, 9}}}), (Firsts{0, 1})) << "folders are of hosts";
}

TEST(FileRings, OfTwoHostsAreTwo) {
  EXPECT_EQ(firsts_of({{"n1_1", {1, 4}}, {"n2_1", {2, 5}}, {"n1_2", {6, 8}}, {"n2_2", {7, 9}}}), (Firsts{0, 1, 0, 1}));
  // The file before has a frame behind the first one of the next: it is not known which is which, whatever the other host's does.
  EXPECT_EQ(firsts_of({{"n1_1", {1, 7}}, {"n2_1", {2, 5}}, {"n1_2", {6, 8}}}), (Firsts{0, 1, 2}));
}

}  // namespace
}  // namespace rocescope::file_rings_test
