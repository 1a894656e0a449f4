// Takes what an interface gives and writes it, in a thread of its own, however long the analysis takes.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "recorder.hpp"
#include "rocescope/live.hpp"
#include "work_ahead.hpp"

namespace rocescope {

/// The frames of a live capture, each of which was given to the recorder before. Those that were not read yet wait in memory. Where
/// that is full, those that come are only written, and counted; where nothing is written, they stay in the kernel's ring.
class LiveIntake final : public FrameSource {
 public:
  struct Limits {
    std::uint64_t packets = 0;        ///< the capture ends after so many; 0: never
    std::uint64_t written_bytes = 0;  ///< likewise, written
    std::size_t memory = 0;           ///< bytes of frames that wait
  };

  /// Both must outlive it, and are its own from start() to finish(); `recorder` may be null.
  LiveIntake(LiveCapture& capture, Recorder* recorder, const Limits& limits);
  ~LiveIntake() override;

  void start();
  /// False where there is nothing to read now, and now and then while there is, so that whoever reads can look at clocks and signals.
  [[nodiscard]] bool next(Frame& frame) override;
  /// As counters() last found it.
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return {&info_, 1}; }

  /// Whether next() last found nothing.
  [[nodiscard]] bool empty() const noexcept { return empty_; }
  /// Waits until next() may have a frame, or a moment or `longest` is over.
  void wait(std::chrono::nanoseconds longest);
  /// Ends the capture: what came until now is still given.
  void stop() noexcept { stop_ = true; }
  /// Whether next() has given its last frame.
  [[nodiscard]] bool ended() { return ahead_ && ahead_->ended(); }

  /// By now. Also brings info() up to date, and tells the recorder.
  [[nodiscard]] std::span<const LiveCounters> counters();
  /// Calls `work` between two frames, while neither the capture nor the recorder is used.
  void between_frames(const std::function<void()>& work);
  /// Takes nothing more, and ends what is written.
  void finish();

 private:
  struct Block {
    std::vector<Frame> frames;  ///< their data has its size only
    std::vector<std::uint8_t> bytes;
    std::size_t next_frame = 0;
    std::size_t next_byte = 0;
  };

  [[nodiscard]] bool step(Block* block);
  [[nodiscard]] bool take(Block* block);
  [[nodiscard]] bool is_full() const noexcept;
  [[nodiscard]] bool wait_or_end();
  void serve();
  void leave();

  LiveCapture& capture_;
  Recorder* recorder_;
  Limits limits_;
  CaptureInfo info_;
  std::vector<LiveCounters> counters_;

  // Of the thread that captures.
  std::uint64_t packets_ = 0;
  bool over_ = false;                        // a frame came that there is no file for
  std::vector<std::uint64_t> not_analysed_;  // by interface

  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable served_;
  const std::function<void()>* work_ = nullptr;  // guarded by the mutex
  std::atomic<bool> has_work_ = false;
  bool left_ = false;  // guarded by the mutex

  // Of whoever reads.
  Block* block_ = nullptr;
  std::uint32_t batch_ = 0;
  bool empty_ = false;
  std::optional<WorkAhead<Block>> ahead_;
};

}  // namespace rocescope
