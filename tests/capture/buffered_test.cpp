// Frames that a source gives many at once are those that it gives one by one; and what a shard leaves to others is not given.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "capture_files.hpp"
#include "model/shard_sieve.hpp"
#include "rocescope/detail/shard.hpp"
#include "rocescope/dissect.hpp"
#include "support/source_dir.hpp"
#include "tracking/express/express_packet.hpp"

namespace rocescope::testing {
namespace {

/// By turns one by one, and up to `most` at once.
Reading read_by_turns(const std::string& path, std::size_t most, std::size_t& at_once) {
  Reading reading;
  Result<std::unique_ptr<FrameSource>> source = open_capture(path);
  if (!source) {
    reading.error = source.error().message;
    return reading;
  }
  std::mt19937 random(21);
  const auto add = [&](const Frame& frame) {
    const auto comments = (*source)->comments();
    reading.frames.push_back({.frame = frame,
                              .data = {frame.data.begin(), frame.data.end()},
                              .comments = {comments.begin(), comments.end()}});
    reading.frames.back().frame.data = {};
  };
  std::vector<Frame> frames(most);
  Frame frame;
  while ((*source)->next(frame)) {
    add(frame);
    while (random() % 4 != 0) {
      const std::size_t count = (*source)->next_buffered(
          frames, {.interface_id = frame.interface_id, .most_bytes = std::size_t{1} << 20, .sieve = nullptr});
      const std::uint8_t* end = count == 0 ? nullptr : frames[0].data.data();
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_GE(frames[i].data.data(), end) << "they do not lie in their order";
        end = frames[i].data.data() + frames[i].data.size();
        add(frames[i]);
      }
      at_once = std::max(at_once, count);
    }
  }
  EXPECT_EQ((*source)->next_buffered(frames, {.interface_id = 0, .most_bytes = 1, .sieve = nullptr}), 0U);
  reading.info.assign((*source)->info().begin(), (*source)->info().end());
  return reading;
}

TEST(BufferedFrames, AreThoseThatComeOneByOne) {
  std::size_t at_once = 0;
  for (const auto& entry : std::filesystem::directory_iterator(rocescope::testing::source_dir() + "/captures")) {
    const std::string path = entry.path();
    if (path.find(".pcap") == std::string::npos) continue;
    SCOPED_TRACE(path);
    const Reading expected = read_capture(path);
    for (const std::size_t most : {1U, 7U, 256U}) {
      const Reading reading = read_by_turns(path, most, at_once);
      EXPECT_EQ(reading.error, expected.error);
      EXPECT_EQ(reading.warnings(), expected.warnings());
      ASSERT_EQ(reading.frames.size(), expected.frames.size());
      for (std::size_t i = 0; i < reading.frames.size(); ++i) {
        const FrameCopy& a = reading.frames[i];
        const FrameCopy& b = expected.frames[i];
        const bool is_same = a.frame.number == b.frame.number && a.frame.timestamp == b.frame.timestamp &&
                             a.frame.original_length == b.frame.original_length &&
                             a.frame.link_type == b.frame.link_type && a.frame.interface_id == b.frame.interface_id &&
                             a.frame.capture_id == b.frame.capture_id && a.data == b.data && a.comments == b.comments;
        ASSERT_TRUE(is_same) << "frame " << b.frame.number;
      }
    }
  }
  EXPECT_EQ(at_once, 256U);
}

/// Frames that are held while the source reads on, and their bytes as they were.
struct HeldFrames {
  std::shared_ptr<const void> held;
  std::vector<Bytes> frames;
  std::vector<std::vector<std::uint8_t>> copies;
  void add(const Frame& frame) {
    frames.push_back(frame.data);
    copies.emplace_back(frame.data.begin(), frame.data.end());
  }
  [[nodiscard]] bool are_there() const {
    return std::ranges::equal(frames, copies, [](Bytes a, const auto& b) { return std::ranges::equal(a, b); });
  }
};

TEST(BufferedFrames, StayWhileTheyAreHeld) {
  constexpr std::size_t kMostHeld = 9;
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(rocescope::testing::source_dir() + "/captures")) {
    const std::string path = entry.path();
    if (path.find(".pcap") == std::string::npos) continue;
    SCOPED_TRACE(path);
    Result<std::unique_ptr<FrameSource>> source = open_capture(path);
    if (!source) continue;
    std::deque<HeldFrames> all;
    std::vector<Frame> frames(64);
    Frame frame;
    const auto check_first = [&] {
      EXPECT_TRUE(all.front().are_there());
      all.pop_front();
      ++checked;
    };
    while ((*source)->next(frame)) {
      HeldFrames& its = all.emplace_back();
      its.add(frame);
      for (const std::size_t most : {64U, 1U, 30U}) {
        const std::size_t count = (*source)->next_buffered(
            std::span(frames).first(most),
            {.interface_id = frame.interface_id, .most_bytes = std::size_t{1} << 17, .sieve = nullptr});
        for (const Frame& each : std::span(frames).first(count)) its.add(each);
      }
      its.held = (*source)->hold();
      if (its.held == nullptr) all.pop_back();
      if (all.size() > kMostHeld) check_first();
    }
    while (!all.empty()) check_first();
  }
  EXPECT_GT(checked, 500U);
}

Frame with_data(const FrameCopy& copy) {
  Frame frame = copy.frame;
  frame.data = copy.data;
  return frame;
}

/// Whether it may take the express lane, and is of hosts of another part.
bool is_of_others(const Frame& frame, std::uint64_t parts, Psn& psn) {
  ExpressPacket express;
  RocePacket roce;
  if (read_express(frame, express, roce) != ExpressReason::kNone) return false;
  Packet packet;
  dissect(frame, packet, {});
  psn = packet.roce.psn;
  return (parts >> host_part(packet.source, packet.destination) & 1U) == 0;
}

/// Reads one by one and through the sieve by turns. How many were left out.
std::size_t sift(const std::string& path, const Reading& all, std::uint64_t parts, unsigned placed) {
  Result<std::unique_ptr<FrameSource>> source = open_capture(path);
  ShardSieve sieve(parts);
  std::vector<Frame> frames(64);
  Frame frame;
  std::size_t before = 0;
  std::size_t left_out = 0;
  while ((*source)->next(frame)) {
    EXPECT_EQ(frame.number, ++before);
    for (;;) {
      sieve.begin(placed);
      const std::size_t count = (*source)->next_buffered(
          frames, {.interface_id = frame.interface_id, .most_bytes = std::size_t{1} << 14, .sieve = &sieve});
      const std::size_t end = before + sieve.times().count;
      if (end == before) break;
      std::vector<Frame> seen;
      std::vector<std::uint32_t> others;
      std::size_t given = 0;
      for (; before < end; ++before) {
        const Frame expected = with_data(all.frames.at(before));
        seen.push_back(expected);
        Psn psn;
        const bool is_others = is_of_others(expected, parts, psn);
        if (is_others && placed != 0 && !is_sampled(psn)) {
          ++left_out;
          continue;
        }
        if (is_others) others.push_back(static_cast<std::uint32_t>(given));
        if (given == count) break;  // it is missing, as is said below
        const Frame& its = frames[given++];
        EXPECT_EQ(its.number, expected.number);
        EXPECT_EQ(its.timestamp, expected.timestamp);
        EXPECT_TRUE(std::ranges::equal(its.data, expected.data));
      }
      EXPECT_EQ(given, count);
      EXPECT_EQ(sieve.others(), others);
      const FrameTimes times = times_of(seen);
      EXPECT_EQ(sieve.times().first, times.first);
      EXPECT_EQ(sieve.times().last, times.last);
      EXPECT_EQ(sieve.times().latest, times.latest);
      EXPECT_EQ(sieve.times().back, times.back);
      if (::testing::Test::HasFailure()) return left_out;
    }
  }
  EXPECT_EQ(before, all.frames.size());
  return left_out;
}

TEST(BufferedFrames, AreWithoutThoseThatAShardLeavesToOthers) {
  constexpr unsigned kAllShapes = (1U << ExpressPacket::kShapes) - 1;
  constexpr std::uint64_t kHalf = 0x5555555555555555;
  std::size_t by_none = 0;
  std::size_t by_half = 0;
  for (const auto& entry : std::filesystem::directory_iterator(rocescope::testing::source_dir() + "/captures")) {
    const std::string path = entry.path();
    if (path.find(".pcap") == std::string::npos) continue;
    SCOPED_TRACE(path);
    const Reading all = read_capture(path);
    if (!all.error.empty()) continue;
    EXPECT_EQ(sift(path, all, ~std::uint64_t{0}, kAllShapes), 0U);
    EXPECT_EQ(sift(path, all, 0, 0), 0U);
    by_none += sift(path, all, 0, kAllShapes);
    by_half += sift(path, all, kHalf, kAllShapes);
    by_half += sift(path, all, ~kHalf, kAllShapes);
    if (HasFailure()) break;
  }
  EXPECT_EQ(by_half, by_none);
  EXPECT_GT(by_none, 10'000U);
}

}  // namespace
}  // namespace rocescope::testing
