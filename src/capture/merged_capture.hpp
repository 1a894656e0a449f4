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
#include "rocescope/capture.hpp"

namespace rocescope {

/// `info` has one element, which `reader` refers to.
class SingleCapture final : public FrameSource {
 public:
  SingleCapture(std::vector<CaptureInfo> info, std::unique_ptr<CaptureReader> reader)
      : info_(std::move(info)), reader_(std::move(reader)) {}

  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }
  [[nodiscard]] std::span<const std::string> comments() const override { return reader_->comments(); }

 private:
  std::vector<CaptureInfo> info_;
  std::unique_ptr<CaptureReader> reader_;
  std::uint64_t frames_ = 0;
};

/// Returns the earliest of the next frames of all captures; of equal times, that of the first capture. `readers` refer to
/// the elements of `info`, one each.
class MergedCapture final : public FrameSource {
 public:
  MergedCapture(std::vector<CaptureInfo> info, std::vector<std::unique_ptr<CaptureReader>> readers)
      : info_(std::move(info)), readers_(std::move(readers)), heads_(readers_.size()) {}

  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }
  [[nodiscard]] std::span<const std::string> comments() const override;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Time and capture of a frame that waits in heads_; the least comes next.
  using Waiting = std::pair<std::int64_t, std::size_t>;

  void advance(std::size_t capture);

  std::vector<CaptureInfo> info_;
  std::vector<std::unique_ptr<CaptureReader>> readers_;
  std::vector<Frame> heads_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::size_t given_ = kNone;  ///< the capture of the last frame, which still holds its bytes
  bool started_ = false;
  std::uint64_t frames_ = 0;
};

}  // namespace rocescope
