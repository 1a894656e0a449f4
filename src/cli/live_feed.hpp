// The frames of a live capture on their way to analysis, written on that way.
#pragma once

#include <cstdint>
#include <memory>

#include "recorder.hpp"
#include "rocescope/live.hpp"

namespace rocescope::cli {

/// Every frame that it gives was given to the recorder before. next() is false where there is nothing to read now, and now and
/// then while there is, so that whoever reads can look at clocks and signals.
class LiveFeed final : public FrameSource {
 public:
  /// Both must outlive it; `recorder` may be null, `most_bytes` 0.
  LiveFeed(LiveCapture& capture, Recorder* recorder, std::uint64_t most_bytes)
      : capture_(capture), recorder_(recorder), most_bytes_(most_bytes) {}

  [[nodiscard]] bool next(Frame& frame) override {
    empty_ = false;
    if (full() || batch_++ == kBatch) {
      batch_ = 0;
      return false;
    }
    if (!capture_.next(frame)) {
      empty_ = true;
      batch_ = 0;
      return false;
    }
    if (recorder_ == nullptr) return true;
    if (recorder_->is_over(frame.timestamp)) {
      over_ = true;
      return false;
    }
    recorder_->write(frame);
    return true;
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return capture_.info(); }

  /// Whether next() last found nothing.
  [[nodiscard]] bool empty() const noexcept { return empty_; }
  /// Whether no more can be written, or is to be.
  [[nodiscard]] bool full() const noexcept {
    if (recorder_ == nullptr) return false;
    return over_ || recorder_->error() || recorder_->is_over() ||
           (most_bytes_ > 0 && recorder_->bytes() >= most_bytes_);
  }

 private:
  static constexpr std::uint32_t kBatch = 1024;

  LiveCapture& capture_;
  Recorder* recorder_;
  std::uint64_t most_bytes_;
  std::uint32_t batch_ = 0;
  bool empty_ = false;
  bool over_ = false;  // a frame came that there is no file for
};

}  // namespace rocescope::cli
