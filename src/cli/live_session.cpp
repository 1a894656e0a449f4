#include "live_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "human.hpp"
#include "signals.hpp"

namespace rocescope::cli {
namespace {

using std::chrono::nanoseconds;

std::int64_t system_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<nanoseconds>(now).count();
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", text::count(count), noun, count == 1 ? "" : "s");
}

}  // namespace

LiveSession::LiveSession(LiveCapture& capture, Recorder* recorder, LiveSetup setup, Messages& messages)
    : LiveSession(capture, recorder, std::make_unique<LiveFeed>(capture, recorder, setup.most_bytes), std::move(setup),
                  messages) {}

LiveSession::LiveSession(LiveCapture& capture, Recorder* recorder, std::unique_ptr<LiveFeed> feed, LiveSetup setup,
                         Messages& messages)
    : started_(Clock::now()),
      start_(system_time()),
      capture_(capture),
      recorder_(recorder),
      messages_(messages),
      feed_(feed.get()),
      count_(setup.input.count),
      input_(std::move(setup.input), std::move(feed), messages) {
  if (setup.duration) end_ = Clock::now() + *setup.duration;
}

void LiveSession::watch(nanoseconds every, Watcher watcher) {
  watcher_ = std::move(watcher);
  monitor_.emplace(time());
  every_ = every;
  next_update_ = Clock::now() + every;
}

void LiveSession::run(Reporting& reporting) {
  while (!is_over() && !reporting.error()) {
    while (const PacketRecord* record = input_.next()) {
      reporting.add(*record);
      if (monitor_) monitor_->add(*record);
      if (watcher_.add) watcher_.add(*record);
    }
    attend(reporting);
    if (!feed_->empty()) continue;
    // Nothing is held back while nothing comes.
    if (recorder_ != nullptr) recorder_->flush();
    capture_.wait(next_deadline() - Clock::now());
  }
  count_losses();
  if (monitor_) tell_update(reporting, LookKind::kLast);
  if (recorder_ != nullptr) recorder_->finish();
}

std::int64_t LiveSession::time() const { return start_ + nanoseconds(Clock::now() - started_).count(); }

bool LiveSession::is_over() const {
  return capture_.ended() || feed_->full() || watcher_left_ || (count_ > 0 && input_.counts().packets >= count_);
}

/// What comes from outside, or with time.
void LiveSession::attend(const Reporting& reporting) {
  const Clock::time_point now = Clock::now();
  if (stop_requested() || (end_ && now >= *end_)) capture_.stop();
  if (now >= next_count_) count_losses();
  if (monitor_ && now >= next_update_) tell_update(reporting, LookKind::kOneOfMany);
  if (watcher_.attend) attend_watcher(now);
  if (take(LiveSignal::kCounters)) tell_counters();
  if (take(LiveSignal::kFlush) && recorder_ != nullptr) recorder_->flush();
}

LiveSession::Clock::time_point LiveSession::next_deadline() const {
  return std::min({next_count_, end_.value_or(next_count_), monitor_ ? next_update_ : next_count_});
}

void LiveSession::count_losses() {
  const std::span<const LiveCounters> counters = capture_.counters();
  if (recorder_ != nullptr) recorder_->set_counters(counters);
  next_count_ = Clock::now() + std::chrono::seconds(1);
}

void LiveSession::tell_update(const Reporting& reporting, LookKind kind) {
  const Tracker& tracker = input_.reader().tracker();
  // The counters first: they bring what the capture says of itself up to date.
  const std::span<const LiveCounters> counters = capture_.counters();
  const LiveUpdate update =
      monitor_->look(time(), tracker, reporting.builder(), capture_.info().front(), counters, kind);
  if (!watcher_.show(update)) watcher_left_ = true;
  // What took too long is left out, not caught up with.
  next_update_ = std::max(next_update_ + every_, Clock::now());
}

/// Keys wait for no more than a moment, and packets not for keys.
void LiveSession::attend_watcher(Clock::time_point now) {
  if (now < next_attendance_) return;
  next_attendance_ = now + std::chrono::milliseconds(20);
  if (!watcher_.attend()) capture_.stop();
}

void LiveSession::tell_counters() {
  const std::span<const LiveCounters> counters = capture_.counters();
  for (std::size_t i = 0; i < counters.size(); ++i) {
    messages_.note(fmt::format("{}: {} received, {} dropped by the kernel, {} by the interface",
                               capture_.info().front().interfaces[i].name, counted(counters[i].received, "packet"),
                               text::count(counters[i].dropped_by_kernel),
                               text::count(counters[i].dropped_by_interface)));
  }
  const ReadCounts& read = input_.counts();
  messages_.note(fmt::format("{} read, {} of them RoCE", counted(read.packets, "packet"), text::count(read.roce)));
  if (recorder_ == nullptr) return;
  recorder_->flush();
  messages_.note(
      fmt::format("{} written, {}", counted(recorder_->packets(), "packet"), counted(recorder_->files(), "file")));
}

}  // namespace rocescope::cli
