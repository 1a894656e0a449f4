// All that a page shows of one connection, from a second reading of the capture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ladder/ladder.hpp"
#include "render/html/message_list.hpp"
#include "render/html/packet_points.hpp"
#include "render/html/seen_psns.hpp"
#include "render/html/step_series.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::render {

/// How much of a connection is kept.
struct DetailLimits {
  PacketPoints::Limits points;
  std::size_t columns = 0;  ///< of other series
  std::size_t messages = 0;
  std::size_t events = 0;  ///< of the ladder
};

class ConnectionDetail {
 public:
  /// `connection` of `report`, both of which outlive it. `apart`: as LadderOptions has it.
  ConnectionDetail(const Report& report, const Connection& connection, const DetailLimits& limits,
                   std::vector<std::uint64_t> apart);

  [[nodiscard]] const Connection& connection() const noexcept { return connection_; }

  /// A packet of the capture that may be one of the connection or set it up, with the connection's number in the report. `tracker` has
  /// just tracked it, as one of its connection `tracked_as`. Returns what it sends, as Sent says; of a copy, and of a packet that is none
  /// of the connection, nothing.
  Sent add(const PacketRecord& record, const Tracker& tracker, std::uint32_t tracked_as);
  /// A message of the connection.
  void add(std::size_t side, const Message& message);
  /// The section; nothing can be added then.
  [[nodiscard]] std::string json();
  /// Whether all packets are in it.
  [[nodiscard]] bool is_complete() const noexcept { return points_.is_complete(); }

 private:
  /// Of the requests of a side.
  struct Requests {
    PsnLine line;
    SeenPsns seen;
    StepSeries in_flight;
    StepSeries acknowledged;
    StepSeries credits;
    bool has_credits = false;
    bool has_requests = false;
  };

  Sent add_packet(const PacketRecord& record, std::uint8_t sender);
  void add_credits(const PacketRecord& record, Requests& requests);
  void add_progress(std::int64_t time, const Progress& progress, Requests& requests);
  [[nodiscard]] std::uint32_t span_of(const Packet& packet) const;
  void add_event(const LadderEvent& event);
  void write_sides(JsonWriter& json) const;
  void write_times(JsonWriter& json) const;
  void write_requests(JsonWriter& json) const;
  void write_rates(JsonWriter& json) const;

  const Connection& connection_;
  std::int64_t start_;  ///< of the capture
  DetailLimits limits_;
  LadderScope scope_;
  PacketPoints points_;
  std::array<Requests, 2> requests_;
  std::array<RateSeries, 2> rates_;
  std::int64_t rate_interval_;
  std::int64_t last_psn_ = 0;
  MessageList messages_;
  std::string events_;  ///< as JSON, with commas between
  std::size_t event_count_ = 0;
  std::uint64_t events_left_out_ = 0;
  Ladder ladder_;
};

}  // namespace rocescope::render
