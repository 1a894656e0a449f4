// Captures that another run goes on with: their last frames, and those that were read before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capture/merged_capture.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/result.hpp"

namespace rocescope {

/// A frame with a copy of its bytes.
struct KeptFrame {
  Frame frame;  ///< its data are the bytes
  std::vector<std::uint8_t> bytes;

  void keep(const Frame& from) {
    frame = from;
    bytes.assign(from.data.begin(), from.data.end());
    frame.data = bytes;
  }
};

/// Keeps the last frames of a source back until go_on(), since the first ones of captures that follow may come before them: captures of
/// which the times go back a little.
class EndKeeper final : public FrameSource {
 public:
  /// ns: so much the times may go back, unless there are too many bytes.
  static constexpr std::int64_t kWindow = 100'000'000;
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;

  explicit EndKeeper(std::unique_ptr<FrameSource> source) : source_(std::move(source)) {}

  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return source_->info(); }
  [[nodiscard]] bool has_ended(std::uint32_t capture) const override;
  [[nodiscard]] ReadPosition position() const override { return source_->position(); }
  /// next() said that there are no more.
  [[nodiscard]] const std::deque<KeptFrame>& kept() const noexcept { return kept_; }
  /// next() gives them from now on.
  void go_on() noexcept { goes_on_ = true; }

 private:
  void read();

  std::unique_ptr<FrameSource> source_;
  std::deque<KeptFrame> kept_;
  std::vector<std::vector<std::uint8_t>> spare_;  // memory for bytes
  std::size_t bytes_ = 0;
  std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();
  bool given_ = false;  // the first of them
  bool ended_ = false;
  bool goes_on_ = false;
};

/// What was read before.
struct CapturesBefore {
  std::vector<CaptureInfo> captures;
  std::uint64_t frames = 0;                                        ///< that were given
  std::int64_t latest = std::numeric_limits<std::int64_t>::min();  ///< time of one of them
  std::deque<KeptFrame> rest{};                                    ///< those that were kept back, in their order
};

/// Gives the last frames of captures that were read before, and captures that go on: the earliest first, as MergedCapture does with all.
class ContinuedCapture final : public FrameSource {
 public:
  ContinuedCapture(std::unique_ptr<FrameSource> source, std::deque<KeptFrame> rest, std::uint64_t frames);

  [[nodiscard]] bool next(Frame& frame) override;
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return source_->info(); }
  [[nodiscard]] bool has_ended(std::uint32_t capture) const override {
    const bool has_rest = capture < rest_.size() && !rest_[capture].empty();
    return !has_rest && source_->has_ended(capture);
  }
  [[nodiscard]] ReadPosition position() const override { return source_->position(); }

 private:
  [[nodiscard]] std::deque<KeptFrame>* earliest();

  std::unique_ptr<FrameSource> source_;
  std::vector<std::deque<KeptFrame>> rest_;  // by capture
  std::deque<KeptFrame>* given_ = nullptr;   // its first frame was given last
  Frame head_;                               // of the source
  bool has_head_ = false;
  bool started_ = false;
  std::uint64_t frames_;
};

/// Goes on where others were read to their ends, or begins what others go on with: info() has all of them, and frames are numbered on. A
/// capture may be empty. Fails if one of the captures begins before the latest frame that was given of those before, so that to read all of
/// them together would give another order.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> continue_captures(std::span<const std::string> paths,
                                                                     CapturesBefore before);

}  // namespace rocescope
