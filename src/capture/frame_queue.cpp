#include "capture/frame_queue.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace rocescope {
namespace {

constexpr std::size_t kBlockSize = std::size_t{128} << 10;

static_assert(std::is_trivially_copyable_v<Frame>);

}  // namespace

/// Each frame is its header, followed by its bytes.
struct FrameQueue::Block {
  explicit Block(std::size_t block_size)
      : memory(std::make_unique_for_overwrite<std::uint8_t[]>(block_size)), size(block_size) {}

  [[nodiscard]] std::size_t room() const noexcept { return size - filled; }
  /// Whether it has room for more frames.
  [[nodiscard]] bool is_open() const noexcept { return room() > size / 16; }

  std::unique_ptr<std::uint8_t[]> memory;
  std::size_t size;
  std::size_t filled = 0;
  std::size_t taken = 0;
};

FrameQueue::FrameQueue(std::size_t memory) : memory_(memory), block_size_(std::min(memory / 16, kBlockSize)) {}

FrameQueue::~FrameQueue() = default;

bool FrameQueue::has_room() {
  const std::lock_guard lock(mutex_);
  // One block for it, and one more where it does not fit into the last.
  return used_ == 0 || used_ + 2 * block_size_ <= memory_;
}

bool FrameQueue::put(const Frame& frame) {
  if (filling_ == nullptr) filling_ = block_to_fill();
  const std::size_t size = sizeof frame + frame.data.size();
  const bool fits = size <= filling_->room();
  if (!fits) {
    const std::lock_guard lock(mutex_);
    filling_->filled > 0 ? waiting_.push_back(std::move(filling_)) : give_back(std::move(filling_));
    filling_ = begin_block(std::max(size, block_size_));
  }
  std::uint8_t* const end = filling_->memory.get() + filling_->filled;
  std::memcpy(end, &frame, sizeof frame);
  if (!frame.data.empty()) std::memcpy(end + sizeof frame, frame.data.data(), frame.data.size());
  filling_->filled += size;
  return fits && filling_->is_open();
}

void FrameQueue::hand_over() {
  if (filling_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(filling_));
  }
  changed_.notify_one();
}

void FrameQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_one();
}

bool FrameQueue::take(Frame& frame) {
  if (is_drained()) {
    const std::lock_guard lock(mutex_);
    if (at_hand_ != nullptr) give_back(std::move(at_hand_));
    if (!waiting_.empty()) {
      at_hand_ = std::move(waiting_.front());
      waiting_.pop_front();
    } else if (closed_ && filling_ != nullptr) {
      at_hand_ = std::move(filling_);
    } else {
      return false;
    }
  }
  const std::uint8_t* const begin = at_hand_->memory.get() + at_hand_->taken;
  std::memcpy(&frame, begin, sizeof frame);
  frame.data = {begin + sizeof frame, frame.data.size()};
  at_hand_->taken += sizeof frame + frame.data.size();
  return true;
}

void FrameQueue::wait(std::chrono::nanoseconds longest) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [this] { return !waiting_.empty() || closed_; });
}

bool FrameQueue::ended() {
  const std::lock_guard lock(mutex_);
  return closed_ && waiting_.empty() && filling_ == nullptr && is_drained();
}

std::size_t FrameQueue::held() {
  const std::lock_guard lock(mutex_);
  return used_ + free_.size() * block_size_;
}

bool FrameQueue::is_drained() const noexcept { return at_hand_ == nullptr || at_hand_->taken == at_hand_->filled; }

FrameQueue::BlockPointer FrameQueue::block_to_fill() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || !waiting_.back()->is_open()) return begin_block(block_size_);
  BlockPointer last = std::move(waiting_.back());
  waiting_.pop_back();
  return last;
}

/// With the mutex, as the next.
FrameQueue::BlockPointer FrameQueue::begin_block(std::size_t size) {
  used_ += size;
  if (size == block_size_ && !free_.empty()) {
    BlockPointer block = std::move(free_.back());
    free_.pop_back();
    return block;
  }
  // A large frame may need the memory of the free blocks.
  if (used_ + free_.size() * block_size_ > memory_) free_.clear();
  return std::make_unique<Block>(size);
}

void FrameQueue::give_back(BlockPointer block) {
  used_ -= block->size;
  if (block->size != block_size_) return;  // the block of a large frame is not kept
  block->filled = block->taken = 0;
  free_.push_back(std::move(block));
}

}  // namespace rocescope
