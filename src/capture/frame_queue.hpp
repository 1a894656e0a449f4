// Frames that wait in memory between the thread that captures and the one that reads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "rocescope/frame.hpp"

namespace rocescope {

/// Copies of frames, in the order in which they came. They lie in blocks, so that the threads meet once for many frames: one that
/// is not full is handed over nevertheless, and filled on while nobody takes it.
class FrameQueue {
 public:
  /// `memory`: bytes that the frames may take, with what is known of each. Only a frame larger than a block, a sixteenth of
  /// that or 128 KiB at most, may exceed it, by less than its own size: how large it is, is known too late to wait for more room.
  explicit FrameQueue(std::size_t memory);
  ~FrameQueue();

  // Of the thread that captures.

  /// Whether there is room for another frame.
  [[nodiscard]] bool has_room();
  /// Takes memory in any case. False: it is time to hand over.
  bool put(const Frame& frame);
  /// From now on those that were put in can be taken.
  void hand_over();
  /// None is put in any more, and those that were can be taken: also where there is no memory to hand them over.
  void close();

  // Of the thread that reads.

  /// The first frame, whose bytes last until the next is asked for. False: there is none now.
  [[nodiscard]] bool take(Frame& frame);
  /// Waits until there is a frame, none will come, or `longest` is over.
  void wait(std::chrono::nanoseconds longest);
  /// Whether the last frame was taken after close().
  [[nodiscard]] bool ended();

  /// Bytes that it takes now, those kept for frames to come included.
  [[nodiscard]] std::size_t held();

 private:
  struct Block;
  using BlockPointer = std::unique_ptr<Block>;

  [[nodiscard]] BlockPointer block_to_fill();
  [[nodiscard]] BlockPointer begin_block(std::size_t size);
  void give_back(BlockPointer block);
  [[nodiscard]] bool is_drained() const noexcept;

  const std::size_t memory_;
  const std::size_t block_size_;
  BlockPointer filling_;  ///< of the thread that captures, until hand_over() or close()
  BlockPointer at_hand_;  ///< of the thread that reads

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BlockPointer> waiting_;  ///< guarded by the mutex, as what follows
  std::vector<BlockPointer>
      free_;              ///< of the usual size; the one that was used last, and is in the caches still, at the end
  std::size_t used_ = 0;  ///< bytes of all blocks but those
  bool closed_ = false;
};

}  // namespace rocescope
