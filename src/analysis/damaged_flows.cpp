#include "analysis/damaged_flows.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace rocescope {

DamagedFlows::DamagedFlows(const std::deque<Flow>& flows, const std::deque<Flow>& others, bool some_unverified) {
  for (const Flow& flow : flows) {
    if (some_unverified && flow.traffic.packets > 1) flows_[hosts_of(flow)].emplace_back(flow.dest_qp, &flow);
  }
  for (auto& [hosts, each] : flows_) std::ranges::stable_sort(each, {}, &std::pair<Qpn, const Flow*>::first);
  for (const std::deque<Flow>* some : {&flows, &others}) {
    for (const Flow& flow : *some) {
      if (flow.wrong_header_packets < flow.traffic.packets) {
        sound_hosts_.emplace(flow.source, flow.overlay_id);
        sound_hosts_.emplace(flow.destination, flow.overlay_id);
      }
      if (flow.icrc_bad_packets == flow.traffic.packets) continue;
      right_senders_.emplace(flow.source, flow.overlay_id);
      right_receivers_.emplace(flow.destination, flow.dest_qp, flow.overlay_id);
    }
  }
}

/// One of its addresses is damaged, the other is that of a host from or to which packets with right headers go. A host that sends many packets
/// with wrong ones is there: something else writes its checksums.
bool DamagedFlows::has_wrong_headers(const Flow& flow) const {
  constexpr std::uint64_t kFew = 16;
  return flow.wrong_header_packets == flow.traffic.packets && flow.traffic.packets < kFew &&
         (sound_hosts_.contains({flow.source, flow.overlay_id}) ||
          sound_hosts_.contains({flow.destination, flow.overlay_id}));
}

/// A single packet whose ICRC was cut off. One bit of the queue pair that it goes to is another than that of a flow between the same hosts, of
/// which it has the PSN: queue pairs begin with PSNs at random.
bool DamagedFlows::has_wrong_number(const Flow& flow) const {
  constexpr std::uint32_t kNear = 64;
  constexpr unsigned kBits = 24;  // of the number of a queue pair
  const PsnRange& own = flow.requests.packets > 0 ? flow.requests : flow.responses;
  const auto place = flow.traffic.packets == 1 && own.packets > 0 ? flows_.find(hosts_of(flow)) : flows_.end();
  if (place == flows_.end()) return false;
  const auto is_near = [&](const std::pair<Qpn, const Flow*>& other) {
    const PsnRange& its = flow.requests.packets > 0 ? other.second->requests : other.second->responses;
    return its.packets > 0 && its.span <= Psn::kHalf && !own.first.before(its.lowest - kNear) &&
           !(its.highest + kNear).before(own.first);
  };
  for (unsigned bit = 0; bit < kBits; ++bit) {
    const Qpn other(flow.dest_qp.value() ^ (1U << bit));
    auto each = std::ranges::lower_bound(place->second, other, {}, &std::pair<Qpn, const Flow*>::first);
    for (; each != place->second.end() && each->first == other; ++each) {
      if (is_near(*each)) return true;
    }
  }
  return false;
}

bool DamagedFlows::has(const Flow& flow) const {
  if (has_wrong_headers(flow) || has_wrong_number(flow)) return true;
  return flow.icrc_bad_packets == flow.traffic.packets &&
         (right_senders_.contains({flow.source, flow.overlay_id}) ||
          right_receivers_.contains({flow.destination, flow.dest_qp, flow.overlay_id}));
}

bool DamagedFlows::has(const UdFlow& flow) const {
  return flow.icrc_bad_messages == flow.traffic.packets &&
         (right_senders_.contains({flow.source, flow.overlay_id}) ||
          right_receivers_.contains({flow.destination, flow.dest_qp, flow.overlay_id}));
}

/// The tracker followed a damaged packet: its ICRC was not in the capture, or it came before all right ones of its sender.
bool DamagedFlows::has(const Connection& connection, const std::set<Named>& flows) const {
  const auto& sides = connection.sides;
  if (connection.paired_by != PairedBy::kNothing || connection.handshake != 0 || !sides[1].qpn) return false;
  return flows.contains({{sides[0].address, sides[1].address, connection.overlay_id}, *sides[1].qpn});
}

/// Packets with a wrong ICRC of senders that never sent a right one.
std::uint64_t DamagedFlows::count_never_right(const Report& report) const {
  std::uint64_t count = 0;
  for (const Flow& flow : report.flows) {
    if (!right_senders_.contains({flow.source, flow.overlay_id}) && !has(flow)) count += flow.icrc_bad_packets;
  }
  for (const auto& [address, sender] : report.evicted.flows.senders) {
    if (sender.icrc_bad_packets == sender.packets) count += sender.packets;
  }
  return count;
}

void DamagedFlows::remove_from(Report& report) const {
  std::vector<const Flow*> damaged;
  std::set<Host> hosts;
  for (const Flow& flow : report.flows) {
    if (has(flow)) {
      damaged.push_back(&flow);
    } else {
      hosts.emplace(flow.source, flow.overlay_id);
      hosts.emplace(flow.destination, flow.overlay_id);
    }
  }
  report.icrc.damaged = report.icrc.bad - std::min(report.icrc.bad, count_never_right(report));
  std::erase_if(report.ud_flows, [this](const UdFlow& flow) { return has(flow); });
  if (damaged.empty()) return;
  std::set<Host> none;
  std::set<Named> names;
  for (const Flow* flow : damaged) {
    names.emplace(hosts_of(*flow), flow->dest_qp);
    for (const IpAddress& address : {flow->source, flow->destination}) {
      if (!hosts.contains({address, flow->overlay_id})) none.emplace(address, flow->overlay_id);
    }
  }
  report.damaged_hosts.assign(none.begin(), none.end());
  std::deque<Flow> sound;
  auto next = damaged.begin();
  for (Flow& flow : report.flows) {
    if (next != damaged.end() && *next == &flow) {
      ++next;
    } else {
      sound.push_back(std::move(flow));
    }
  }
  report.flows = std::move(sound);
  std::erase_if(report.hosts, [&](const rocescope::Host& host) {
    return none.contains({host.address, host.overlay_id});
  });
  std::erase_if(report.host_rates, [&](const HostRates& pair) {
    return none.contains({pair.source, pair.overlay_id}) || none.contains({pair.destination, pair.overlay_id});
  });
  std::erase_if(report.connections, [&](const Connection& connection) {
    if (!has(connection, names)) return false;
    report.damaged_connections.push_back(connection.number);
    for (const Sighting& sighting : connection.sides[0].sightings.all()) {
      const bool wrong = sighting.id == FindingId::kIcrcBad || sighting.id == FindingId::kIcrcBadAllTx;
      if (wrong) report.sightings.merge({.id = FindingId::kIcrcBad, .seen = sighting.seen});
    }
    if (connection.sides[0].sightings.all().empty()) {
      const std::uint64_t packets = connection.sides[0].traffic.packets;
      report.sightings.merge({.id = FindingId::kIcrcBad,
                              .seen = {.count = packets,
                                       .first_time = connection.first_time,
                                       .last_time = connection.last_time,
                                       .packets = {connection.sides[0].first_packet}}});
    }
    return true;
  });
  std::ranges::sort(report.damaged_connections);
}

}  // namespace rocescope
