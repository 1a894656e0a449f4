// The report of a capture: the finished model, plain data, from which every output form is made.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/capture.hpp"
#include "rocescope/capture_point.hpp"
#include "rocescope/command.hpp"
#include "rocescope/eviction.hpp"
#include "rocescope/finding.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/opcode.hpp"
#include "rocescope/packet.hpp"
#include "rocescope/times.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// What was read from one capture file, or from all of them together. Times are nanoseconds since 1970-01-01 UTC.
struct CaptureTotals {
  Traffic traffic;
  Traffic roce;                            ///< the packets among them that hold a RoCE or InfiniBand packet
  std::uint64_t captured_bytes = 0;        ///< bytes of them that the capture holds
  std::uint64_t cut_packets = 0;           ///< packets of which the capture lacks bytes
  std::uint64_t out_of_order_packets = 0;  ///< packets with an earlier time than the packet before
  std::optional<std::int64_t> first_time;  ///< the earliest; none without packets
  std::optional<std::int64_t> last_time;   ///< the latest

  /// Nanoseconds from the first to the last packet.
  [[nodiscard]] std::uint64_t duration() const noexcept {
    // Modulo 2^64: hostile time stamps may lie further apart than 63 bits of nanoseconds.
    if (!first_time || !last_time) return 0;
    return static_cast<std::uint64_t>(*last_time) - static_cast<std::uint64_t>(*first_time);
  }
};

/// A protocol: one that we dissect, or the number that announces one that we do not.
struct ProtocolId {
  enum class Space : std::uint8_t { kHeader, kEtherType, kIpProtocol, kLinkType };

  /// EtherTypes below 0x600 are lengths: what follows is IEEE 802.2 LLC, all of it under this one number.
  static constexpr std::uint32_t kLlc = 0;

  Space space = Space::kHeader;
  std::uint32_t number = 0;  ///< of kHeader: the first HeaderKind of the protocol
  friend bool operator==(const ProtocolId&, const ProtocolId&) noexcept = default;
};

/// A protocol and what it carries, as `tshark -z io,phs` shows them.
struct ProtocolNode {
  ProtocolId protocol;
  Traffic traffic;                     ///< the frames that hold it
  std::vector<ProtocolNode> children;  ///< those with the most packets first
  std::uint64_t first_packet = 0;      ///< number of the first frame with it
  std::uint64_t other_packets = 0;     ///< of the frames: it is the innermost protocol, and they hold no RoCE
};

/// Packets that are no RoCE, by their innermost protocol.
struct OtherPackets {
  ProtocolId protocol;
  std::uint64_t packets = 0;
};

/// An opcode of the BTH that occurred.
struct OperationCount {
  const OpcodeInfo* opcode = nullptr;
  Traffic traffic;
  std::uint64_t payload_bytes = 0;
};

/// The verdicts on the ICRCs of the RoCE packets.
struct IcrcTotals {
  bool verified = true;  ///< false: nobody looked, and all counts are 0
  std::uint64_t good = 0;
  std::uint64_t bad = 0;
  std::uint64_t damaged = 0;     ///< bad packets of senders whose other packets are right: damaged on their way here
  std::uint64_t rewritten = 0;   ///< good packets whose UDP source port the capture rewrote: see Flow::true_source_port
  std::uint64_t unsearched = 0;  ///< bad packets for which no other source port was tried: too many flows were bad
  /// Packets whose ICRC could not be verified, by reason.
  struct Unverifiable {
    StopReason reason = StopReason::kNone;
    std::uint64_t packets = 0;
    std::uint64_t first_packet = 0;  ///< number of the first such frame
  };
  std::vector<Unverifiable> unverifiable;  ///< by their first frames
};

/// Packets whose dissection ended early for one reason at one header.
struct StopCount {
  StopReason reason = StopReason::kNone;
  HeaderKind layer = HeaderKind::kNone;  ///< the header that could not be read
  std::uint64_t packets = 0;
  std::uint64_t first_packet = 0;  ///< number of the first such frame
};

/// A capture file and what was read from it.
struct CaptureReport {
  CaptureInfo info;
  CaptureTotals totals;
};

/// All that `analyze` concludes: what the tracker knows, and what is counted beside it. A table that reached its limit says what
/// it left out; totals are always complete.
///
/// Where packets were left out by a filter, a time window or the like, everything here is about the others: see Analysis.
struct Report : Tracking {
  std::vector<CaptureReport> captures;  ///< in the order in which they were named
  CaptureTotals totals;                 ///< of all captures together
  std::uint64_t packets_read = 0;       ///< with those that were left out
  /// Nanoseconds since 1970, of the first packet read. Relative times count from it: those of earlier packets behind it are
  /// negative.
  std::optional<std::int64_t> start;

  std::vector<CapturePoint> capture_points;  ///< by number; one where no packet was seen at two
  std::vector<FlowComparison> comparisons;   ///< of flows that were seen at two points: see FlowComparison
  std::uint64_t uncompared_packets = 0;      ///< of flows that came when there were too many to compare

  std::vector<Finding> findings;  ///< the worst connection first, of each the cause first

  std::vector<ProtocolNode> protocols;      ///< the outermost ones
  Traffic untracked_protocols;              ///< packets with protocols that came when the hierarchy was full
  std::vector<OtherPackets> other_packets;  ///< the most frequent first

  std::vector<OperationCount> operations;  ///< by transport, then by code

  std::deque<Flow> flows;   ///< those with the most bytes first
  Traffic untracked_flows;  ///< packets of flows that came when the table was full

  CommandReport commands;  ///< of protocols above RoCE

  EvictedTotals evicted;  ///< of further connections, which were followed for a time
  TimeTable times;        ///< of the connections, and of those evicted

  std::vector<UdFlow> ud_flows;  ///< those with the most messages first
  Traffic untracked_ud_flows;    ///< datagrams that came when the table was full

  std::vector<CmEvent> cm_events;        ///< in the order of the capture
  std::uint64_t unlisted_cm_events = 0;  ///< those that came when the list was full

  IcrcTotals icrc;
  /// Numbers, in rising order, of connections that only damaged packets name: they are none, and neither they nor their messages count.
  std::vector<std::uint32_t> damaged_connections;
  /// In rising order, with their overlays: addresses that of all RoCE packets only damaged ones name. They are no hosts of such.
  std::vector<std::pair<IpAddress, std::uint32_t>> damaged_hosts;
  std::vector<StopCount> stops;  ///< the most frequent first
};

}  // namespace rocescope
