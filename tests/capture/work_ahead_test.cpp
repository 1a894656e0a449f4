#include "capture/work_ahead.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/without_threads.hpp"

namespace rocescope {
namespace {

TEST(WorkAhead, GivesBlocksInTheirOrder) {
  int filled = 0;
  WorkAhead<int> blocks([&filled](int& block) {
    block = ++filled;
    return filled <= 1000;
  });
  for (int expected = 1; expected <= 1000; ++expected) {
    ASSERT_NE(blocks.front(), nullptr);
    ASSERT_EQ(*blocks.front(), expected) << "until it is given back";
    blocks.give_back();
  }
  EXPECT_EQ(blocks.front(), nullptr);
  EXPECT_EQ(blocks.front(), nullptr);
}

TEST(WorkAhead, UsesTheMemoryOfBlocksAgain) {
  std::size_t made = 0;
  WorkAhead<std::vector<int>> blocks([&made, filled = 0](std::vector<int>& block) mutable {
    if (block.capacity() == 0) ++made;
    block.assign(8, filled);
    return ++filled <= 100;
  });
  while (blocks.front() != nullptr) blocks.give_back();
  EXPECT_LE(made, WorkAhead<std::vector<int>>::kBlocks);
}

TEST(WorkAhead, IsAheadBySoManyBlocks) {
  constexpr int kBlocks = WorkAhead<int>::kBlocks;
  std::atomic<int> filled = 0;
  WorkAhead<int> blocks([&filled](int& block) {
    block = ++filled;
    return true;
  });
  while (filled < kBlocks) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(filled, kBlocks);
  // It is not woken for each block that is free again, but for half of them.
  for (int expected = 1; expected <= kBlocks / 2; ++expected) {
    EXPECT_EQ(filled, kBlocks);
    ASSERT_NE(blocks.front(), nullptr);
    EXPECT_EQ(*blocks.front(), expected);
    blocks.give_back();
  }
  while (filled < kBlocks * 3 / 2) std::this_thread::yield();
}

TEST(WorkAhead, ThrowsInItsTakerWhatFillingThrew) {
  WorkAhead<int> blocks([filled = 0](int&) mutable -> bool {
    if (++filled == 3) throw std::runtime_error("it broke");
    return true;
  });
  for (int i = 0; i < 2; ++i) {
    ASSERT_NE(blocks.front(), nullptr);
    blocks.give_back();
  }
  EXPECT_THROW((void)blocks.front(), std::runtime_error);
  EXPECT_EQ(blocks.front(), nullptr);
}

TEST(WorkAhead, MayBeStoppedAndLeftAtAnyTime) {
  for (int taken = 0; taken < 20; ++taken) {
    int filled = 0;
    WorkAhead<int> blocks([&filled](int& block) {
      block = ++filled;
      return filled <= 10;
    });
    for (int i = 0; i < taken && blocks.front() != nullptr; ++i) blocks.give_back();
    if (taken % 2 == 0) {
      blocks.stop();
      const int then = filled;
      while (blocks.front() != nullptr) blocks.give_back();  // those that were filled before
      EXPECT_EQ(filled, then);
    }
  }
}

TEST(WorkAhead, FillsEachBlockWhereItIsTakenWhereThereIsNoThread) {
  const int code = testing::without_threads([] {
    int filled = 0;
    WorkAhead<int> blocks([&filled](int& block) {
      block = ++filled;
      return filled <= 100;
    });
    for (int expected = 1; expected <= 100; ++expected) {
      if (filled != expected - 1) return false;
      for (int i = 0; i < 2; ++i) {
        if (blocks.front() == nullptr || *blocks.front() != expected) return false;
      }
      blocks.give_back();
    }
    return blocks.front() == nullptr && blocks.front() == nullptr && filled == 101;
  });
  if (code == testing::kCannotForbidThreads) GTEST_SKIP() << "threads cannot be forbidden here";
  EXPECT_EQ(code, 0);
}

TEST(WorkAhead, ThrowsAndStopsWithoutAThreadAsWithOne) {
  const int code = testing::without_threads([] {
    int filled = 0;
    const auto fill = [&filled](int&) -> bool {
      if (++filled == 3) throw std::runtime_error("it broke");
      return true;
    };
    WorkAhead<int> broken(fill);
    for (int i = 0; i < 2; ++i) {
      if (broken.front() == nullptr) return false;
      broken.give_back();
    }
    try {
      (void)broken.front();
      return false;
    } catch (const std::runtime_error&) {
    }
    if (broken.front() != nullptr || filled != 3) return false;
    WorkAhead<int> stopped(fill);
    if (stopped.front() == nullptr) return false;
    stopped.give_back();
    stopped.stop();
    return stopped.front() == nullptr && filled == 4;
  });
  if (code == testing::kCannotForbidThreads) GTEST_SKIP() << "threads cannot be forbidden here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace rocescope
