// What the capture itself hides.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"
#include "text/cut_packets.hpp"

namespace rocescope::findings {
namespace {

/// After this many packets of one direction the other should have been captured as well.
constexpr std::uint64_t kEnoughToJudge = 16;

void find_one_sided(const Connection& connection, FindingList& list) {
  if (connection.transport == Transport::kUc) return;  // nothing needs to come back
  for (std::size_t side = 0; side < connection.sides.size(); ++side) {
    const Direction direction{connection, side};
    if (direction.sender().traffic.packets < kEnoughToJudge || direction.receiver().first_packet != 0) continue;
    Occurrences seen{.count = direction.sender().traffic.packets,
                     .first_time = connection.first_time,
                     .last_time = connection.last_time};
    list.add(FindingId::kOneSided, direction, seen, seen.count,
             fmt::format("{} in one direction, none in the other", text::count(seen.count, "packet")), {});
  }
}

}  // namespace

void find_capture_limits(const Evidence& evidence, FindingList& list) {
  if (const std::uint64_t dropped = evidence.dropped; dropped > 0) {
    list.add(FindingId::kCaptureLoss,
             {.count = dropped,
              .first_time = evidence.totals.first_time.value_or(0),
              .last_time = evidence.totals.last_time.value_or(0)},
             dropped, fmt::format("{} dropped while capturing", text::count(dropped, "packet")), {});
  }
  if (const text::CutPackets cut = text::cut_packets(evidence.stops); cut.all > 0) {
    list.add(FindingId::kTruncatedCapture,
             {.count = cut.all,
              .first_time = evidence.totals.first_time.value_or(0),
              .last_time = evidence.totals.last_time.value_or(0),
              .packets = {cut.first_packet}},
             cut.all, fmt::format("{} cut: {}", text::count(cut.all, "packet"), cut.lacks), {});
  }
  for (const Connection& connection : evidence.tracking.connections) find_one_sided(connection, list);
}

void find_icrcs(const Evidence& evidence, FindingList& list) {
  struct Sender {
    std::uint64_t packets = 0;
    std::uint64_t bad = 0;
    bool is_right_elsewhere = false;  ///< with packets that do not count
  };
  std::map<IpAddress, Sender> senders;
  if (evidence.flows != nullptr) {
    for (const Flow& flow : *evidence.flows) {
      Sender& sender = senders[flow.source];
      sender.packets += flow.traffic.packets;
      sender.bad += flow.icrc_bad_packets;
    }
  }
  if (evidence.evicted != nullptr) {
    for (const auto& [address, evicted] : evidence.evicted->flows.senders) {
      Sender& sender = senders[address];
      sender.packets += evicted.packets;
      sender.bad += evicted.icrc_bad_packets;
    }
  }
  if (evidence.other_flows != nullptr) {
    for (const Flow& flow : *evidence.other_flows) {
      if (flow.icrc_bad_packets < flow.traffic.packets) senders[flow.source].is_right_elsewhere = true;
    }
  }
  std::uint64_t some = 0;
  std::uint64_t all = 0;
  for (const auto& [address, sender] : senders) {
    const bool late = sender.bad == sender.packets && sender.bad >= kEnoughToJudge && !sender.is_right_elsewhere;
    (late ? all : some) += sender.bad;
  }
  Occurrences seen;
  const auto add = [&](const Sightings& sightings) {
    if (const Sighting* bad = sightings.find(FindingId::kIcrcBad)) seen.merge(bad->seen);
  };
  add(evidence.tracking.sightings);
  if (evidence.evicted != nullptr) add(evidence.evicted->sides.sightings);
  for (const Connection& connection : evidence.tracking.connections) {
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

namespace rocescope {

std::uint64_t dropped_packets(const CaptureInfo& capture) noexcept {
  std::uint64_t dropped = 0;
  for (const CaptureInterface& interface : capture.interfaces) {
    dropped += std::min(interface.dropped.value_or(0), std::numeric_limits<std::uint64_t>::max() - dropped);
  }
  return dropped;
}

}  // namespace rocescope
