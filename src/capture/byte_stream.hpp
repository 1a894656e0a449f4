// Reads a ByteSource through a buffer: look at the next bytes in place, then take them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/byte_source.hpp"
#include "rocescope/bytes.hpp"

namespace rocescope {

class ByteStream {
 public:
  /// `buffer_size` (bytes, not 0) is how much is read at once; the buffer grows only for a longer peek().
  ByteStream(std::unique_ptr<ByteSource> source, std::size_t buffer_size);

  /// The next `count` bytes or more; fewer where the source ends before. Memory grows with the bytes read, not
  /// with `count`. The view lasts until the next call of any of these.
  [[nodiscard]] Bytes peek(std::size_t count) { return end_ - begin_ >= count ? buffered() : peek_further(count); }
  /// The bytes in the buffer now; does not wait.
  [[nodiscard]] Bytes buffered() const noexcept { return {buffer_.get() + begin_, end_ - begin_}; }
  /// As long as this is held, the bytes in the buffer now stay where they are. Null: they do not.
  [[nodiscard]] std::shared_ptr<const void> hold() const noexcept {
    return capacity_ == block_size_ ? buffer_ : nullptr;
  }
  /// Drops bytes that were looked at: at most buffered().size().
  void consume(std::size_t count) noexcept {
    begin_ += count;
    offset_ += count;
  }
  /// Takes up to into.size() bytes: waits for at least one, 0 at the end.
  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into);
  /// Skips `count` bytes; fewer where the source ends before. Returns how many.
  std::uint64_t skip(std::uint64_t count);

  /// Bytes taken so far.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  /// Whether the source is at its end.
  [[nodiscard]] bool ended() const noexcept { return ended_; }
  [[nodiscard]] const std::string& damage() const { return source_->damage(); }
  [[nodiscard]] std::string_view compression() const { return source_->compression(); }

 private:
  Bytes peek_further(std::size_t count);
  bool fill(std::size_t wanted);
  std::size_t read_source(std::span<std::uint8_t> into);
  void make_room(std::size_t wanted);
  void move_to(std::shared_ptr<std::uint8_t[]> other);
  [[nodiscard]] std::shared_ptr<std::uint8_t[]> free_block();

  std::unique_ptr<ByteSource> source_;
  std::size_t block_size_;
  std::size_t capacity_;
  std::shared_ptr<std::uint8_t[]> buffer_;
  std::vector<std::shared_ptr<std::uint8_t[]>> blocks_;  // that somebody held once
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
};

}  // namespace rocescope
