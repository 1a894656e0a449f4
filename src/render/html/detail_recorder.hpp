// The connections that a page shows in full, from a second reading of the capture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/html/connection_detail.hpp"
#include "render/html/overview_recorder.hpp"
#include "render/html/second_reading.hpp"
#include "rocescope/final_numbers.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::render {

/// Those that findings name first, then those that the report has first. The second reading may have all frames of the capture, or
/// only those that frames() leaves: then its tracker gives connections and messages other numbers than the report, which are
/// translated here.
class DetailRecorder {
 public:
  static constexpr std::size_t kMostConnections = 64;

  /// All of them outlive it.
  DetailRecorder(const Report& report, OverviewRecorder& overview, const FinalNumbers& numbers);

  /// Takes frames of other connections away from `source`, where few connections of many are shown, and the others do not matter to
  /// them. To be called before the second reading, if at all.
  [[nodiscard]] std::unique_ptr<FrameSource> frames(std::unique_ptr<FrameSource> source);
  /// A packet of the second reading that `tracker` has just tracked.
  void add(const PacketRecord& record, const Tracker& tracker);
  /// A message of the second reading.
  void add(const Connection& connection, std::size_t side, const Message& message);

  [[nodiscard]] std::span<const std::unique_ptr<ConnectionDetail>> details() const noexcept { return details_; }
  /// Whether it is shown all frames.
  [[nodiscard]] bool is_whole() const noexcept { return !is_partial_; }
  /// Of a whole capture: its messages, those in trouble first.
  [[nodiscard]] TraceRecorder& messages() noexcept { return messages_of_all_; }
  /// Of a whole capture: over shorter times than the report has.
  [[nodiscard]] const TrafficRecorder& traffic() const noexcept { return traffic_; }

 private:
  static constexpr std::int64_t kShortest = 1000;  ///< ns

  [[nodiscard]] ConnectionDetail* detail_of(const Packet& packet, std::uint32_t tracked_as) const;
  [[nodiscard]] std::uint64_t message_number(std::uint64_t tracked_as, std::uint64_t frame);

  [[nodiscard]] Sent add_packet(const PacketRecord& record, const Tracker& tracker);
  /// Shows a datagram to the details of its two hosts: it may set one of them up.
  void add_datagram(const PacketRecord& record, const Tracker& tracker);

  const Report& report_;
  OverviewRecorder& overview_;
  const FinalNumbers& numbers_;
  std::vector<std::unique_ptr<ConnectionDetail>> details_;
  std::unordered_map<std::uint32_t, ConnectionDetail*> by_number_;
  std::map<std::pair<IpAddress, IpAddress>, std::vector<ConnectionDetail*>> by_hosts_;  ///< the lower address first
  TraceRecorder messages_of_all_{OverviewRecorder::kMostMessages, kShortest};
  TrafficRecorder traffic_{kShortest};

  // Of a reading that has other numbers.
  bool is_partial_ = false;
  FlowSet flows_;
  std::unordered_map<std::uint64_t, std::uint64_t> first_frames_;  ///< of messages that were kept: their numbers
  std::unordered_map<std::uint64_t, std::uint64_t> messages_;      ///< the same, by the number of this reading
};

}  // namespace rocescope::render
