#include "read_ahead.hpp"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

namespace rocescope {

ReadAhead::ReadAhead(std::unique_ptr<ByteSource> source, std::size_t block_size)
    : source_(std::move(source)), block_size_(block_size) {
  for (Block& block : blocks_) block.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(block_size_);
  start();
}

ReadAhead::~ReadAhead() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

/// Signals are for the program's own threads: a new thread has the mask of the one that makes it.
void ReadAhead::start() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // no more threads
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ReadAhead::run() {
  for (bool more = true; more;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || filled_ - emptied_ < kBlocks; });
    if (stopped_) return;
    Block& block = blocks_[filled_ % kBlocks];
    lock.unlock();
    block.size = source_->read({block.bytes.get(), block_size_});
    more = block.size > 0;
    lock.lock();
    ++filled_;
    changed_.notify_all();
  }
}

std::size_t ReadAhead::read(std::span<std::uint8_t> into) {
  if (ended_) return 0;
  if (!thread_.joinable()) return source_->read(into);
  if (!wait_for_block()) return 0;
  const Block& block = blocks_[emptied_ % kBlocks];
  const std::size_t count = std::min(into.size(), block.size - taken_);
  std::memcpy(into.data(), block.bytes.get() + taken_, count);
  taken_ += count;
  if (taken_ == block.size) give_back();
  return count;
}

/// False at the end. Only read() changes emptied_, so that it may look at it without the mutex.
bool ReadAhead::wait_for_block() {
  if (taken_ > 0) return true;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return filled_ > emptied_; });
  ended_ = blocks_[emptied_ % kBlocks].size == 0;
  return !ended_;
}

void ReadAhead::give_back() {
  taken_ = 0;
  {
    const std::lock_guard lock(mutex_);
    ++emptied_;
  }
  changed_.notify_all();
}

}  // namespace rocescope
