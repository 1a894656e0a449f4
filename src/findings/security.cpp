// What helps an attacker, and what looks like an attack.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "findings/rules.hpp"
#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::findings {
namespace {

/// A number that a host chose, and the frame that showed it first (0: unknown).
struct Given {
  std::int64_t time = 0;
  std::uint64_t packet = 0;
  std::uint32_t number = 0;
};
using Host = std::pair<IpAddress, std::uint32_t>;  // with the VNI
using GivenByHost = std::map<Host, std::vector<Given>>;

/// Among fewer numbers, a few that lie together prove nothing.
constexpr std::size_t kEnoughAddresses = 8;
/// A number this close to the one before is found with as many tries. Of random numbers of 24 bits, one in half a million
/// is this close.
constexpr std::uint32_t kClose = 16;

bool is_close(std::uint32_t before, std::uint32_t number) {
  constexpr std::uint32_t kMask = 0xFFFFFF;
  const std::uint32_t step = (number - before) & kMask;
  return std::min(step, kMask + 1 - step) <= kClose;
}

/// Those that are close to the one before.
Occurrences close_ones(const std::vector<Given>& given) {
  Occurrences close;
  for (std::size_t i = 1; i < given.size(); ++i) {
    if (is_close(given[i - 1].number, given[i].number)) close.add(given[i].packet, given[i].time);
  }
  return close;
}

void find_close(FindingId id, GivenByHost& hosts, std::string_view noun, FindingList& list) {
  for (auto& [host, given] : hosts) {
    sorting::stable_sort(given, [](const Given& a, const Given& b) { return a.time < b.time; });
    const Occurrences close = close_ones(given);
    if (given.size() < kEnoughAddresses || close.count * 2 < given.size()) continue;
    list.add(id, close, list.seen(close.count),
             fmt::format("{} of {} {} of {} lie within {} of the one before", close.count, given.size(), noun,
                         to_text(host.first), kClose),
             frames(close));
  }
}

void find_predictable_keys(const Evidence& evidence, FindingList& list) {
  GivenByHost hosts;
  for (const MemoryRegion& region : evidence.tracking.memory_regions) {
    // The consumer chooses the low 8 bits; the others are the index of the region (IBTA 10.6.3).
    if (region.refused == region.requests()) continue;
    hosts[{region.responder, region.overlay_id}].push_back({region.first_time, region.first_packet, region.r_key >> 8});
  }
  find_close(FindingId::kRkeyPredictable, hosts, "R_Keys", list);
}

void find_predictable_queue_pairs(const Evidence& evidence, FindingList& list) {
  GivenByHost hosts;
  for (const Connection& connection : evidence.tracking.connections) {
    for (std::size_t i = 0; i < connection.sides.size(); ++i) {
      const ConnectionSide& side = connection.sides[i];
      if (!side.qpn) continue;
      // The packets of the other side name it.
      const std::uint64_t packet = connection.sides[1 - i].first_packet;
      hosts[{side.address, connection.overlay_id}].push_back({connection.first_time, packet, side.qpn->value()});
    }
  }
  for (auto& [host, given] : hosts) {  // a queue pair that connects again is not a new one
    sorting::sort(given, [](const Given& a, const Given& b) {
      return std::pair(a.number, a.time) < std::pair(b.number, b.time);
    });
    given.erase(
        std::unique(given.begin(), given.end(), [](const Given& a, const Given& b) { return a.number == b.number; }),
        given.end());
  }
  find_close(FindingId::kQpnSequential, hosts, "queue pair numbers", list);
}

void find_predictable_psns(const Evidence& evidence, FindingList& list) {
  GivenByHost hosts;
  for (const CmEvent& event : evidence.cm_events) {
    if (!event.starting_psn || event.retry_of) continue;
    hosts[{event.source, 0}].push_back({event.time, event.packet, event.starting_psn->value()});
  }
  find_close(FindingId::kPsnStartPredictable, hosts, "starting PSNs", list);
}

using HostKey = std::pair<IpAddress, std::uint32_t>;  // with the R_Key

void find_clear_keys(const Evidence& evidence, FindingList& list) {
  std::map<HostKey, std::uint64_t> used;  // the packet that used the key first
  for (const MemoryRegion& region : evidence.tracking.memory_regions)
    used[{region.responder, region.r_key}] = region.first_packet;
  const auto is_used = [&](const IpAddress& host, const AnnouncedRegion& announced) {
    const auto region = used.find({host, announced.r_key});
    return announced.proof || (region != used.end() && region->second > announced.packet);
  };
  std::map<HandshakeKind, Occurrences> by_kind;
  std::set<std::tuple<IpAddress, std::uint32_t, std::uint64_t>> known;
  for (const Handshake& handshake : evidence.tracking.handshakes) {
    if (handshake.repeated) continue;
    for (const HandshakeSide& side : handshake.sides) {
      if (!side.region || !is_used(side.address, *side.region)) continue;
      if (!known.emplace(side.address, side.region->r_key, side.region->packet).second) continue;
      by_kind[handshake.kind].add(side.region->packet, handshake.first_time());
    }
  }
  for (const auto& [kind, seen] : by_kind) {
    constexpr const char* kWhere[] = {"private data of the CM", "private data of the CM", "the set-up exchange", "TCP"};
    const Amount keys = list.seen(seen.count);
    list.add(FindingId::kRkeyInClear, seen, keys,
             fmt::format("{} announced in {} before requests used {}", count(keys, "R_Key"),
                         kWhere[static_cast<std::size_t>(kind)], text::plural(seen.count, "it", "them")),
             frames(seen));
  }
}

/// The set-up exchange announces whole regions: two ranges under one key that do not touch are two regions. Private data may
/// announce any part of a region, so they prove nothing.
void find_reused_keys(const Evidence& evidence, FindingList& list) {
  std::map<HostKey, const AnnouncedRegion*> keys;
  for (const Handshake& handshake : evidence.tracking.handshakes) {
    if (handshake.repeated) continue;
    if (handshake.kind != HandshakeKind::kExchange) continue;
    for (const HandshakeSide& side : handshake.sides) {
      if (!side.region || side.region->length == 0) continue;
      const AnnouncedRegion& now = *side.region;
      const AnnouncedRegion*& before = keys[{side.address, now.r_key}];
      const bool apart = before != nullptr && (before->address + before->length <= now.address ||
                                               now.address + now.length <= before->address);
      if (apart) {
        Occurrences seen;
        seen.add(now.packet, handshake.first_time());
        list.add(
            FindingId::kRkeyReused, seen, list.seen(seen.count),
            fmt::format("R_Key 0x{:08x} of {} covers {} bytes at 0x{:x}; in packet {} it covered {} bytes at 0x{:x}",
                        now.r_key, to_text(side.address), now.length, now.address, before->packet, before->length,
                        before->address),
            fmt::format("frame.number in {{{}, {}}}", before->packet, now.packet));
      }
      before = &now;
    }
  }
}

/// Many keys that were only ever refused: somebody tries which keys exist.
void find_scans(const Evidence& evidence, FindingList& list) {
  struct Scan {
    std::vector<const MemoryRegion*> refused;
  };
  std::map<std::pair<IpAddress, IpAddress>, Scan> scans;  // by requester and responder
  const auto is_refused = [](const MemoryRegion& region) {
    return region.refused > 0 && region.refused == region.requests() && !region.users.empty();
  };
  if (std::ranges::none_of(evidence.tracking.memory_regions, is_refused)) return;
  std::unordered_map<std::uint32_t, const Connection*> connections;
  for (const Connection& connection : evidence.tracking.connections) connections[connection.number] = &connection;
  for (const MemoryRegion& region : evidence.tracking.memory_regions) {
    if (!is_refused(region)) continue;
    const auto user = connections.find(region.users.front());
    if (user == connections.end()) continue;
    const auto& sides = user->second->sides;
    const IpAddress& requester = sides[sides[0].address == region.responder ? 1 : 0].address;
    scans[{requester, region.responder}].refused.push_back(&region);
  }
  for (auto& [hosts, scan] : scans) {
    if (scan.refused.size() < kEnoughAddresses) continue;
    sorting::sort(scan.refused,
                  [](const MemoryRegion* a, const MemoryRegion* b) { return a->first_packet < b->first_packet; });
    Occurrences seen;
    for (const MemoryRegion* region : scan.refused) seen.add(region->first_packet, region->first_time);
    const Amount keys = list.seen(seen.count);
    list.add(FindingId::kRkeyScan, seen, keys,
             fmt::format("{} tried {} of {}, all refused", to_text(hosts.first), count(keys, "R_Key"),
                         to_text(hosts.second)),
             frames(seen));
  }
}

/// Connections that nobody answers, to a queue pair of another connection that goes on meanwhile.
void find_foreigners(const Evidence& evidence, FindingList& list) {
  using QueuePair = std::tuple<IpAddress, std::uint32_t, std::uint32_t>;  // address, VNI, number
  using Owner = std::pair<const Connection*, std::size_t>;
  const auto pair_of = [](const Connection& connection, std::size_t side) {
    return QueuePair(connection.sides[side].address, connection.overlay_id, connection.sides[side].qpn->value());
  };
  std::vector<QueuePair> targets;  // of unpaired connections
  for (const Connection& connection : evidence.tracking.connections) {
    const bool is_unpaired = connection.paired_by == PairedBy::kNothing && connection.sides[1].qpn;
    if (is_unpaired) targets.push_back(pair_of(connection, 1));
  }
  if (targets.empty()) return;
  sorting::sort(targets);
  std::vector<std::pair<QueuePair, Owner>> owners;  // of these, by queue pair
  for (const Connection& connection : evidence.tracking.connections) {
    if (connection.paired_by == PairedBy::kNothing) continue;
    for (std::size_t i = 0; i < connection.sides.size(); ++i) {
      if (!connection.sides[i].qpn) continue;
      const QueuePair queue_pair = pair_of(connection, i);
      if (std::ranges::binary_search(targets, queue_pair)) owners.push_back({queue_pair, {&connection, i}});
    }
  }
  if (owners.empty()) return;
  const auto by_pair = [](const auto& owner) { return owner.first; };
  sorting::stable_sort(owners, {}, by_pair);
  for (const Connection& connection : evidence.tracking.connections) {
    const ConnectionSide& target = connection.sides[1];
    if (connection.paired_by != PairedBy::kNothing || !target.qpn) continue;
    const QueuePair queue_pair = pair_of(connection, 1);
    const auto is_meant = [&](const Owner& owner) {
      const auto& [other, side] = owner;
      return other->sides[1 - side].address != connection.sides[0].address &&
             other->first_time < connection.first_time && connection.first_time < other->last_time;
    };
    auto owner = std::ranges::lower_bound(owners, queue_pair, {}, by_pair);
    while (owner != owners.end() && owner->first == queue_pair && !is_meant(owner->second)) ++owner;
    if (owner == owners.end() || owner->first != queue_pair) continue;
    const Direction direction{connection, 0, list.limits()};
    const auto& [other, side] = owner->second;
    Occurrences seen{.count = direction.sender().traffic.packets,
                     .first_time = connection.first_time,
                     .last_time = connection.last_time};
    std::copy(direction.sender().alone->begin(), direction.sender().alone->end(), seen.packets.begin());
    const Amount packets = direction.seen(seen.count);
    list.add(FindingId::kForeignRequester, direction, seen, packets,
             fmt::format("{} from {} to queue pair {} of {}, whose peer in connection {} is {}",
                         count(packets, "packet"), to_text(direction.sender().address), to_text(*target.qpn),
                         to_text(target.address), other->number, to_text(other->sides[1 - side].address)),
             "");
  }
}

}  // namespace

void find_conflicts(const Direction& direction, FindingList& list) {
  const Sighting* conflicts = direction.sighting(FindingId::kPayloadConflict);
  if (conflicts == nullptr) return;
  const Amount packets = direction.seen(conflicts->seen.count);
  list.add(FindingId::kPayloadConflict, direction, conflicts->seen, packets,
           fmt::format("{} {} a PSN with another payload, the first that of packet {}", count(packets, "packet"),
                       text::plural(conflicts->seen.count, "repeats", "repeat"), conflicts->amount),
           fmt::format("({} || frame.number == {})", frames(conflicts->seen), conflicts->amount));
}

void find_weaknesses(const Evidence& evidence, FindingList& list) {
  find_predictable_keys(evidence, list);
  find_predictable_queue_pairs(evidence, list);
  find_predictable_psns(evidence, list);
  find_clear_keys(evidence, list);
  find_reused_keys(evidence, list);
  find_scans(evidence, list);
  find_foreigners(evidence, list);
}

}  // namespace rocescope::findings
