// Reads a ByteSource in a thread of its own, some blocks ahead of the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "capture/byte_source.hpp"
#include "capture/work_ahead.hpp"

namespace rocescope {

/// Only for a source that never waits for a writer: the destructor waits for the read() under way.
class ReadAhead final : public ByteSource {
 public:
  /// `block_size`: bytes that are read at once, not 0.
  ReadAhead(std::unique_ptr<ByteSource> source, std::size_t block_size);

  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into) override;
  [[nodiscard]] const std::string& damage() const override { return source_->damage(); }
  [[nodiscard]] std::string_view compression() const override { return source_->compression(); }

 private:
  struct Block {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size = 0;
  };

  std::unique_ptr<ByteSource> source_;  ///< used by the thread until the end
  std::size_t taken_ = 0;               ///< bytes of the current block
  WorkAhead<Block> blocks_;
};

}  // namespace rocescope
