// Files one after another. tests/live has other programs read them.
#include "capture/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "rocescope/capture.hpp"
#include "support/durations.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope {
namespace {

constexpr std::int64_t kStart = 1'700'000'000 * kSecond;

class RecorderTest : public ::testing::Test {
 protected:
  std::unique_ptr<Recorder> create(const FileSwitch& when, const std::string& name = "ring.pcapng") {
    CaptureInfo info;
    info.interfaces.push_back({.name = "enp0s1", .ticks_per_second = 1'000'000'000});
    Result<std::unique_ptr<Recorder>> recorder = Recorder::create(folder_.path(name), when, {}, info);
    if (!recorder) ADD_FAILURE() << recorder.error().message;
    return recorder ? std::move(*recorder) : nullptr;
  }
  /// A packet of 100 bytes, 132 in the file.
  static Frame packet(std::int64_t time) {
    static const std::vector<std::uint8_t> kData(100);
    return {.data = kData, .original_length = 100, .timestamp = kStart + time};
  }
  /// How many packets each file has, in the order of their names.
  std::vector<int> packets() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<int> counts;
    for (const std::string& file : files) {
      const Result<std::unique_ptr<FrameSource>> source = open_capture(file);
      if (!source) ADD_FAILURE() << source.error().message;
      Frame frame;
      counts.push_back(0);
      while ((*source)->next(frame)) ++counts.back();
      EXPECT_TRUE((*source)->info().front().warnings.empty());
      EXPECT_EQ((*source)->info().front().interfaces.front().name, "enp0s1");
    }
    return counts;
  }

  const testing::TemporaryFolder folder_;
};

using Counts = std::vector<int>;

TEST_F(RecorderTest, WritesOneFileOfTheNameGiven) {
  const auto recorder = create({});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(recorder->write(packet(i * kSecond)));
  EXPECT_TRUE(recorder->finish());
  EXPECT_EQ(packets(), Counts{10});
  EXPECT_TRUE(std::filesystem::exists(folder_.path("ring.pcapng")));
  EXPECT_EQ(recorder->packets(), 10U);
  EXPECT_EQ(recorder->bytes(), std::filesystem::file_size(folder_.path("ring.pcapng")));
}

TEST_F(RecorderTest, BeginsTheNextFileAfterANumberOfPackets) {
  const auto recorder = create({.packets = 4});
  for (int i = 0; i < 10; ++i) recorder->write(packet(i));
  EXPECT_TRUE(recorder->finish());
  EXPECT_EQ(packets(), (Counts{4, 4, 2}));
  EXPECT_EQ(recorder->files(), 3U);
  EXPECT_EQ(recorder->packets(), 10U);
}

TEST_F(RecorderTest, BeginsNoFileThatStaysEmpty) {
  const auto recorder = create({.packets = 5});
  for (int i = 0; i < 10; ++i) recorder->write(packet(i));
  EXPECT_TRUE(recorder->finish());
  EXPECT_EQ(packets(), (Counts{5, 5}));
}

TEST_F(RecorderTest, BeginsTheNextFileAfterATimeFromItsFirstPacket) {
  const auto recorder = create({.duration = kSecond});
  for (const std::int64_t time : {0L, kSecond - 1, kSecond, 5 * kSecond, 6 * kSecond - 1})
    recorder->write(packet(time));
  EXPECT_TRUE(recorder->finish());
  EXPECT_EQ(packets(), (Counts{2, 1, 2}));
}

TEST_F(RecorderTest, BeginsTheNextFileAfterASize) {
  const auto recorder = create({.bytes = 500});
  for (int i = 0; i < 10; ++i) recorder->write(packet(i));
  EXPECT_TRUE(recorder->finish());
  EXPECT_EQ(packets(), (Counts{4, 4, 2}));  // a head of 28 + 44 bytes, then 132 each
}

TEST_F(RecorderTest, KeepsTheNewestFiles) {
  const auto recorder = create({.packets = 2, .files = 2});
  for (int i = 0; i < 9; ++i) recorder->write(packet(i));
  EXPECT_TRUE(recorder->finish());
  EXPECT_EQ(packets(), (Counts{2, 1}));
  EXPECT_EQ(recorder->files(), 5U);
  EXPECT_EQ(recorder->packets(), 9U);
}

TEST_F(RecorderTest, NumbersFilesAsDumpcapDoes) {
  const auto recorder = create({.packets = 1}, "a.b.pcapng");
  EXPECT_TRUE(std::filesystem::path(recorder->path()).filename().string().starts_with("a.b_00001_20"));
  EXPECT_TRUE(recorder->path().ends_with(".pcapng"));
  EXPECT_EQ(std::filesystem::path(recorder->path()).filename().string().size(),
            std::string("a.b_00001_20261120183005.pcapng").size());
}

TEST_F(RecorderTest, EndsEachFileWithTheCountersKnownThen) {
  const auto recorder = create({.packets = 1});
  recorder->write(packet(0));
  const std::vector<LiveCounters> counters{{.received = 9, .dropped_by_kernel = 3, .dropped_by_interface = 2}};
  recorder->set_counters(counters);
  const std::string first = recorder->path();
  recorder->write(packet(1));
  const Result<std::unique_ptr<FrameSource>> source = open_capture(first);
  ASSERT_TRUE(source);
  Frame frame;
  while ((*source)->next(frame)) continue;
  EXPECT_EQ((*source)->info().front().interfaces.front().dropped, 5U);
}

TEST_F(RecorderTest, TellsWhenAFileCannotBeMade) {
  const Result<std::unique_ptr<Recorder>> recorder = Recorder::create("/nowhere/a.pcapng", {}, {}, {});
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().message, "cannot write /nowhere/a.pcapng: No such file or directory");
}

}  // namespace
}  // namespace rocescope
