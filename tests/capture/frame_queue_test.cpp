#include "capture/frame_queue.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace rocescope {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMemory = std::size_t{4} << 20;

Frame frame_of(std::uint64_t number, const std::vector<std::uint8_t>& data) {
  return {.data = data, .original_length = static_cast<std::uint32_t>(data.size()), .number = number};
}

/// How many frames of that size there is room for.
std::uint64_t fill(FrameQueue& queue, std::size_t size) {
  const std::vector<std::uint8_t> data(size);
  std::uint64_t frames = 0;
  for (; queue.has_room(); ++frames) {
    queue.put(frame_of(frames, data));
    queue.hand_over();
  }
  return frames;
}

void drain(FrameQueue& queue) {
  for (Frame frame; queue.take(frame);) {
  }
}

TEST(FrameQueue, GivesFramesAsTheyWerePutIn) {
  FrameQueue queue(kMemory);
  std::mt19937 random(1);
  std::uint64_t put = 0;
  std::uint64_t taken = 0;
  std::vector<std::uint8_t> data;
  while (taken < 20'000) {
    for (std::uint64_t i = random() % 50; i > 0 && queue.has_room(); --i) {
      ++put;
      data.assign(put * 7919 % (put % 100 == 0 ? 300'000 : 2000), static_cast<std::uint8_t>(put));
      queue.put(frame_of(put, data));
      if (random() % 3 == 0) queue.hand_over();
    }
    queue.hand_over();
    Frame frame;
    for (std::uint64_t i = random() % 60; i > 0 && queue.take(frame); --i) {
      ++taken;
      ASSERT_EQ(frame.number, taken);
      ASSERT_EQ(frame.data.size(), taken * 7919 % (taken % 100 == 0 ? 300'000 : 2000));
      ASSERT_EQ(frame.original_length, frame.data.size());
      for (const std::uint8_t byte : frame.data) ASSERT_EQ(byte, static_cast<std::uint8_t>(taken));
    }
  }
}

TEST(FrameQueue, GivesNothingThatWasNotHandedOver) {
  FrameQueue queue(kMemory);
  const std::vector<std::uint8_t> data(100);
  Frame frame;
  EXPECT_FALSE(queue.take(frame));
  queue.put(frame_of(1, data));
  EXPECT_FALSE(queue.take(frame));
  queue.hand_over();
  EXPECT_TRUE(queue.take(frame));
  EXPECT_FALSE(queue.take(frame));
}

TEST(FrameQueue, UsesItsMemoryHoweverFewFramesAreHandedOverAtATime) {
  for (const std::size_t size : {0U, 60U, 1100U, 4200U, 9000U, 65'000U}) {
    SCOPED_TRACE(size);
    FrameQueue queue(kMemory);
    const std::uint64_t frames = fill(queue, size);
    EXPECT_LE(queue.held(), kMemory);
    EXPECT_GE(frames * (size + sizeof(Frame)), kMemory * 8 / 10);
  }
}

TEST(FrameQueue, HasRoomAgainOnceFramesAreTaken) {
  FrameQueue queue(kMemory);
  const std::uint64_t frames = fill(queue, 1000);
  Frame frame;
  for (std::uint64_t i = 0; i < frames / 2; ++i) ASSERT_TRUE(queue.take(frame));
  EXPECT_GT(fill(queue, 1000), frames * 4 / 10);
  EXPECT_LE(queue.held(), kMemory);
}

TEST(FrameQueue, DoesNotKeepTheMemoryOfLargeFrames) {
  FrameQueue queue(kMemory);
  const std::vector<std::uint8_t> large(250'000);
  for (int i = 0; i < 1000; ++i) {
    queue.put(frame_of(1, large));
    queue.hand_over();
    drain(queue);
    ASSERT_LE(queue.held(), std::size_t{256} << 10);
  }
  fill(queue, 60);
  drain(queue);
  fill(queue, 250'000);  // in place of what small ones took
  EXPECT_LE(queue.held(), kMemory);
}

TEST(FrameQueue, HoldsOneFrameInAnyCase) {
  for (const std::size_t memory : {0U, 1U, 1000U, 100'000U}) {
    SCOPED_TRACE(memory);
    FrameQueue queue(memory);
    EXPECT_EQ(fill(queue, 200'000), 1U);
    drain(queue);
    EXPECT_EQ(fill(queue, 200'000), 1U);
    drain(queue);
    EXPECT_LE(queue.held(), memory);
  }
}

TEST(FrameQueue, ExceedsItsMemoryByLessThanOneLargeFrame) {
  constexpr std::size_t kLargest = 262'144;
  std::mt19937 random(1);
  for (const std::size_t memory : {100'000U, 1'000'000U, 10'000'000U}) {
    SCOPED_TRACE(memory);
    FrameQueue queue(memory);
    Frame frame;
    for (std::uint64_t number = 1; number < 5000; ++number) {
      const std::vector<std::uint8_t> data(random() % (random() % 4 == 0 ? kLargest : 2000));
      while (!queue.has_room() && queue.take(frame)) {
      }
      ASSERT_TRUE(queue.has_room());
      queue.put(frame_of(number, data));
      queue.hand_over();
      ASSERT_LT(queue.held(), memory + kLargest + sizeof(Frame));
    }
    while (queue.take(frame)) {
    }
    EXPECT_LE(queue.held(), memory);
  }
}

TEST(FrameQueue, IsWaitedForUntilThereIsAFrameOrNoneWillCome) {
  FrameQueue queue(kMemory);
  queue.wait(1ms);
  std::thread other([&queue] {
    const std::vector<std::uint8_t> data(100);
    std::this_thread::sleep_for(5ms);
    queue.put(frame_of(1, data));
    queue.hand_over();
    std::this_thread::sleep_for(5ms);
    queue.close();
  });
  queue.wait(1h);
  Frame frame;
  EXPECT_TRUE(queue.take(frame));
  queue.wait(1h);
  EXPECT_FALSE(queue.take(frame));
  EXPECT_TRUE(queue.ended());
  other.join();
}

TEST(FrameQueue, GivesWhatWasNotHandedOverBeforeItWasClosed) {
  FrameQueue queue(kMemory);
  const std::vector<std::uint8_t> data(100);
  for (std::uint64_t number = 1; number <= 3; ++number) {
    queue.put(frame_of(number, data));
    if (number == 1) queue.hand_over();
  }
  queue.close();
  Frame frame;
  for (std::uint64_t number = 1; number <= 3; ++number) {
    EXPECT_FALSE(queue.ended());
    ASSERT_TRUE(queue.take(frame));
    EXPECT_EQ(frame.number, number);
  }
  EXPECT_FALSE(queue.take(frame));
  EXPECT_TRUE(queue.ended());
}

TEST(FrameQueue, EndsAfterItsLastFrame) {
  FrameQueue queue(kMemory);
  const std::vector<std::uint8_t> data(100);
  queue.put(frame_of(1, data));
  queue.hand_over();
  queue.close();
  EXPECT_FALSE(queue.ended());
  Frame frame;
  EXPECT_TRUE(queue.take(frame));
  EXPECT_TRUE(queue.ended());
}

}  // namespace
}  // namespace rocescope
