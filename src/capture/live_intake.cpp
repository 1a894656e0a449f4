#include "capture/live_intake.hpp"

#include <algorithm>
#include <utility>

#include "capture/own_thread.hpp"

namespace rocescope {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kAtOnce = 1024;             // frames taken before the thread looks at its other work
constexpr std::chrono::nanoseconds kMoment = 20ms;  // longest wait before the reader looks at its other work
constexpr std::chrono::nanoseconds kWithoutRoom = 1ms;

}  // namespace

LiveIntake::LiveIntake(LiveSource& capture, Recorder* recorder, const Limits& limits)
    : capture_(capture),
      recorder_(recorder),
      limits_(limits),
      info_(capture.info().front()),
      not_analysed_(info_.interfaces.size()),
      queue_(limits.memory) {}

LiveIntake::~LiveIntake() {
  finished_ = true;
  if (thread_.joinable()) thread_.join();
}

void LiveIntake::start() {
  thread_ = own_thread([this] { run(); });
}

bool LiveIntake::next(Frame& frame) {
  empty_ = false;
  if (batch_++ == kAtOnce) {
    batch_ = 0;
    return false;
  }
  if (queue_.take(frame) || (!thread_.joinable() && next_without_thread(frame))) return true;
  empty_ = true;
  batch_ = 0;
  if (queue_.ended() && problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
  return false;
}

bool LiveIntake::next_without_thread(Frame& frame) {
  if (finished_) return false;
  if (stop_) capture_.stop();
  return take() && queue_.take(frame);
}

void LiveIntake::wait(std::chrono::nanoseconds longest) {
  const std::chrono::nanoseconds moment = std::clamp(longest, std::chrono::nanoseconds(0), kMoment);
  if (thread_.joinable()) {
    queue_.wait(moment);
  } else if (!wait_or_end(moment)) {
    leave();
  }
}

void LiveIntake::run() {
  try {
    bool more = true;
    while (more && !finished_) {
      serve();
      more = take() || wait_or_end(kMoment);
    }
  } catch (...) {
    problem_ = std::current_exception();
  }
  leave();
}

/// Takes the frames that are there now. False: none.
bool LiveIntake::take() {
  const bool room = queue_.has_room();
  if (!room && recorder_ == nullptr) {
    std::this_thread::sleep_for(kWithoutRoom);
    return true;
  }
  std::uint64_t frames = 0;
  bool more = true;
  for (Frame frame; more && !is_full() && capture_.next(frame);) {
    if (recorder_ != nullptr && recorder_->is_over(frame.timestamp)) {
      over_ = true;
      break;
    }
    ++packets_;
    more = ++frames < kAtOnce;
    if (recorder_ != nullptr) recorder_->write(frame);
    if (room) {
      more = queue_.put(frame) && more;
    } else {
      ++not_analysed_[frame.interface_id];
    }
  }
  queue_.hand_over();
  return frames > 0;
}

/// Whether the capture is over.
bool LiveIntake::is_full() const noexcept {
  if (limits_.packets > 0 && packets_ >= limits_.packets) return true;
  if (recorder_ == nullptr) return false;
  return over_ || recorder_->error() || recorder_->is_over() ||
         (limits_.written_bytes > 0 && recorder_->bytes() >= limits_.written_bytes);
}

bool LiveIntake::wait_or_end(std::chrono::nanoseconds longest) {
  // While no frame comes, no frame is held back.
  if (recorder_ != nullptr) recorder_->flush();
  if (is_full() || capture_.ended()) return false;
  capture_.wait(longest);
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
  queue_.close();
  const std::lock_guard lock(mutex_);
  left_ = true;
  served_.notify_all();
}

void LiveIntake::between_frames(const std::function<void()>& work) {
  if (!thread_.joinable()) return work();
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
  finished_ = true;
  if (thread_.joinable()) thread_.join();
  leave();
  (void)counters();  // for the recorder, which writes them
  if (recorder_ != nullptr) recorder_->finish();
}

}  // namespace rocescope
