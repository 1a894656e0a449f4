#include "capture/byte_stream.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace rocescope {

ByteStream::ByteStream(std::unique_ptr<ByteSource> source, std::size_t buffer_size)
    : source_(std::move(source)),
      block_size_(buffer_size),
      capacity_(buffer_size),
      buffer_(std::make_shared_for_overwrite<std::uint8_t[]>(buffer_size)) {}

Bytes ByteStream::peek_further(std::size_t count) {
  while (end_ - begin_ < count && fill(count)) {
  }
  return buffered();
}

std::size_t ByteStream::read(std::span<std::uint8_t> into) {
  std::size_t count = std::min(into.size(), end_ - begin_);
  if (count > 0) {
    std::memcpy(into.data(), buffer_.get() + begin_, count);
    begin_ += count;
  } else {
    count = read_source(into);
  }
  offset_ += count;
  return count;
}

std::uint64_t ByteStream::skip(std::uint64_t count) {
  std::uint64_t skipped = 0;
  while (skipped < count && (begin_ < end_ || fill(1))) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(count - skipped, end_ - begin_));
    consume(step);
    skipped += step;
  }
  return skipped;
}

bool ByteStream::fill(std::size_t wanted) {
  make_room(wanted);
  const std::size_t count = read_source({buffer_.get() + end_, capacity_ - end_});
  end_ += count;
  return count > 0;
}

std::size_t ByteStream::read_source(std::span<std::uint8_t> into) {
  if (ended_) return 0;
  const std::size_t count = source_->read(into);
  ended_ = count == 0;
  return count;
}

void ByteStream::make_room(std::size_t wanted) {
  const std::size_t held = end_ - begin_;
  if (held == capacity_) {
    const std::size_t larger = std::max(std::min(wanted, 2 * capacity_), capacity_ + 1);
    move_to(std::make_shared_for_overwrite<std::uint8_t[]>(larger));
    capacity_ = larger;
  } else if (held == 0 || begin_ + wanted > capacity_) {
    move_to(buffer_.use_count() == 1 ? buffer_ : free_block());
  }
}

/// Moves the bytes that are held to the beginning of a buffer, which may be the same.
void ByteStream::move_to(std::shared_ptr<std::uint8_t[]> other) {
  const std::size_t held = end_ - begin_;
  std::memmove(other.get(), buffer_.get() + begin_, held);
  buffer_ = std::move(other);
  begin_ = 0;
  end_ = held;
}

/// A block that nobody holds any more. It replaces the one at hand, which somebody holds.
std::shared_ptr<std::uint8_t[]> ByteStream::free_block() {
  blocks_.push_back(buffer_);
  for (std::shared_ptr<std::uint8_t[]>& block : blocks_) {
    if (block.use_count() > 1) continue;
    std::atomic_thread_fence(std::memory_order_acquire);  // whoever held it read it before
    std::swap(block, blocks_.back());
    std::shared_ptr<std::uint8_t[]> free = std::move(blocks_.back());
    blocks_.pop_back();
    return free;
  }
  return std::make_shared_for_overwrite<std::uint8_t[]>(block_size_);
}

}  // namespace rocescope
