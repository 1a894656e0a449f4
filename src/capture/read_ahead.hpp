// Reads a ByteSource in a thread of its own, some blocks ahead of who takes the bytes.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "byte_source.hpp"

namespace rocescope {

/// Only for a source that never waits for others: whoever destroys a ReadAhead waits for the read() that is under way.
class ReadAhead final : public ByteSource {
 public:
  /// `block_size`: bytes that are read at once, not 0. Where there is no thread to be had, read() reads itself.
  ReadAhead(std::unique_ptr<ByteSource> source, std::size_t block_size);
  ~ReadAhead() override;

  [[nodiscard]] std::size_t read(std::span<std::uint8_t> into) override;
  [[nodiscard]] const std::string& damage() const override { return source_->damage(); }
  [[nodiscard]] std::string_view compression() const override { return source_->compression(); }

 private:
  static constexpr std::size_t kBlocks = 4;

  struct Block {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size = 0;  ///< 0: the end of the source
  };

  void start();
  void run();
  bool wait_for_block();
  void give_back();

  std::unique_ptr<ByteSource> source_;  ///< the thread's, until it gave the end
  std::size_t block_size_;
  std::array<Block, kBlocks> blocks_;  ///< a ring: the thread fills, read() takes
  std::size_t taken_ = 0;              ///< bytes of the block at hand
  bool ended_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0;  ///< blocks so far; guarded by the mutex, as what follows
  std::size_t emptied_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace rocescope
