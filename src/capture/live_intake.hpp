// Takes and writes the frames of a capture in a thread of its own, so that they never wait for the analysis.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "capture/frame_queue.hpp"
#include "capture/recorder.hpp"
#include "rocescope/live.hpp"

namespace rocescope {

/// The frames of a live capture. The recorder writes each frame before the reader gets it. Frames wait in memory for the reader;
/// when the memory is full, new frames are written and counted only, or stay in the kernel's ring if nothing is written. If the
/// system gives no thread, the reader takes and writes them.
class LiveIntake final : public FrameSource {
 public:
  struct Limits {
    std::uint64_t packets = 0;        ///< the capture ends after so many; 0: never
    std::uint64_t written_bytes = 0;  ///< likewise, written
    std::size_t memory = 0;           ///< bytes of waiting frames, as of FrameQueue
  };

  /// Both must outlive it; only it uses them from start() to finish(). `recorder` may be null.
  LiveIntake(LiveSource& capture, Recorder* recorder, const Limits& limits);
  ~LiveIntake() override;

  void start();
  /// False if there is nothing to read now, and at times although there is, so that the reader can look at clocks and signals.
  [[nodiscard]] bool next(Frame& frame) override;
  /// As counters() last found it.
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return {&info_, 1}; }

  /// Whether next() last found nothing.
  [[nodiscard]] bool empty() const noexcept { return empty_; }
  /// Waits until next() may have a frame, at most `longest` or a moment, whichever is shorter.
  void wait(std::chrono::nanoseconds longest);
  /// Ends the capture: next() still returns the frames that came before.
  void stop() noexcept { stop_ = true; }
  /// Whether next() has returned the last frame, and has rethrown the exception of the thread, if any.
  [[nodiscard]] bool ended() { return queue_.ended() && !problem_; }

  /// The counters now. Also updates info() and the recorder.
  [[nodiscard]] std::span<const LiveCounters> counters();
  /// Calls `work` between two frames, while neither the capture nor the recorder is used.
  void between_frames(const std::function<void()>& work);
  /// Takes nothing more and ends the files.
  void finish();

 private:
  void run();
  [[nodiscard]] bool take();
  [[nodiscard]] bool is_full() const noexcept;
  [[nodiscard]] bool wait_or_end(std::chrono::nanoseconds longest);
  [[nodiscard]] bool next_without_thread(Frame& frame);
  void serve();
  void leave();

  LiveSource& capture_;
  Recorder* recorder_;
  Limits limits_;
  CaptureInfo info_;
  std::vector<LiveCounters> counters_;

  // Used by the capturing thread.
  std::uint64_t packets_ = 0;
  bool over_ = false;                        // a frame came after the last file
  std::vector<std::uint64_t> not_analysed_;  // by interface

  std::atomic<bool> stop_ = false;
  std::atomic<bool> finished_ = false;
  FrameQueue queue_;
  std::exception_ptr problem_;  // of the thread, which sets it before it closes the queue: only then may others look
  std::mutex mutex_;
  std::condition_variable served_;
  const std::function<void()>* work_ = nullptr;  // guarded by the mutex
  std::atomic<bool> has_work_ = false;
  bool left_ = false;  // guarded by the mutex

  // Used by the reader.
  std::uint32_t batch_ = 0;
  bool empty_ = false;
  std::thread thread_;
};

}  // namespace rocescope
