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

/// Copies of frames, in the order of arrival. They lie in blocks, so that the threads meet once for many frames. A block that is
/// not full can be handed over too; it is filled further until the reader takes it.
class FrameQueue {
 public:
  /// `memory`: bytes that the frames and their headers may take. A block is a sixteenth of that, at most 128 KiB. Only a frame
  /// larger than a block may exceed `memory`, by less than its own size: its size is known too late to wait for room.
  explicit FrameQueue(std::size_t memory);
  ~FrameQueue();

  // Of the thread that captures.

  /// Whether there is room for another frame.
  [[nodiscard]] bool has_room();
  /// Copies the frame in any case. False: call hand_over().
  bool put(const Frame& frame);
  /// Lets the reader take the frames that were put in so far.
  void hand_over();
  /// Ends the input. The reader can take all frames, even where there was no memory to hand them over.
  void close();

  // Of the thread that reads.

  /// The first frame, whose bytes last until the next call. False: there is none now.
  [[nodiscard]] bool take(Frame& frame);
  /// Waits until there is a frame, the input ends, or `longest` has passed.
  void wait(std::chrono::nanoseconds longest);
  /// Whether the last frame was taken after close().
  [[nodiscard]] bool ended();

  /// Bytes of all blocks, free ones included.
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
