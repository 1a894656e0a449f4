// One capture, or several merged by time.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capture/capture_reader.hpp"
#include "capture/read_count.hpp"
#include "rocescope/capture.hpp"

namespace rocescope {

/// `info` has one element, which `reader` refers to. `read` counts what is read of its file.
class SingleCapture final : public FrameSource {
 public:
  SingleCapture(std::vector<CaptureInfo> info, std::unique_ptr<CaptureReader> reader,
                std::shared_ptr<const ReadCount> read)
      : info_(std::move(info)), reader_(std::move(reader)), read_(std::move(read)) {}

  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::size_t next_buffered(std::span<Frame> frames, const BufferedFrames& wanted) override {
    return reader_->next_buffered(frames, wanted);
  }
  [[nodiscard]] std::shared_ptr<const void> hold() const override { return reader_->hold(); }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }
  [[nodiscard]] std::span<const std::string> comments() const override { return reader_->comments(); }
  [[nodiscard]] ReadPosition position() const override { return read_->position(); }

 private:
  std::vector<CaptureInfo> info_;
  std::unique_ptr<CaptureReader> reader_;
  std::shared_ptr<const ReadCount> read_;
};

/// Returns the earliest of the next frames of all captures; of equal times, that of the first capture. `readers` refer to
/// the last elements of `info`, one each; those before were read to their ends. `read` counts the bytes read from their files.
class MergedCapture final : public FrameSource {
 public:
  MergedCapture(std::vector<CaptureInfo> info, std::vector<std::unique_ptr<CaptureReader>> readers,
                std::shared_ptr<const ReadCount> read)
      : info_(std::move(info)),
        readers_(std::move(readers)),
        read_(std::move(read)),
        heads_(readers_.size()),
        ended_(readers_.size()),
        before_(info_.size() - readers_.size()) {}

  [[nodiscard]] bool next(Frame& frame) override;
  /// Before the first next(): a capture whose first frame is earlier than `time`; null: there is none.
  [[nodiscard]] const CaptureInfo* find_earlier(std::int64_t time);
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }
  [[nodiscard]] std::span<const std::string> comments() const override;
  [[nodiscard]] bool has_ended(std::uint32_t capture) const override {
    return capture < before_ || ended_[capture - before_];
  }
  [[nodiscard]] ReadPosition position() const override { return read_->position(); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Time and capture of a frame that waits in heads_; the least comes next.
  using Waiting = std::pair<std::int64_t, std::size_t>;

  void start();
  void advance(std::size_t capture);

  std::vector<CaptureInfo> info_;
  std::vector<std::unique_ptr<CaptureReader>> readers_;
  std::shared_ptr<const ReadCount> read_;
  std::vector<Frame> heads_;
  std::vector<bool> ended_;
  std::size_t before_;  ///< captures that were read before
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::size_t given_ = kNone;  ///< the capture of the last frame, which still holds its bytes
  bool started_ = false;
  std::uint64_t frames_ = 0;
};

}  // namespace rocescope
