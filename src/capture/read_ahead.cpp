#include "capture/read_ahead.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rocescope {

ReadAhead::ReadAhead(std::unique_ptr<ByteSource> source, std::size_t block_size)
    : source_(std::move(source)), blocks_([this, block_size](Block& block) {
        if (!block.bytes) block.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(block_size);
        block.size = source_->read({block.bytes.get(), block_size});
        return block.size > 0;
      }) {}

std::size_t ReadAhead::read(std::span<std::uint8_t> into) {
  const Block* block = blocks_.front();
  if (block == nullptr) return 0;
  const std::size_t count = std::min(into.size(), block->size - taken_);
  std::memcpy(into.data(), block->bytes.get() + taken_, count);
  taken_ += count;
  if (taken_ == block->size) {
    taken_ = 0;
    blocks_.give_back();
  }
  return count;
}

}  // namespace rocescope
