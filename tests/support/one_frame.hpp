// A capture of one frame.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "rocescope/capture.hpp"

namespace rocescope::testing {

class OneFrame final : public FrameSource {
 public:
  /// Its bytes must outlive it.
  OneFrame(const Frame& frame, CaptureInfo info) : frame_(frame), info_{std::move(info)} {}

  [[nodiscard]] bool next(Frame& frame) override {
    frame = frame_;
    return !std::exchange(given_, true);
  }
  [[nodiscard]] std::span<const CaptureInfo> info() const override { return info_; }

 private:
  Frame frame_;
  std::array<CaptureInfo, 1> info_;
  bool given_ = false;
};

}  // namespace rocescope::testing
