#include "live_intake.hpp"

#include <algorithm>
#include <thread>

namespace rocescope {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr std::size_t kBlockBytes = std::size_t{128} << 10;
constexpr nanoseconds kMoment = 20ms;  // until whoever waits looks whether there is something else to do
constexpr nanoseconds kWithoutRoom = 1ms;

}  // namespace

LiveIntake::LiveIntake(LiveCapture& capture, Recorder* recorder, const Limits& limits)
    : capture_(capture),
      recorder_(recorder),
      limits_(limits),
      info_(capture.info().front()),
      not_analysed_(info_.interfaces.size()) {}

LiveIntake::~LiveIntake() {
  if (ahead_) ahead_->stop();
}

void LiveIntake::start() {
  ahead_.emplace([this](Block& block) { return step(&block); }, limits_.memory / kBlockBytes,
                 [this] { return step(nullptr); });
}

bool LiveIntake::next(Frame& frame) {
  constexpr std::uint32_t kBatch = 1024;
  empty_ = false;
  if (batch_++ == kBatch) {
    batch_ = 0;
    return false;
  }
  if (block_ != nullptr && block_->next_frame == block_->frames.size()) {
    ahead_->give_back();
    block_ = nullptr;
  }
  if (block_ == nullptr) block_ = ahead_->front_within(0ns);
  if (block_ == nullptr || block_->frames.empty()) {
    empty_ = true;
    batch_ = 0;
    return false;
  }
  frame = block_->frames[block_->next_frame++];
  frame.data = {block_->bytes.data() + block_->next_byte, frame.data.size()};
  block_->next_byte += frame.data.size();
  return true;
}

void LiveIntake::wait(nanoseconds longest) {
  if (block_ == nullptr) block_ = ahead_->front_within(std::clamp(longest, nanoseconds(0), kMoment));
}

/// What there is now, or nothing after a moment. Null: there is no room for it.
bool LiveIntake::step(Block* block) {
  try {
    serve();
    if (block == nullptr && recorder_ == nullptr) {
      std::this_thread::sleep_for(kWithoutRoom);
      return true;
    }
    if (block != nullptr) {
      block->frames.clear();
      block->bytes.clear();
      block->next_frame = block->next_byte = 0;
    }
    return take(block) || wait_or_end();
  } catch (...) {
    leave();
    throw;
  }
}

/// Whether there were any. Null: nobody will read them.
bool LiveIntake::take(Block* block) {
  std::size_t bytes = 0;
  std::size_t frames = 0;
  for (Frame frame; bytes < kBlockBytes && !is_full() && capture_.next(frame); ++frames) {
    if (recorder_ != nullptr && recorder_->is_over(frame.timestamp)) {
      over_ = true;
      break;
    }
    ++packets_;
    bytes += frame.data.size() + sizeof frame;
    if (recorder_ != nullptr) recorder_->write(frame);
    if (block == nullptr) {
      ++not_analysed_[frame.interface_id];
      continue;
    }
    block->bytes.insert(block->bytes.end(), frame.data.begin(), frame.data.end());
    block->frames.push_back(frame);
  }
  return frames > 0;
}

/// Whether no more can be taken, or is to be.
bool LiveIntake::is_full() const noexcept {
  if (limits_.packets > 0 && packets_ >= limits_.packets) return true;
  if (recorder_ == nullptr) return false;
  return over_ || recorder_->error() || recorder_->is_over() ||
         (limits_.written_bytes > 0 && recorder_->bytes() >= limits_.written_bytes);
}

bool LiveIntake::wait_or_end() {
  // Nothing is held back while nothing comes.
  if (recorder_ != nullptr) recorder_->flush();
  if (is_full() || capture_.ended()) {
    leave();
    return false;
  }
  capture_.wait(kMoment);
  return true;
}

void LiveIntake::serve() {
  if (stop_) capture_.stop();
  if (!has_work_) return;
  const std::lock_guard lock(mutex_);
  (*work_)();
  work_ = nullptr;
  has_work_ = false;
  served_.notify_all();
}

void LiveIntake::leave() {
  const std::lock_guard lock(mutex_);
  left_ = true;
  served_.notify_all();
}

void LiveIntake::between_frames(const std::function<void()>& work) {
  if (!ahead_ || ahead_->has_no_thread()) return work();
  std::unique_lock lock(mutex_);
  if (!left_) {
    work_ = &work;
    has_work_ = true;
    served_.wait(lock, [this] { return work_ == nullptr || left_; });
    if (work_ == nullptr) return;
    work_ = nullptr;
    has_work_ = false;
  }
  work();
}

std::span<const LiveCounters> LiveIntake::counters() {
  between_frames([this] {
    const std::span<const LiveCounters> counters = capture_.counters();
    if (recorder_ != nullptr) recorder_->set_counters(counters);
    counters_.assign(counters.begin(), counters.end());
    info_.warnings = capture_.info().front().warnings;
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      counters_[i].not_analysed = not_analysed_[i];
      info_.interfaces[i].dropped = capture_.info().front().interfaces[i].dropped.value_or(0) + not_analysed_[i];
    }
  });
  return counters_;
}

void LiveIntake::finish() {
  if (ahead_) ahead_->stop();
  leave();
  (void)counters();  // which the recorder writes
  if (recorder_ != nullptr) recorder_->finish();
}

}  // namespace rocescope
