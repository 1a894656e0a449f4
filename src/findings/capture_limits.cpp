// What the capture itself hides.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope::findings {
namespace {

/// After this many packets of one direction the other should have been captured as well.
constexpr std::uint64_t kEnoughToJudge = 16;

void find_one_sided(const Connection& connection, FindingList& list) {
  if (connection.transport == Transport::kUc) return;  // nothing needs to come back
  for (std::size_t side = 0; side < connection.sides.size(); ++side) {
    const Direction direction{connection, side};
    if (direction.sender().traffic.packets < kEnoughToJudge || direction.receiver().traffic.packets > 0) continue;
    Occurrences seen{.count = direction.sender().traffic.packets,
                     .first_time = connection.first_time,
                     .last_time = connection.last_time};
    list.add(FindingId::kOneSided, direction, seen, seen.count,
             fmt::format("{} in one direction, none in the other", text::count(seen.count, "packet")), {});
  }
}

}  // namespace

std::uint64_t dropped_packets(const Report& report) {
  std::uint64_t dropped = 0;
  for (const CaptureReport& capture : report.captures) {
    for (const CaptureInterface& interface : capture.info.interfaces) {
      dropped += std::min(interface.dropped.value_or(0), std::numeric_limits<std::uint64_t>::max() - dropped);
    }
  }
  return dropped;
}

void find_capture_limits(const Report& report, FindingList& list) {
  if (const std::uint64_t dropped = dropped_packets(report); dropped > 0) {
    list.add(FindingId::kCaptureLoss,
             {.count = dropped,
              .first_time = report.totals.first_time.value_or(0),
              .last_time = report.totals.last_time.value_or(0)},
             dropped, fmt::format("{} dropped while capturing", text::count(dropped, "packet")), {});
  }
  std::uint64_t truncated = 0;
  std::uint64_t first = 0;
  for (const StopCount& stop : report.stops) {
    if (stop.reason != StopReason::kTruncated) continue;
    truncated += stop.packets;
    first = first == 0 ? stop.first_packet : std::min(first, stop.first_packet);
  }
  if (truncated > 0) {
    list.add(FindingId::kTruncatedCapture,
             {.count = truncated,
              .first_time = report.totals.first_time.value_or(0),
              .last_time = report.totals.last_time.value_or(0),
              .packets = {first}},
             truncated, fmt::format("headers of {} cut off", text::count(truncated, "packet")), {});
  }
  for (const Connection& connection : report.connections) find_one_sided(connection, list);
}

void find_icrcs(const Report& report, FindingList& list) {
  struct Sender {
    std::uint64_t packets = 0;
    std::uint64_t bad = 0;
  };
  std::map<IpAddress, Sender> senders;
  for (const Flow& flow : report.flows) {
    Sender& sender = senders[flow.source];
    sender.packets += flow.traffic.packets;
    sender.bad += flow.icrc_bad_packets;
  }
  for (const auto& [address, evicted] : report.evicted.flows.senders) {
    Sender& sender = senders[address];
    sender.packets += evicted.packets;
    sender.bad += evicted.icrc_bad_packets;
  }
  std::uint64_t some = 0;
  std::uint64_t all = 0;
  for (const auto& [address, sender] : senders) {
    const bool late = sender.bad == sender.packets && sender.bad >= kEnoughToJudge;
    (late ? all : some) += sender.bad;
  }
  Occurrences seen;
  const auto add = [&](const Sightings& sightings) {
    if (const Sighting* bad = sightings.find(FindingId::kIcrcBad)) seen.merge(bad->seen);
  };
  add(report.sightings);
  add(report.evicted.sides.sightings);
  for (const Connection& connection : report.connections) {
    for (const ConnectionSide& side : connection.sides) add(side.sightings);
  }
  constexpr const char* kFilter = "rocescope.icrc.status == \"bad\"";
  if (some > 0) {
    list.add(FindingId::kIcrcBad, seen, some, fmt::format("{} with a wrong ICRC", text::count(some, "packet")),
             kFilter);
  }
  if (all > 0) {
    list.add(FindingId::kIcrcBadAllTx, seen, all,
             fmt::format("all {} of one sender have a wrong ICRC", text::count(all, "packet")), kFilter);
  }
}

}  // namespace rocescope::findings
