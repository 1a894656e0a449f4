// What a page shows of the whole capture beside its report, kept while packets are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "ladder/failed_messages.hpp"
#include "render/html/mark_log.hpp"
#include "render/trace/trace_recorder.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

/// What one host sends another that is no RoCE, over time: Sent::packets and wire_bytes alone.
struct OtherTraffic {
  RateSeries tcp;
  RateSeries other;
};

/// The memory is bounded for any capture.
class OverviewRecorder {
 public:
  static constexpr std::size_t kMostMessages = 20'000;

  /// `interval`: as RateSeries::add() has it.
  explicit OverviewRecorder(std::int64_t interval)
      : interval_(interval), messages_(kMostMessages, interval), marks_(interval) {}

  /// As MessageVisitor.
  void add(const Connection& connection, std::size_t side, const Message& message) {
    ++all_messages_;
    failed_.add(connection, side, message);
    messages_.add(connection, side, message);
  }
  /// A packet that counts; those that took the express lane are none of what is kept.
  void add(const PacketRecord& record);

  [[nodiscard]] std::int64_t interval() const noexcept { return interval_; }
  [[nodiscard]] std::uint64_t all_messages() const noexcept { return all_messages_; }
  /// Those in trouble first, then the first ones.
  [[nodiscard]] TraceRecorder& messages() noexcept { return messages_; }
  [[nodiscard]] const FailedMessages& failed() const noexcept { return failed_; }
  [[nodiscard]] const MarkLog& marks() const noexcept { return marks_; }
  /// By who sent what to whom; of the first kMostDirections.
  [[nodiscard]] const std::map<Direction, OtherTraffic>& others() const noexcept { return others_; }
  /// Of all hosts, also frames without IP addresses.
  [[nodiscard]] const OtherTraffic& all_others() const noexcept { return all_others_; }

 private:
  static constexpr std::size_t kMostDirections = 1024;
  static constexpr std::size_t kMostBuckets = 512;

  std::int64_t interval_;
  std::uint64_t all_messages_ = 0;
  TraceRecorder messages_;
  FailedMessages failed_;
  MarkLog marks_;
  std::map<Direction, OtherTraffic> others_;
  OtherTraffic all_others_;
};

}  // namespace rocescope::render
