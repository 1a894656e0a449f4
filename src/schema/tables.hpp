// The table of each kind of row that a report has. Their columns stand in the .cpp files beside this, one a subject.
#pragma once

#include <span>
#include <string_view>

#include "model/live_update.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/command.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/host.hpp"
#include "rocescope/memory_region.hpp"
#include "rocescope/message.hpp"
#include "rocescope/rate_series.hpp"
#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "rocescope/times.hpp"
#include "schema/column.hpp"

namespace rocescope::schema {

/// The version of the JSON document: a new one whenever a column changes its meaning or goes away. New columns do not change
/// it.
inline constexpr unsigned kReportSchema = 1;

// captures.cpp
extern const Rows<Traffic> kTraffic;
extern const Rows<CaptureTotals> kCaptureTotals;
extern const Rows<CaptureInterface> kInterface;
extern const Rows<CaptureReport> kCapture;
extern const Rows<ProtocolNode> kProtocol;
extern const Rows<OtherPackets> kOtherPackets;
extern const Rows<OperationCount> kOperationCount;
extern const Rows<IcrcTotals> kIcrc;
extern const Rows<StopCount> kStop;

// points.cpp
extern const Rows<CapturePoint> kCapturePoint;
extern const Rows<FlowComparison> kComparison;

// flows.cpp
extern const Rows<PsnRange> kPsnRange;
extern const Rows<Flow> kFlow;
extern const Rows<UdFlow> kUdFlow;

// connections.cpp
extern const Rows<Connection> kConnection;
extern const Rows<ConnectionSide> kSide;
extern const Rows<QpTransition> kState;

// streams.cpp
extern const Rows<StreamTotals> kStream;
extern const Rows<InFlight> kInFlight;
extern const Rows<OperationTotals> kOperation;
extern const Rows<SizeTable::Row> kSize;

// messages.cpp
/// A message with its connection and sender.
struct MessageOf {
  const Connection& connection;
  std::size_t side = 0;  ///< that requested it
  const Message& message;
};
extern const Rows<MessageOf> kMessage;

// packets.cpp
extern const Rows<PacketRecord> kPacket;

// times.cpp
extern const Rows<TimeSeries> kTime;

// rates.cpp
extern const Rows<Sent> kSent;
extern const Rows<RateSeries> kRates;
extern const Rows<RateSeries> kBuckets;
extern const Rows<HostRates> kHostRates;
/// A bucket of the rates of one side of a connection, for tables that have lines and columns only.
struct SideBucket {
  const Connection& connection;
  std::size_t side = 0;  ///< that sent it
  std::int64_t start = 0;
  std::int64_t width = 0;
  const Sent& sent;
};
extern const Rows<SideBucket> kSideBucket;
/// The same of two hosts.
struct HostBucket {
  const HostRates& hosts;
  std::int64_t start = 0;
  std::int64_t width = 0;
  const Sent& sent;
};
extern const Rows<HostBucket> kHostBucket;

// hosts.cpp
extern const Rows<Host> kHost;
/// What the NIC of a host would have counted under one name.
struct HostCounter {
  const Host& host;
  NicCounterInfo info;
  std::uint64_t number = 0;
};
extern const Rows<HostCounter> kHostCounter;
/// Calls `function` with each of a host, 0 as well.
template <class Function>
void each_counter(const Host& host, Function function) {
  const auto numbers = nic_counters(host);
  for (const NicCounterInfo& info : nic_counter_infos()) {
    function(HostCounter{host, info, numbers[static_cast<std::size_t>(info.counter)]});
  }
}

// congestion.cpp
extern const Rows<Congestion> kCongestion;
extern const Rows<decltype(CongestionTotals::ecn)> kEcn;
extern const Rows<CongestionTotals> kCongestionTotals;
extern const Rows<ClassTraffic> kClass;
extern const Rows<PauseTotals> kPause;

// regions.cpp
extern const Rows<MemoryRegion> kRegion;

// handshakes.cpp
extern const Rows<Handshake> kHandshake;
extern const Rows<HandshakeSide> kHandshakeSide;
extern const Rows<HandshakeStep> kHandshakeStep;
extern const Rows<AnnouncedRegion> kAnnouncedRegion;
extern const Rows<CmEvent> kCmMessage;

// commands.cpp
extern const Rows<CarriedProtocol> kCarried;
/// A bucket of the outstanding commands of a connection, for tables that have lines and columns only.
struct DepthBucket {
  const CarriedProtocol& carried;
  std::int64_t start = 0;
  std::int64_t width = 0;
  const Depth& depth;
};
extern const Rows<DepthBucket> kDepthBucket;
/// Calls `function` with each of a connection.
template <class Function>
void each_depth(const CarriedProtocol& carried, Function function) {
  const DepthSeries& series = carried.outstanding;
  std::int64_t start = series.start;
  for (const Depth& depth : series.buckets) {
    function(DepthBucket{carried, start, series.width, depth});
    start += series.width;
  }
}
extern const Rows<CommandTotals> kCommandTotals;
extern const Rows<CommandFailures> kCommandFailures;
extern const Rows<Command> kCommand;

// findings.cpp
extern const Rows<Finding> kFinding;

// live.cpp
/// The version of the lines of a live capture, as kReportSchema.
inline constexpr unsigned kLiveSchema = 1;
struct LiveInterface {
  std::string_view name;
  LiveCounters counters;
};
/// What is outstanding, and what was over within `duration` nanoseconds.
struct LiveCommandRates {
  const LiveCommands& commands;
  std::int64_t duration = 0;
};
extern const Rows<LiveUpdate> kInterval;
extern const Rows<LiveTotals> kLiveTotals;
extern const Rows<GoneConnection> kGone;
extern const Rows<LiveInterface> kLiveInterface;
extern const Rows<LiveCommandRates> kLiveCommands;

// report.cpp
extern const Rows<EvictedTotals> kEvicted;
/// Of a report what tables left out that were at their limit.
extern const Rows<Report> kUntracked;
extern const Rows<Report> kReport;

}  // namespace rocescope::schema
