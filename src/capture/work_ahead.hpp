// Blocks that a thread of its own fills ahead of the reader.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "capture/own_thread.hpp"

namespace rocescope {

/// After a block with is_large(), if Block has that function, the thread fills none until all are given back, since such a block
/// takes much memory. If the system gives no thread, the reader fills the blocks.
template <class Block>
class WorkAhead {
 public:
  static constexpr std::size_t kBlocks = 8;

  /// Fills a block, which may have been used before. False ends the work: it is not called again.
  using Fill = std::function<bool(Block& block)>;

  /// There are as many blocks as were ever filled at the same time, at most kBlocks.
  explicit WorkAhead(Fill fill) : fill_(std::move(fill)), thread_(own_thread([this] { run(); })) {}
  /// Waits for the filling that is under way.
  ~WorkAhead() { stop(); }
  WorkAhead(const WorkAhead&) = delete;
  WorkAhead& operator=(const WorkAhead&) = delete;

  /// The first block that was not given back, or null at the end. Rethrows what filling it threw.
  [[nodiscard]] Block* front() {
    if (at_hand_ != nullptr) return at_hand_;
    if (!thread_.joinable()) fill_one();
    return at_hand_ = first_filled();
  }
  /// Gives back the block of front(), to be filled again.
  void give_back() {
    bool much = false;
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::exchange(at_hand_, nullptr));
      much = has_much_room();
      ++changes_;
    }
    if (much) changed_.notify_all();
  }
  /// Stops filling: from now on the thread uses nothing of the caller.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      ++changes_;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    while (fill_one()) {
    }
  }

  /// False: no more blocks.
  bool fill_one() {
    std::unique_lock lock(mutex_);
    if (!look_out(lock, [this] { return stopped_ || has_room(); }))
      changed_.wait(lock, [this] { return stopped_ || has_much_room(); });
    if (stopped_ || ended_) return false;
    Block* const block = free_block();
    lock.unlock();
    bool more = false;
    std::exception_ptr problem;
    try {
      more = fill_(*block);
    } catch (...) {
      problem = std::current_exception();
    }
    lock.lock();
    if (more) filled_.push_back(block);
    if constexpr (requires { block->is_large(); }) large_ = block->is_large();
    ended_ = !more;
    problem_ = problem;
    ++changes_;
    lock.unlock();
    changed_.notify_all();
    return more;
  }

  [[nodiscard]] bool has_room() const noexcept { return blocks_.size() - free_.size() < (large_ ? 1 : kBlocks); }
  /// Free blocks that the sleeping thread waits for: waking it for each block costs more than filling a block.
  [[nodiscard]] bool has_much_room() const noexcept {
    return blocks_.size() - free_.size() <= (large_ ? 0 : kBlocks / 2);
  }
  /// The block that was used last, since it is still in the caches.
  [[nodiscard]] Block* free_block() {
    if (free_.empty()) return &blocks_.emplace_back();
    Block* const block = free_.back();
    free_.pop_back();
    return block;
  }

  /// Waits for the other thread without sleeping, since waking up takes longer than filling a block. False: it is not
  /// ready after all that time.
  template <class Ready>
  [[nodiscard]] bool look_out(std::unique_lock<std::mutex>& lock, Ready ready) {
    constexpr int kTurns = 200;  // some 100 microseconds
    for (int turn = 0; !ready(); ++turn) {
      if (turn >= kTurns) return false;
      const std::uint32_t before = changes_;
      lock.unlock();
      for (; turn < kTurns && changes_ == before; ++turn) std::this_thread::yield();
      lock.lock();
    }
    return true;
  }

  /// Null at the end.
  [[nodiscard]] Block* first_filled() {
    std::unique_lock lock(mutex_);
    const auto is_there = [this] { return !filled_.empty() || ended_ || stopped_; };
    if (!look_out(lock, is_there)) changed_.wait(lock, is_there);
    if (!filled_.empty()) {
      Block* const first = filled_.front();
      filled_.pop_front();
      return first;
    }
    if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    return nullptr;
  }

  Fill fill_;
  Block* at_hand_ = nullptr;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> blocks_;  ///< as many as were needed at a time; guarded by the mutex, as what follows
  std::vector<Block*> free_;  ///< last used last
  std::deque<Block*> filled_;
  bool ended_ = false;
  bool stopped_ = false;
  bool large_ = false;  ///< the block that was filled last
  std::exception_ptr problem_;
  std::atomic<std::uint32_t> changes_ = 0;  ///< how often what the mutex guards changed; read without it
  std::thread thread_;  ///< last: it uses all of those
};

}  // namespace rocescope
