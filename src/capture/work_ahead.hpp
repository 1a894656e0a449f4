// Blocks of work done in a thread of its own, some ahead of who takes them.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace rocescope {

/// After a block of which is_large() is true, where there is such a function, none is filled until all are given back: it alone
/// takes much memory.
/// Where there is no thread to be had, whoever takes a block waits until it is filled.
template <class Block>
class WorkAhead {
 public:
  static constexpr std::size_t kBlocks = 8;

  /// Fills a block, which may have been used before; false: there was nothing more. Not called again then.
  using Fill = std::function<bool(Block& block)>;
  /// Is called, again and again, in the place of Fill while no block is free. False: there is nothing more.
  using WithoutRoom = std::function<bool()>;

  /// There are at most `most` blocks, and as many as were ever filled at a time. Where `without_room` is empty, the thread waits
  /// while none is free.
  explicit WorkAhead(Fill fill, std::size_t most = kBlocks, WithoutRoom without_room = {})
      : fill_(std::move(fill)), without_room_(std::move(without_room)), most_(std::max<std::size_t>(most, 1)) {
    start();
  }
  /// Waits for the filling that is under way.
  ~WorkAhead() { stop(); }
  WorkAhead(const WorkAhead&) = delete;
  WorkAhead& operator=(const WorkAhead&) = delete;

  /// The first block that was not given back, or null at the end. What its filling threw is thrown here.
  [[nodiscard]] Block* front() { return front_within(std::nullopt); }
  /// The same; null as well where there is none for so long. Without a thread as long as it takes.
  [[nodiscard]] Block* front_within(std::optional<std::chrono::nanoseconds> longest) {
    if (at_hand_ == nullptr) at_hand_ = wait(longest);
    return at_hand_;
  }
  /// The block that front() gave last may be filled again.
  void give_back() {
    bool much = false;
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::exchange(at_hand_, nullptr));
      much = has_much_room();
    }
    if (much) changed_.notify_all();
  }
  /// Nothing is filled from now on: what `fill` uses is the caller's.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  /// Whether front() gives nothing any more.
  [[nodiscard]] bool ended() {
    const std::lock_guard lock(mutex_);
    return at_hand_ == nullptr && filled_.empty() && (ended_ || stopped_) && !problem_;
  }
  /// Whether blocks are filled by whoever takes them.
  [[nodiscard]] bool has_no_thread() const noexcept { return threadless_; }

 private:
  /// Signals are for the program's own threads: a new thread has the mask of the one that makes it.
  void start() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {  // no more threads
      threadless_ = true;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void run() {
    for (bool more = true; more;) {
      std::unique_lock lock(mutex_);
      if (!without_room_ && !has_room()) changed_.wait(lock, [this] { return stopped_ || has_much_room(); });
      if (stopped_) return;
      Block* const block = has_room() ? free_block() : nullptr;
      lock.unlock();
      std::exception_ptr problem;
      try {
        more = block != nullptr ? fill_(*block) : without_room_();
      } catch (...) {
        problem = std::current_exception();
        more = false;
      }
      lock.lock();
      if (more && block != nullptr) filled_.push_back(block);
      if constexpr (requires { block->is_large(); }) large_ = block != nullptr && block->is_large();
      ended_ = !more;
      problem_ = problem;
      lock.unlock();
      changed_.notify_all();
    }
  }

  [[nodiscard]] bool has_room() const noexcept { return blocks_.size() - free_.size() < (large_ ? 1 : most_); }
  /// What the thread sleeps for once there is none: to wake it for each block costs both sides more than the block is worth.
  [[nodiscard]] bool has_much_room() const noexcept {
    return blocks_.size() - free_.size() <= (large_ ? 0 : most_ / 2);
  }
  /// The one that was used last: it is in the caches still.
  [[nodiscard]] Block* free_block() {
    if (free_.empty()) return &blocks_.emplace_back();
    Block* const block = free_.back();
    free_.pop_back();
    return block;
  }

  /// Null at the end.
  [[nodiscard]] Block* wait(std::optional<std::chrono::nanoseconds> longest) {
    if (threadless_) {
      if (ended_ || stopped_) return nullptr;
      Block* const block = free_block();
      ended_ = !fill_(*block);
      return ended_ ? nullptr : block;
    }
    std::unique_lock lock(mutex_);
    const auto is_decided = [this] { return !filled_.empty() || ended_ || stopped_; };
    longest ? void(changed_.wait_for(lock, *longest, is_decided)) : changed_.wait(lock, is_decided);
    if (!filled_.empty()) {
      Block* const first = filled_.front();
      filled_.pop_front();
      return first;
    }
    if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    return nullptr;
  }

  Fill fill_;
  WithoutRoom without_room_;
  std::size_t most_;
  Block* at_hand_ = nullptr;
  bool threadless_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> blocks_;  ///< as many as were needed at a time; guarded by the mutex, as what follows
  std::vector<Block*> free_;  ///< those that were used last at the end
  std::deque<Block*> filled_;
  bool ended_ = false;
  bool stopped_ = false;
  bool large_ = false;  ///< the block that was filled last
  std::exception_ptr problem_;
  std::thread thread_;
};

}  // namespace rocescope
