// Frames that a source gives many at once are those that it gives one by one.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "capture_files.hpp"
#include "support/source_dir.hpp"

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
      const std::size_t count = (*source)->next_buffered(frames);
      const std::uint8_t* end = count == 0 ? nullptr : frames[0].data.data();
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_GE(frames[i].data.data(), end) << "they do not lie in their order";
        end = frames[i].data.data() + frames[i].data.size();
        add(frames[i]);
      }
      at_once = std::max(at_once, count);
    }
  }
  EXPECT_EQ((*source)->next_buffered(frames), 0U);
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

}  // namespace
}  // namespace rocescope::testing
