// A live capture that runs: reading, clocks, signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "capture/live_intake.hpp"
#include "capture/rdma_watch.hpp"
#include "capture/recorder.hpp"
#include "cli/csv_folder.hpp"
#include "cli/live_options.hpp"
#include "cli/messages.hpp"
#include "cli/packet_input.hpp"
#include "model/live_update.hpp"
#include "rocescope/live.hpp"

namespace rocescope::cli {

class LiveSession {
 public:
  /// The observer of the running capture.
  struct Watcher {
    /// Gets each update; false ends the capture.
    std::function<bool(const LiveUpdate& update)> show;
    /// Called at least every tenth of a second, if not empty; false ends the capture with the packets that came so far.
    std::function<bool()> attend;
    /// Gets each packet, if not empty.
    std::function<void(const PacketRecord& record)> add;
  };

  /// All must outlive it; `recorder` may be null.
  LiveSession(LiveCapture& capture, Recorder* recorder, LiveSetup setup, Messages& messages);

  [[nodiscard]] PacketInput& input() noexcept { return input_; }
  /// Time of construction, nanoseconds since 1970.
  [[nodiscard]] std::int64_t start() const noexcept { return start_; }
  /// Sets how often updates are shown; the last one comes at the end.
  void watch(std::chrono::nanoseconds every, Watcher watcher);
  /// Packets that were written but not analysed; after run().
  [[nodiscard]] std::uint64_t not_analysed() const noexcept { return not_analysed_; }
  /// Reads until the capture ends, then closes the files. `csv` may be null; its error ends the capture.
  void run(const CsvFolder* csv);

 private:
  using Clock = std::chrono::steady_clock;

  LiveSession(Recorder* recorder, std::unique_ptr<LiveIntake> intake, LiveSetup setup, Messages& messages);
  [[nodiscard]] bool is_over() const;
  /// Nanoseconds since 1970, by the system clock at the start and a steady clock since.
  [[nodiscard]] std::int64_t time() const;
  void attend();
  [[nodiscard]] Clock::time_point next_deadline() const;
  void count_losses();
  void expire();
  void report_update(LookKind kind);
  void attend_watcher(Clock::time_point now);
  void report_counters();
  void warn_if_crowded();
  void stop();
  void warn_of_unseen_rdma();

  Clock::time_point started_;
  std::int64_t start_;
  Recorder* recorder_;
  Messages& messages_;
  LiveIntake* intake_;  // in input_
  std::uint64_t count_;
  bool packets_there_;  // on standard output
  std::size_t most_connections_;
  RdmaWatch rdma_;
  PacketInput input_;
  bool reported_crowded_ = false;
  bool reported_unseen_ = false;
  bool stopped_ = false;
  std::uint64_t packets_ = 0;  // at the last look
  Clock::time_point last_packet_ = Clock::now();
  std::optional<Clock::time_point> end_;
  Clock::time_point next_count_ = Clock::now();

  Watcher watcher_;
  std::chrono::nanoseconds every_{};
  Clock::time_point next_update_;
  Clock::time_point next_attendance_;
  bool watcher_left_ = false;
  std::uint64_t not_analysed_ = 0;
};

}  // namespace rocescope::cli
