#include "capture/live_intake.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "capture/recorder.hpp"
#include "made_live_source.hpp"
#include "support/temporary_folder.hpp"
#include "support/without_threads.hpp"

namespace rocescope {
namespace {

using namespace std::chrono_literals;
using testing::MadeLiveSource;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

/// What depends on another thread is waited for, not for a time.
template <class Is>
void wait_until(const Is& is) {
  const auto limit = std::chrono::steady_clock::now() + 2min;
  while (!is()) {
    if (std::chrono::steady_clock::now() > limit) throw std::runtime_error("waited for two minutes");
    std::this_thread::sleep_for(1ms);
  }
}

std::unique_ptr<Recorder> recorder_for(const MadeLiveSource& source, const testing::TemporaryFolder& folder) {
  Result<std::unique_ptr<Recorder>> recorder =
      Recorder::create(folder.path("written.pcapng"), {}, {}, source.info().front());
  if (!recorder) throw std::runtime_error(recorder.error().message);
  return std::move(*recorder);
}

/// Reads all until the end; how many that were. Each must be whole, and later than the one before.
std::uint64_t read_to_the_end(LiveIntake& intake, std::uint64_t already_read = 0) {
  intake.stop();
  std::uint64_t read = 0;
  std::uint64_t previous = already_read;
  while (!intake.ended()) {
    for (Frame frame; intake.next(frame); ++read) {
      EXPECT_GT(frame.number, previous);
      previous = frame.number;
      const std::uint8_t byte = MadeLiveSource::byte_of(frame.number);
      EXPECT_TRUE(
          std::all_of(frame.data.begin(), frame.data.end(), [byte](std::uint8_t each) { return each == byte; }));
      EXPECT_EQ(frame.data.size(), frame.original_length);
    }
    if (intake.empty()) intake.wait(1s);
  }
  intake.finish();
  return read;
}

TEST(LiveIntake, GivesWhatComesOneByOne) {
  MadeLiveSource source(100);
  LiveIntake intake(source, nullptr, {.memory = kMebibyte});
  intake.start();
  for (std::uint64_t number = 1; number <= 100; ++number) {
    source.come(1);
    Frame frame;
    wait_until([&] { return intake.next(frame); });
    EXPECT_EQ(frame.number, number);
  }
  EXPECT_EQ(read_to_the_end(intake), 0U);
}

TEST(LiveIntake, CountsBytesThatWaitAndNotHowOftenTheyCame) {
  constexpr std::uint64_t kFrames = 5000;  // 800 kB with all that belongs to them
  MadeLiveSource source(100);
  const testing::TemporaryFolder folder;
  const std::unique_ptr<Recorder> recorder = recorder_for(source, folder);
  LiveIntake intake(source, recorder.get(), {.memory = kMebibyte});
  intake.start();
  source.come(kFrames);
  wait_until([&] { return source.taken() == kFrames; });
  EXPECT_EQ(intake.counters().front().not_analysed, 0U);
  EXPECT_EQ(read_to_the_end(intake), kFrames);
  EXPECT_EQ(recorder->packets(), kFrames);
}

TEST(LiveIntake, IsNotFilledByNothingThatComes) {
  MadeLiveSource source(100);
  const testing::TemporaryFolder folder;
  const std::unique_ptr<Recorder> recorder = recorder_for(source, folder);
  LiveIntake intake(source, recorder.get(), {.memory = kMebibyte});
  intake.start();
  wait_until([&] { return source.waits() > 50; });
  source.come(100);
  wait_until([&] { return source.taken() == 100; });
  EXPECT_EQ(read_to_the_end(intake), 100U);
  EXPECT_EQ(intake.counters().front().not_analysed, 0U);
}

TEST(LiveIntake, WritesWhatThereIsNoRoomForAndCountsIt) {
  for (const std::size_t size : {60U, 1500U, 60'000U, 200'000U}) {
    for (const std::uint64_t at_once : {1U, 1000U}) {
      SCOPED_TRACE(::testing::Message() << size << " bytes, " << at_once << " at once");
      constexpr std::size_t kQueueMemory = 4 * kMebibyte;
      const std::uint64_t frames = 4 * kQueueMemory / size;
      MadeLiveSource source(size, at_once);
      const testing::TemporaryFolder folder;
      const std::unique_ptr<Recorder> recorder = recorder_for(source, folder);
      LiveIntake intake(source, recorder.get(), {.memory = kQueueMemory});
      intake.start();
      source.come(frames);
      wait_until([&] { return source.taken() == frames; });
      const std::uint64_t not_analysed = intake.counters().front().not_analysed;
      const std::uint64_t read = read_to_the_end(intake);
      EXPECT_EQ(read + not_analysed, frames);
      EXPECT_EQ(recorder->packets(), frames);
      EXPECT_LE(read * (size + sizeof(Frame)), kQueueMemory);
      EXPECT_GE(read * (size + sizeof(Frame)), kQueueMemory / 2);
    }
  }
}

TEST(LiveIntake, LeavesWhatThereIsNoRoomForWhereNothingIsWritten) {
  constexpr std::uint64_t kFrames = 100'000;
  MadeLiveSource source(60, kFrames);
  LiveIntake intake(source, nullptr, {.memory = kMebibyte});
  intake.start();
  source.come(kFrames);
  // Between two of these the thread takes frames once, some hundreds where there is room: without a limit these were all.
  for (int i = 0; i < 500; ++i) EXPECT_EQ(intake.counters().front().not_analysed, 0U);
  const std::uint64_t taken = source.taken();
  EXPECT_LE(taken * (60 + sizeof(Frame)), kMebibyte);
  EXPECT_GE(taken * (60 + sizeof(Frame)), kMebibyte / 2);
  EXPECT_EQ(read_to_the_end(intake), kFrames);
  EXPECT_EQ(intake.counters().front().not_analysed, 0U);
}

TEST(LiveIntake, ThrowsWhatTheCaptureThrewAfterAllThatCameBefore) {
  for (const std::uint64_t at_once : {1U, 1000U}) {
    SCOPED_TRACE(at_once);
    MadeLiveSource source(100, at_once);
    const testing::TemporaryFolder folder;
    const std::unique_ptr<Recorder> recorder = recorder_for(source, folder);
    LiveIntake intake(source, recorder.get(), {.memory = kMebibyte});
    source.come(100);
    source.fail_after(50);
    intake.start();
    std::uint64_t read = 0;
    const auto follow = [&] {
      while (!intake.ended()) {
        for (Frame frame; intake.next(frame); ++read) EXPECT_EQ(frame.number, read + 1);
        if (intake.empty()) intake.wait(1s);
      }
    };
    EXPECT_THROW(follow(), std::bad_alloc);
    EXPECT_EQ(read, 50U);
    EXPECT_TRUE(intake.ended());
    intake.finish();
    EXPECT_EQ(recorder->packets(), 50U);
    EXPECT_EQ(intake.counters().front().not_analysed, 0U);
  }
}

/// One packet after another, more than there is room for, with a limit or without.
bool reads_all_without_thread(bool write, std::uint64_t most_packets) {
  const testing::TemporaryFolder folder;
  MadeLiveSource source(1000, 7);
  const std::unique_ptr<Recorder> recorder = write ? recorder_for(source, folder) : nullptr;
  LiveIntake intake(source, recorder.get(), {.packets = most_packets, .memory = 20'000});
  intake.start();
  std::uint64_t read = 0;
  const auto read_what_there_is = [&] {
    for (Frame frame; intake.next(frame);) {
      if (frame.number != ++read || frame.data.back() != MadeLiveSource::byte_of(read)) return false;
    }
    return true;
  };
  for (int round = 0; round < 10; ++round) {
    source.come(100);
    for (int i = 0; i < 100; ++i) {
      if (!read_what_there_is()) return false;
      if (intake.empty()) intake.wait(1ms);
    }
    if (most_packets == 0 && (read != source.taken() || intake.ended())) return false;
  }
  if (intake.counters().front().not_analysed != 0 || intake.counters().front().received != read) return false;
  intake.stop();
  while (!intake.ended()) {
    if (!read_what_there_is()) return false;
    if (intake.empty()) intake.wait(1ms);
  }
  intake.finish();
  return read == (most_packets > 0 ? most_packets : 1000) && (!write || recorder->packets() == read);
}

TEST(LiveIntake, TakesWhatIsReadWhereThereIsNoThread) {
  for (const bool write : {false, true}) {
    for (const std::uint64_t most : {0U, 333U}) {
      const int code = testing::without_threads([write, most] { return reads_all_without_thread(write, most); });
      if (code == testing::kCannotForbidThreads) GTEST_SKIP() << "threads cannot be forbidden here";
      EXPECT_EQ(code, 0) << "written " << write << ", at most " << most;
    }
  }
}

}  // namespace
}  // namespace rocescope
