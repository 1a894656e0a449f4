// A live capture that a test makes: what comes, and when.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "rocescope/live.hpp"

namespace rocescope::testing {

/// Frames whose bytes are those of their number, of one interface. They are there once come() was called.
class MadeLiveSource final : public LiveSource {
 public:
  /// After each `at_once` frames next() says once that there are none.
  explicit MadeLiveSource(std::size_t frame_size, std::uint64_t at_once = 1) : data_(frame_size), at_once_(at_once) {
    info_.format = "live";
    info_.interfaces.push_back({.name = "enp0s1", .ticks_per_second = 1'000'000'000});
  }

  /// From any thread.
  void come(std::uint64_t frames) { came_ += frames; }
  /// How many were taken.
  [[nodiscard]] std::uint64_t taken() const noexcept { return taken_; }
  /// How often it was waited for more.
  [[nodiscard]] std::uint64_t waits() const noexcept { return waits_; }
  /// The first byte of the frame with this number.
  [[nodiscard]] static std::uint8_t byte_of(std::uint64_t number) noexcept { return static_cast<std::uint8_t>(number); }
  /// Of frames that are taken from now on. Not while frames are taken.
  void set_size(std::size_t frame_size) { data_.resize(frame_size); }
  /// Asked for one more than so many, next() throws. Not while frames are taken.
  void fail_after(std::uint64_t frames) { given_before_failure_ = frames; }

  bool next(Frame& frame) override {
    if (taken_ == given_before_failure_) throw std::bad_alloc();
    if (taken_ == came_) return false;
    if (given_at_once_ == at_once_) {
      given_at_once_ = 0;
      return false;
    }
    ++given_at_once_;
    const std::uint64_t number = ++taken_;
    data_.assign(data_.size(), byte_of(number));
    frame = {.data = data_,
             .original_length = static_cast<std::uint32_t>(data_.size()),
             .timestamp = static_cast<std::int64_t>(number),
             .number = number};
    return true;
  }
  std::span<const CaptureInfo> info() const override { return {&info_, 1}; }
  void wait(std::chrono::nanoseconds longest) override {
    ++waits_;
    if (taken_ == came_)
      std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(longest, std::chrono::milliseconds(1)));
  }
  void stop() override { stopped_ = true; }
  bool ended() const noexcept override { return stopped_ && taken_ == came_; }
  std::span<const LiveCounters> counters() override {
    counters_.received = taken_;
    return {&counters_, 1};
  }

 private:
  std::vector<std::uint8_t> data_;
  std::uint64_t at_once_;
  std::uint64_t given_at_once_ = 0;
  std::uint64_t given_before_failure_ = std::numeric_limits<std::uint64_t>::max();
  CaptureInfo info_;
  LiveCounters counters_;
  std::atomic<std::uint64_t> came_ = 0;
  std::atomic<std::uint64_t> taken_ = 0;
  std::atomic<std::uint64_t> waits_ = 0;
  std::atomic<bool> stopped_ = false;
};

}  // namespace rocescope::testing
