#include "cli/live_session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output.hpp"
#include "cli/report_options.hpp"
#include "cli/signals.hpp"
#include "rocescope/text.hpp"

namespace rocescope::cli {
namespace {

std::int64_t system_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// Frames that wait for the analysis take a quarter more memory than the kernel's ring of an interface: a full ring fits, with the
/// headers of its frames and the room at the ends of blocks.
LiveIntake::Limits limits_of(const LiveSetup& setup) {
  constexpr std::size_t kKibibyte = 1024;
  return {.packets = setup.input.count,
          .written_bytes = setup.most_bytes,
          .memory = setup.capture.buffer_kib * (kKibibyte + kKibibyte / 4)};
}

/// The counts are of the device, which may send through other interfaces as well.
std::string unseen_rdma_text(const CountedRdma& unseen) {
  return fmt::format(
      "no RoCE captured on {}, while {} counted {}: {}. See: rocescope interfaces, man rocescope-capture",
      unseen.interface, unseen.device, text::count(unseen.packets, "packet"),
      unseen.software                     ? "packets between its own queue pairs pass no interface"
      : unseen.interface == unseen.device ? "the device gives no copies"
                                          : "RDMA hardware bypasses the kernel");
}

}  // namespace

LiveSession::LiveSession(LiveCapture& capture, Recorder* recorder, LiveSetup setup, Messages& messages)
    : LiveSession(recorder, std::make_unique<LiveIntake>(capture, recorder, limits_of(setup)), std::move(setup),
                  messages) {}

LiveSession::LiveSession(Recorder* recorder, std::unique_ptr<LiveIntake> intake, LiveSetup setup, Messages& messages)
    : started_(Clock::now()),
      start_(system_time()),
      recorder_(recorder),
      messages_(messages),
      intake_(intake.get()),
      count_(setup.input.count),
      packets_there_(setup.write == "-"),
      most_connections_(setup.input.track.max_connections),
      rdma_(setup.capture.interfaces),
      input_(std::move(setup.input), std::move(intake), messages) {
  if (setup.duration) end_ = Clock::now() + *setup.duration;
}

void LiveSession::watch(std::chrono::nanoseconds every, Watcher watcher) {
  watcher_ = std::move(watcher);
  input_.analysis().watch(time());
  every_ = every;
  next_update_ = Clock::now() + every;
}

void LiveSession::run(const CsvFolder* csv) {
  if (!watcher_.add) input_.take_express_lane();
  intake_->start();
  while (!is_over() && (csv == nullptr || !csv->error())) {
    while (const PacketRecord* record = input_.next()) {
      if (watcher_.add) watcher_.add(*record);
    }
    attend();
    if (intake_->empty()) intake_->wait(next_deadline() - Clock::now());
  }
  intake_->finish();
  for (const LiveCounters& each : intake_->counters()) not_analysed_ += each.not_analysed;
  if (watcher_.show) report_update(LookKind::kLast);
  warn_of_unseen_rdma();
}

std::int64_t LiveSession::time() const { return start_ + std::chrono::nanoseconds(Clock::now() - started_).count(); }

bool LiveSession::is_over() const {
  return intake_->ended() || watcher_left_ || (count_ > 0 && input_.counts().packets >= count_);
}

/// Handles signals, keys and clocks.
void LiveSession::attend() {
  const Clock::time_point now = Clock::now();
  if (stop_requested() || (end_ && now >= *end_)) stop();
  if (now >= next_count_) {
    if (packets_there_ && is_unread(STDOUT_FILENO)) end_by_closed_pipe();
    count_losses();
    expire();
    warn_of_unseen_rdma();
    if (!stopped_) rdma_.look();
  }
  warn_if_crowded();
  if (watcher_.show && now >= next_update_) report_update(LookKind::kOneOfMany);
  if (watcher_.attend) attend_watcher(now);
  if (take(LiveSignal::kCounters)) report_counters();
  if (take(LiveSignal::kFlush) && recorder_ != nullptr) intake_->between_frames([this] { recorder_->flush(); });
}

LiveSession::Clock::time_point LiveSession::next_deadline() const {
  return std::min({next_count_, end_.value_or(next_count_), watcher_.show ? next_update_ : next_count_});
}

void LiveSession::count_losses() {
  (void)intake_->counters();
  next_count_ = Clock::now() + std::chrono::seconds(1);
}

/// Connections also become idle while no packet comes. The clock of the packets may be any.
void LiveSession::expire() {
  const Clock::time_point now = Clock::now();
  if (std::exchange(packets_, input_.counts().packets) != input_.counts().packets) last_packet_ = now;
  input_.analysis().expire(std::chrono::nanoseconds(now - last_packet_).count());
}

void LiveSession::warn_if_crowded() {
  if (reported_crowded_ || input_.analysis().evicted().crowded == 0) return;
  reported_crowded_ = true;
  messages_.warning(crowded_text(most_connections_));
}

void LiveSession::report_update(LookKind kind) {
  // The counters first: they update the description of the capture.
  const std::span<const LiveCounters> counters = intake_->counters();
  const LiveUpdate update = input_.analysis().look(time(), counters, kind);
  if (!watcher_.show(update)) watcher_left_ = true;
  // Missed updates are skipped.
  next_update_ = std::max(next_update_ + every_, Clock::now());
}

/// Keys wait only for a moment, and packets do not wait for keys.
void LiveSession::attend_watcher(Clock::time_point now) {
  if (now < next_attendance_) return;
  next_attendance_ = now + std::chrono::milliseconds(20);
  if (!watcher_.attend()) stop();
}

/// What RDMA devices count later is not captured anyway.
void LiveSession::stop() {
  if (!std::exchange(stopped_, true)) rdma_.look();
  intake_->stop();
}

/// By now the capture has what was counted before the last look.
void LiveSession::warn_of_unseen_rdma() {
  const std::vector<CountedRdma> counted = rdma_.counted();
  if (reported_unseen_ || counted.empty()) return;
  const std::span<const LiveCounters> counters = intake_->counters();
  const bool has_roce = input_.counts().roce > 0 || !intake_->empty();
  for (const CountedRdma& each : counted) {
    if (counters[each.index].received > 0 && has_roce) continue;
    reported_unseen_ = true;
    messages_.warning(unseen_rdma_text(each));
  }
}

void LiveSession::report_counters() {
  const std::span<const LiveCounters> counters = intake_->counters();
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const std::uint64_t not_analysed = counters[i].not_analysed;
    messages_.note(fmt::format("{}: {} received, {} dropped by the kernel, {} by the interface{}",
                               intake_->info().front().interfaces[i].name, text::count(counters[i].received, "packet"),
                               text::count(counters[i].dropped_by_kernel),
                               text::count(counters[i].dropped_by_interface),
                               not_analysed == 0 ? "" : fmt::format(", {} not analysed", text::count(not_analysed))));
  }
  const ReadCounts& read = input_.counts();
  messages_.note(fmt::format("{} read, {} of them RoCE", text::count(read.packets, "packet"), text::count(read.roce)));
  if (recorder_ == nullptr) return;
  intake_->between_frames([this] {
    recorder_->flush();
    messages_.note(fmt::format("{} written, {}", text::count(recorder_->packets(), "packet"),
                               text::count(recorder_->files(), "file")));
  });
}

}  // namespace rocescope::cli
