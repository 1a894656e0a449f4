// What a page shows of the whole capture beside its report, kept while packets are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ladder/failed_messages.hpp"
#include "render/html/traffic_recorder.hpp"
#include "render/trace/trace_recorder.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

/// The memory is bounded for any capture.
class OverviewRecorder {
 public:
  static constexpr std::size_t kMostMessages = 20'000;

  /// `interval`: as RateSeries::add() has it.
  explicit OverviewRecorder(std::int64_t interval) : messages_(kMostMessages, interval), traffic_(interval) {}

  /// As MessageVisitor.
  void add(const Connection& connection, std::size_t side, const Message& message) {
    failed_.add(connection, side, message);
    messages_.add(connection, side, message);
  }
  /// A packet that counts; those that took the express lane are none of what is kept.
  void add(const PacketRecord& record) {
    traffic_.add(record);
    messages_.add(record);
  }

  /// Those in trouble first, then the first ones; and the packets that were marked CE.
  [[nodiscard]] TraceRecorder& messages() noexcept { return messages_; }
  [[nodiscard]] const FailedMessages& failed() const noexcept { return failed_; }
  /// Without RoCE, which the report has.
  [[nodiscard]] const TrafficRecorder& traffic() const noexcept { return traffic_; }

 private:
  TraceRecorder messages_;
  FailedMessages failed_;
  TrafficRecorder traffic_;
};

}  // namespace rocescope::render
