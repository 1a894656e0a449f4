// Takes what an interface gives and writes it, in a thread of its own, however long the analysis takes.
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

/// The frames of a live capture, each of which was given to the recorder before. Those that were not read yet wait in memory. Where
/// that is full, those that come are only written, and counted; where nothing is written, they stay in the kernel's ring. Where there
/// is no thread to be had, whoever reads takes and writes them.
class LiveIntake final : public FrameSource {
 public:
  struct Limits {
    std::uint64_t packets = 0;        ///< the capture ends after so many; 0: never
    std::uint64_t written_bytes = 0;  ///< likewise, written
    std::size_t memory = 0;           ///< bytes of frames that wait, with what is known of each, as of FrameQueue
  };

  /// Both must outlive it, and are its own from start() to finish(); `recorder` may be null.
  LiveIntake(LiveSource& capture, Recorder* recorder, const Limits& limits);
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
  /// Whether next() has given its last frame, and thrown what the thread ended with, if anything.
  [[nodiscard]] bool ended() { return queue_.ended() && !problem_; }

  /// By now. Also brings info() up to date, and tells the recorder.
  [[nodiscard]] std::span<const LiveCounters> counters();
  /// Calls `work` between two frames, while neither the capture nor the recorder is used.
  void between_frames(const std::function<void()>& work);
  /// Takes nothing more, and ends what is written.
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

  // Of the thread that captures.
  std::uint64_t packets_ = 0;
  bool over_ = false;                        // a frame came that there is no file for
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

  // Of whoever reads.
  std::uint32_t batch_ = 0;
  bool empty_ = false;
  std::thread thread_;
};

}  // namespace rocescope
