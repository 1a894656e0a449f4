#include "capture/merged_capture.hpp"

namespace rocescope {

bool SingleCapture::next(Frame& frame) {
  if (!reader_->next(frame)) return false;
  frame.number = reader_->frames();
  frame.capture_id = 0;
  return true;
}

void MergedCapture::start() {
  for (std::size_t i = 0; i < readers_.size(); ++i) advance(i);
  started_ = true;
}

const CaptureInfo* MergedCapture::find_earlier(std::int64_t time) {
  start();
  if (waiting_.empty() || waiting_.top().first >= time) return nullptr;
  return &info_[before_ + waiting_.top().second];
}

bool MergedCapture::next(Frame& frame) {
  if (!started_) start();
  if (given_ != kNone) advance(given_);  // only now: the bytes of the last frame last until this call
  given_ = kNone;
  if (waiting_.empty()) return false;
  given_ = waiting_.top().second;
  waiting_.pop();
  frame = heads_[given_];
  frame.number = ++frames_;
  frame.capture_id = static_cast<std::uint32_t>(before_ + given_);
  return true;
}

std::span<const std::string> MergedCapture::comments() const {
  return given_ == kNone ? std::span<const std::string>() : readers_[given_]->comments();
}

void MergedCapture::advance(std::size_t capture) {
  ended_[capture] = !readers_[capture]->next(heads_[capture]);
  if (!ended_[capture]) waiting_.emplace(heads_[capture].timestamp, capture);
}

}  // namespace rocescope
