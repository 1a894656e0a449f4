// What the capture itself hides.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"
#include "text/cut_packets.hpp"

namespace rocescope::findings {
namespace {

/// After this many packets of one direction the other should have been captured as well.
constexpr std::uint64_t kEnoughToJudge = 16;

/// The receiver answers a message at its end, which may take a while.
bool may_be_under_way(const Direction& direction, std::int64_t last_time) {
  constexpr std::uint64_t kLong = 100'000'000;  // ns
  // Modulo 2^64: hostile time stamps may lie further apart than 63 bits of nanoseconds.
  const auto first_time = static_cast<std::uint64_t>(direction.connection.first_time);
  return direction.sender().messages() == 1 && static_cast<std::uint64_t>(last_time) - first_time < kLong;
}

void find_one_sided(const Connection& connection, const Evidence& evidence, FindingList& list) {
  if (connection.transport == Transport::kUc) return;  // nothing needs to come back
  for (std::size_t side = 0; side < connection.sides.size(); ++side) {
    const Direction direction{connection, side, list.limits()};
    if (direction.sender().traffic.packets < kEnoughToJudge || direction.receiver().first_packet != 0) continue;
    if (may_be_under_way(direction, end_of(connection, evidence).value_or(connection.last_time))) continue;
    Occurrences seen{.count = direction.sender().traffic.packets,
                     .first_time = connection.first_time,
                     .last_time = connection.last_time};
    const Amount packets = direction.seen(seen.count);
    list.add(FindingId::kOneSided, direction, seen, packets,
             fmt::format("{} in one direction, none in the other", count(packets, "packet")), {});
  }
}

}  // namespace

void find_capture_limits(const Evidence& evidence, FindingList& list) {
  if (const std::uint64_t dropped = evidence.dropped; dropped > 0) {
    list.add(FindingId::kCaptureLoss,
             {.count = dropped,
              .first_time = evidence.totals.first_time.value_or(0),
              .last_time = evidence.totals.last_time.value_or(0)},
             {dropped}, fmt::format("{} dropped while capturing", text::count(dropped, "packet")), {});
  }
  if (const text::CutPackets cut = text::cut_packets(evidence.stops); cut.all > 0) {
    const std::uint64_t packets =
        evidence.totals.cut_packets;  // with those that show no more, as their headers make no sense
    list.add(FindingId::kTruncatedCapture,
             {.count = packets,
              .first_time = evidence.totals.first_time.value_or(0),
              .last_time = evidence.totals.last_time.value_or(0),
              .packets = {cut.first_packet}},
             {packets}, fmt::format("{} cut: {}", text::count(packets, "packet"), cut.lacks), {});
  }
  for (const Connection& connection : evidence.tracking.connections) find_one_sided(connection, evidence, list);
}

namespace {

constexpr const char* kBadIcrc = "rocescope.icrc.status == \"bad\"";

/// Packets of senders whose packets are all wrong.
std::uint64_t count_all_wrong(const Evidence& evidence) {
  struct Sender {
    std::uint64_t wrong = 0;
    bool has_right = false;
  };
  std::map<IpAddress, Sender> senders;
  const auto add = [&](const IpAddress& address, std::uint64_t packets, std::uint64_t wrong, bool counts) {
    Sender& sender = senders[address];
    if (counts) sender.wrong += wrong;
    sender.has_right = sender.has_right || wrong < packets;
  };
  const auto add_flows = [&](const std::deque<Flow>* flows, bool counts) {
    if (flows == nullptr) return;
    for (const Flow& flow : *flows) add(flow.source, flow.traffic.packets, flow.icrc_bad_packets, counts);
  };
  add_flows(evidence.flows, true);
  add_flows(evidence.other_flows, false);
  if (evidence.evicted != nullptr) {
    for (const auto& [address, evicted] : evidence.evicted->flows.senders) {
      add(address, evicted.packets, evicted.icrc_bad_packets, true);
    }
  }
  std::uint64_t all = 0;
  for (const auto& [address, sender] : senders) all += sender.has_right ? 0 : sender.wrong;
  return all;
}

}  // namespace

void find_damage(const Direction& direction, FindingList& list) {
  const Sighting* const damaged = direction.sighting(FindingId::kIcrcBad);
  if (damaged == nullptr) return;
  const Amount packets{damaged->seen.count, Strength::kAtLeast};
  list.add(FindingId::kIcrcBad, direction, damaged->seen, packets,
           fmt::format("{} damaged on {} way here", count(packets, "packet"),
                       text::plural(damaged->seen.count, "its", "their")),
           kBadIcrc);
}

/// For connections whose copies cannot be distinguished from packets that were sent again.
void find_unsure(const Direction& direction, FindingList& list) {
  const Connection& connection = direction.connection;
  const std::uint64_t packets = direction.sender().traffic.packets;
  if (packets == 0) return;
  const Occurrences seen{.count = packets, .first_time = connection.first_time, .last_time = connection.last_time};
  const Amount amount = direction.seen(packets);
  const std::string_view why =
      connection.noticed_late
          ? "many copies came before it was known that there are any"
          : "the sender does not number its IP packets, so nothing tells copies from packets that were sent again";
  list.add(
      FindingId::kCaptureDuplicates, direction, seen, amount,
      fmt::format(
          "{} captured several times. How many messages there were, and what was lost, sent again or overtaken, is not known: {}",
          count(amount, "packet"), why),
      {});
}

void find_icrcs(const Evidence& evidence, FindingList& list) {
  Occurrences damaged;  // of no connection that is known
  Occurrences wrong;
  const auto add = [](const Sightings& sightings, FindingId id, Occurrences& to) {
    if (const Sighting* const seen = sightings.find(id)) to.merge(seen->seen);
  };
  add(evidence.tracking.sightings, FindingId::kIcrcBad, damaged);
  add(evidence.tracking.sightings, FindingId::kIcrcBadAllTx, wrong);
  if (evidence.evicted != nullptr) add(evidence.evicted->sides.sightings, FindingId::kIcrcBadAllTx, wrong);
  for (const Connection& connection : evidence.tracking.connections) {
    for (const ConnectionSide& side : connection.sides) add(side.sightings, FindingId::kIcrcBadAllTx, wrong);
  }
  // Before the first right packet of a sender, a wrong one does not show that it was damaged.
  const bool has_flows = evidence.flows != nullptr && !evidence.flows->empty();
  const std::uint64_t all_wrong = has_flows ? std::min(wrong.count, count_all_wrong(evidence)) : 0;
  if (has_flows && wrong.count > all_wrong) {
    Occurrences others = wrong;
    others.count -= all_wrong;
    damaged.merge(others);
  }
  if (damaged.count > 0) {
    const Amount packets{damaged.count, Strength::kAtLeast};
    list.add(FindingId::kIcrcBad, damaged, packets,
             fmt::format("{} damaged on {} way here, of no known connection", count(packets, "packet"),
                         text::plural(damaged.count, "its", "their")),
             // Of packets that are cut the header shows it.
             evidence.totals.cut_packets > 0 ? fmt::format("({} || {})", kBadIcrc, frames(damaged)) : kBadIcrc);
  }
  if (all_wrong > 0) {
    wrong.count = all_wrong;
    list.add(FindingId::kIcrcBadAllTx, wrong, list.seen(all_wrong),
             all_wrong == 1 ? std::string("the only packet of one sender has a wrong ICRC")
                            : fmt::format("all {} of one sender have a wrong ICRC", text::count(all_wrong, "packet")),
             kBadIcrc);
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
