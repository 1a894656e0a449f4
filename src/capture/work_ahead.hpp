// Blocks of work done in a thread of its own, some ahead of who takes them.
#pragma once

#include <pthread.h>

#include <array>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace rocescope {

/// After a block of which is_large() is true, where there is such a function, none is filled until all are given back: it alone
/// takes much memory.
/// Where there is no thread to be had, whoever takes a block waits until it is filled.
template <class Block>
class WorkAhead {
 public:
  static constexpr std::size_t kBlocks = 4;

  /// Fills a block, which has been used before; false: there was nothing more. Not called again then.
  using Fill = std::function<bool(Block& block)>;
  explicit WorkAhead(Fill fill) : fill_(std::move(fill)) { start(); }
  /// Waits for the filling that is under way.
  ~WorkAhead() { stop(); }
  WorkAhead(const WorkAhead&) = delete;
  WorkAhead& operator=(const WorkAhead&) = delete;

  /// The first block that was not given back, or null at the end. What its filling threw is thrown here.
  [[nodiscard]] Block* front() {
    if (!at_hand_) at_hand_ = wait();
    return at_hand_ ? &blocks_[emptied_ % kBlocks] : nullptr;
  }
  /// The block that front() gave last may be filled again.
  void give_back() {
    at_hand_ = false;
    {
      const std::lock_guard lock(mutex_);
      ++emptied_;
    }
    changed_.notify_all();
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
      changed_.wait(lock, [this] { return stopped_ || filled_ - emptied_ < (large_ ? 1 : kBlocks); });
      if (stopped_) return;
      Block& block = blocks_[filled_ % kBlocks];
      lock.unlock();
      std::exception_ptr problem;
      try {
        more = fill_(block);
      } catch (...) {
        problem = std::current_exception();
        more = false;
      }
      lock.lock();
      more ? ++filled_ : ended_ = true;
      if constexpr (requires { block.is_large(); }) large_ = block.is_large();
      problem_ = problem;
      lock.unlock();
      changed_.notify_all();
    }
  }

  /// False at the end. Only the taker changes emptied_, so that it may look at it without the mutex.
  bool wait() {
    if (threadless_) {
      if (!ended_) ended_ = stopped_ || !fill_(blocks_[emptied_ % kBlocks]);
      return !ended_;
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return filled_ > emptied_ || ended_ || stopped_; });
    if (filled_ > emptied_) return true;
    if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    return false;
  }

  Fill fill_;
  std::array<Block, kBlocks> blocks_{};  ///< a ring: the thread fills, front() gives
  bool at_hand_ = false;
  bool threadless_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0;  ///< blocks so far; guarded by the mutex, as what follows
  std::size_t emptied_ = 0;
  bool ended_ = false;
  bool stopped_ = false;
  bool large_ = false;  ///< the block that was filled last
  std::exception_ptr problem_;
  std::thread thread_;
};

}  // namespace rocescope
