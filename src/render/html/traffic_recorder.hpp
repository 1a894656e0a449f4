// What hosts send each other over time, and the marks of trouble, kept while packets are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "render/html/mark_log.hpp"
#include "render/trace/trace_recorder.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

/// What one host sends another. Of what is no RoCE Sent::packets and wire_bytes alone.
struct HostTraffic {
  RateSeries roce;
  RateSeries tcp;
  RateSeries other;
};

/// The memory is bounded for any capture.
class TrafficRecorder {
 public:
  /// `interval`: as RateSeries::add() has it.
  explicit TrafficRecorder(std::int64_t interval) : interval_(interval), marks_(interval) {}

  /// A packet that counts: its marks, and what is no RoCE.
  void add(const PacketRecord& record);
  /// A RoCE packet that counts, and what it sends.
  void add_roce(const Packet& packet, const Sent& sent);

  [[nodiscard]] std::int64_t interval() const noexcept { return interval_; }
  [[nodiscard]] const MarkLog& marks() const noexcept { return marks_; }
  /// Of the first kMostDirections.
  [[nodiscard]] const std::map<Direction, HostTraffic>& hosts() const noexcept { return hosts_; }
  /// Of all hosts, also frames without IP addresses.
  [[nodiscard]] const HostTraffic& all() const noexcept { return all_; }

 private:
  static constexpr std::size_t kMostDirections = 256;
  static constexpr std::size_t kMostBuckets = 512;

  void add(const Packet& packet, const Sent& sent, RateSeries HostTraffic::*kind);

  std::int64_t interval_;
  MarkLog marks_;
  std::map<Direction, HostTraffic> hosts_;
  HostTraffic all_;
};

}  // namespace rocescope::render
