#include "capture/continued_capture.hpp"

#include <algorithm>

namespace rocescope {

void EndKeeper::read() {
  Frame frame;
  ended_ = !source_->next(frame);
  if (ended_) return;
  KeptFrame& kept = kept_.emplace_back();
  if (!spare_.empty()) {
    kept.bytes = std::move(spare_.back());
    spare_.pop_back();
  }
  kept.keep(frame);
  bytes_ += kept.bytes.size();
  latest_ = std::max(latest_, frame.timestamp);
}

bool EndKeeper::next(Frame& frame) {
  if (given_) {
    bytes_ -= kept_.front().bytes.size();
    spare_.push_back(std::move(kept_.front().bytes));
    kept_.pop_front();
  }
  given_ = false;
  const auto is_late = [&] {
    const auto age = static_cast<std::uint64_t>(latest_) - static_cast<std::uint64_t>(kept_.front().frame.timestamp);
    return age > static_cast<std::uint64_t>(kWindow) || bytes_ > kMostBytes;
  };
  while (!ended_ && (kept_.empty() || !is_late())) read();
  if (kept_.empty() || (ended_ && !goes_on_)) return false;
  frame = kept_.front().frame;
  return given_ = true;
}

bool EndKeeper::has_ended(std::uint32_t capture) const {
  const auto is_of_it = [&](const KeptFrame& kept) { return kept.frame.capture_id == capture; };
  return source_->has_ended(capture) && std::ranges::none_of(kept_, is_of_it);
}

ContinuedCapture::ContinuedCapture(std::unique_ptr<FrameSource> source, std::deque<KeptFrame> rest,
                                   std::uint64_t frames)
    : source_(std::move(source)), frames_(frames) {
  for (KeptFrame& kept : rest) {
    const std::size_t capture = kept.frame.capture_id;
    if (capture >= rest_.size()) rest_.resize(capture + 1);
    KeptFrame& moved = rest_[capture].emplace_back(std::move(kept));
    moved.frame.data = moved.bytes;
  }
}

/// Of equal times, that of the first capture. Null: that of the source, if there is one.
std::deque<KeptFrame>* ContinuedCapture::earliest() {
  std::deque<KeptFrame>* first = nullptr;
  for (std::deque<KeptFrame>& each : rest_) {
    if (each.empty()) continue;
    if (first == nullptr || each.front().frame.timestamp < first->front().frame.timestamp) first = &each;
  }
  const bool is_behind = first != nullptr && has_head_ && head_.timestamp < first->front().frame.timestamp;
  return is_behind ? nullptr : first;
}

bool ContinuedCapture::next(Frame& frame) {
  if (given_ != nullptr) {
    given_->pop_front();
  } else if (has_head_ || !started_) {
    has_head_ = source_->next(head_);
  }
  started_ = true;
  given_ = earliest();
  if (given_ == nullptr && !has_head_) return false;
  frame = given_ == nullptr ? head_ : given_->front().frame;
  frame.number = ++frames_;
  return true;
}

}  // namespace rocescope
