#include "partial/merging.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/cm_log.hpp"
#include "analysis/flow_table.hpp"
#include "analysis/protocol_tree.hpp"
#include "analysis/ud_flows.hpp"
#include "commands/command_log.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/moment.hpp"
#include "tracking/watchers/host_table.hpp"
#include "tracking/watchers/region_table.hpp"

namespace rocescope::partial {
namespace {

// Sums, the least and the greatest.

void add(const CaptureTotals& from, CaptureTotals& to) {
  to.traffic.add(from.traffic);
  to.roce.add(from.roce);
  to.captured_bytes += from.captured_bytes;
  to.cut_packets += from.cut_packets;
  to.out_of_order_packets += from.out_of_order_packets;
  if (from.first_time) to.first_time = std::min(to.first_time.value_or(*from.first_time), *from.first_time);
  if (from.last_time) to.last_time = std::max(to.last_time.value_or(*from.last_time), *from.last_time);
}

void add(const std::vector<ProtocolNode>& from, std::vector<ProtocolNode>& to) {
  for (const ProtocolNode& node : from) {
    const auto known = std::ranges::find(to, node.protocol, &ProtocolNode::protocol);
    if (known == to.end()) {
      to.push_back(node);
      continue;
    }
    known->traffic.add(node.traffic);
    known->first_packet = std::min(known->first_packet, node.first_packet);
    known->other_packets += node.other_packets;
    add(node.children, known->children);
  }
}

void sort_protocols(std::vector<ProtocolNode>& nodes) {
  std::ranges::sort(nodes, [](const ProtocolNode& a, const ProtocolNode& b) {
    return std::pair(b.traffic.packets, a.first_packet) < std::pair(a.traffic.packets, b.first_packet);
  });
  for (ProtocolNode& node : nodes) sort_protocols(node.children);
}

/// The nodes in the order in which they were met: of a packet, the outermost first.
using NodesByOrder = std::map<std::pair<std::uint64_t, std::size_t>, const ProtocolNode*>;

void list_nodes(const std::vector<ProtocolNode>& nodes, std::size_t depth, NodesByOrder& list) {
  for (const ProtocolNode& node : nodes) {
    list.emplace(std::pair(node.first_packet, depth), &node);
    list_nodes(node.children, depth + 1, list);
  }
}

std::vector<OtherPackets> other_packets_of(const NodesByOrder& nodes) {
  std::vector<OtherPackets> others;
  for (const auto& [order, node] : nodes) {
    if (node->other_packets == 0) continue;
    const auto known = std::ranges::find(others, node->protocol, &OtherPackets::protocol);
    if (known == others.end()) {
      others.push_back({node->protocol, node->other_packets});
    } else {
      known->packets += node->other_packets;
    }
  }
  std::ranges::stable_sort(others, std::greater<>(), &OtherPackets::packets);
  return others;
}

void add(const std::vector<OperationCount>& from, std::vector<OperationCount>& to) {
  for (const OperationCount& count : from) {
    const auto its = [&](const OperationCount& other) { return other.opcode->code == count.opcode->code; };
    const auto known = std::ranges::find_if(to, its);
    if (known == to.end()) {
      to.push_back(count);
      continue;
    }
    known->traffic.add(count.traffic);
    known->payload_bytes += count.payload_bytes;
  }
  std::ranges::sort(to, {}, [](const OperationCount& count) { return count.opcode->code; });
}

void add(const IcrcTotals& from, IcrcTotals& to) {
  to.good += from.good;
  to.bad += from.bad;
  to.damaged += from.damaged;
  to.rewritten += from.rewritten;
  to.unsearched += from.unsearched;
  for (const IcrcTotals::Unverifiable& each : from.unverifiable) {
    const auto known = std::ranges::find(to.unverifiable, each.reason, &IcrcTotals::Unverifiable::reason);
    if (known == to.unverifiable.end()) {
      to.unverifiable.push_back(each);
      continue;
    }
    known->packets += each.packets;
    known->first_packet = std::min(known->first_packet, each.first_packet);
  }
  std::ranges::sort(to.unverifiable, {}, &IcrcTotals::Unverifiable::first_packet);
}

void add(const std::vector<StopCount>& from, std::vector<StopCount>& to) {
  for (const StopCount& count : from) {
    const auto known = std::ranges::find_if(
        to, [&](const StopCount& other) { return other.reason == count.reason && other.layer == count.layer; });
    if (known == to.end()) {
      to.push_back(count);
      continue;
    }
    known->packets += count.packets;
    known->first_packet = std::min(known->first_packet, count.first_packet);
  }
  std::ranges::sort(to, [](const StopCount& a, const StopCount& b) {
    return std::pair(b.packets, a.first_packet) < std::pair(a.packets, b.first_packet);
  });
}

void add(const CongestionTotals& from, CongestionTotals& to) {
  for (std::size_t role = 0; role < kPacketRoles; ++role) {
    for (std::size_t code = 0; code < kEcnCodes; ++code) to.ecn[role].packets[code] += from.ecn[role].packets[code];
  }
  for (const ClassTraffic& each : from.classes) {
    const auto known = std::ranges::find(to.classes, each.traffic_class, &ClassTraffic::traffic_class);
    if (known == to.classes.end()) {
      to.classes.push_back(each);
      continue;
    }
    for (std::size_t role = 0; role < kPacketRoles; ++role) known->packets[role] += each.packets[role];
  }
  // Without a VLAN tag last.
  static constexpr std::uint8_t kBehindAll = 8;
  std::ranges::sort(to.classes, {}, [](const ClassTraffic& each) {
    return std::pair(each.traffic_class.dscp, each.traffic_class.pcp.value_or(kBehindAll));
  });
  to.cnps += from.cnps;
  to.untracked_cnps += from.untracked_cnps;
}

void add(const std::vector<Host>& from, std::vector<Host>& to) {
  std::map<std::pair<IpAddress, std::uint32_t>, Host> hosts;
  for (const std::vector<Host>* const some : {&std::as_const(to), &from}) {
    for (const Host& host : *some) {
      Host& sum = hosts[{host.address, host.overlay_id}];
      sum.address = host.address;
      sum.overlay_id = host.overlay_id;
      sum.sent += host.sent;
      sum.received += host.received;
    }
  }
  std::vector<Host> sorted;
  for (auto& [key, host] : hosts) sorted.push_back(host);
  to = std::move(sorted);
}

template <class Rows>
void append(Rows&& from, Rows& to) {
  std::ranges::move(from, std::back_inserter(to));
}

/// Users of one region are those of all, in the order of their first requests.
void add(MemoryRegion&& from, MemoryRegion& to) {
  to.touched.add(from.touched);
  to.refused_range.add(from.refused_range);
  to.reads += from.reads;
  to.read_bytes += from.read_bytes;
  to.writes += from.writes;
  to.written_bytes += from.written_bytes;
  to.atomics += from.atomics;
  to.flushes += from.flushes;
  to.refused += from.refused;
  to.first_packet = std::min(to.first_packet, from.first_packet);
  to.first_time = std::min(to.first_time, from.first_time);
  to.last_time = std::max(to.last_time, from.last_time);
  to.more_users = to.more_users || from.more_users;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> users;
  const auto list = [&](const MemoryRegion& region) {
    for (std::size_t i = 0; i < region.users.size(); ++i) {
      users.emplace_back(i < region.user_packets.size() ? region.user_packets[i] : 0, region.users[i]);
    }
  };
  list(to);
  list(from);
  // Of one frame only one part has users; behind the last frame connections come by number.
  std::ranges::stable_sort(users, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.first >= kMomentOpen && a.second < b.second;
  });
  to.users.clear();
  to.user_packets.clear();
  for (const auto& [packet, user] : users) {
    if (to.users.size() == MemoryRegion::kMostUsers) {
      to.more_users = true;
      break;
    }
    to.users.push_back(user);
    to.user_packets.push_back(packet);
  }
}

void add(std::vector<MemoryRegion>&& from, std::vector<MemoryRegion>& to) {
  const auto key_of = [](const MemoryRegion& region) {
    return std::tuple(region.responder, region.overlay_id, region.r_key);
  };
  std::map<std::tuple<IpAddress, std::uint32_t, std::uint32_t>, std::size_t> known;
  for (std::size_t i = 0; i < to.size(); ++i) known.emplace(key_of(to[i]), i);
  for (MemoryRegion& region : from) {
    const auto place = known.find(key_of(region));
    if (place == known.end()) {
      to.push_back(std::move(region));
    } else {
      add(std::move(region), to[place->second]);
    }
  }
  RegionTable::sort(to);
}

void add(CommandReport&& from, CommandReport& to) {
  append(std::move(from.carried), to.carried);
  to.unlisted_carried += from.unlisted_carried;
  for (const CommandTotals& totals : from.totals) {
    const auto key_of = [](const CommandTotals& row) { return std::tuple(row.protocol, row.operation, row.at_least); };
    const auto known =
        std::ranges::find_if(to.totals, [&](const CommandTotals& other) { return key_of(other) >= key_of(totals); });
    if (known == to.totals.end() || key_of(*known) != key_of(totals)) {
      to.totals.insert(known, totals);
      continue;
    }
    known->commands += totals.commands;
    known->succeeded += totals.succeeded;
    known->failed += totals.failed;
    known->outstanding += totals.outstanding;
    known->unseen += totals.unseen;
    known->bytes += totals.bytes;
    known->resent += totals.resent;
    known->latency.merge(totals.latency);
    known->target.merge(totals.target);
    known->network.merge(totals.network);
  }
  for (const CommandFailures& failures : from.failures) {
    const auto known = std::ranges::find_if(to.failures, [&](const CommandFailures& other) {
      return std::tie(other.protocol, other.operation, other.status) ==
             std::tie(failures.protocol, failures.operation, failures.status);
    });
    if (known == to.failures.end()) {
      to.failures.push_back(failures);
      continue;
    }
    const std::uint64_t commands = known->commands + failures.commands;
    if (failures.first < known->first) *known = failures;
    known->commands = commands;
  }
  append(std::move(from.commands), to.commands);
  to.unlisted += from.unlisted;
}

/// The numbers that those of each part become where all are sorted by `key_of(part, number less 1)`.
template <class Key, class SizeOf, class KeyOf>
std::vector<std::vector<std::uint64_t>> ranks_of(std::size_t parts, SizeOf size_of, KeyOf key_of) {
  struct Entry {
    Key key;
    std::uint32_t part;
    std::uint64_t number;
  };
  std::vector<Entry> entries;
  std::vector<std::vector<std::uint64_t>> ranks(parts);
  for (std::uint32_t part = 0; part < parts; ++part) {
    ranks[part].resize(size_of(part));
    for (std::uint64_t i = 0; i < ranks[part].size(); ++i) entries.push_back({key_of(part, i), part, i});
  }
  std::ranges::stable_sort(entries, {}, &Entry::key);
  for (std::uint64_t rank = 0; rank < entries.size(); ++rank)
    ranks[entries[rank].part][entries[rank].number] = rank + 1;
  return ranks;
}

/// Gives the connections of a part the numbers that they have in the merged result.
class Renumbering {
 public:
  explicit Renumbering(const std::vector<std::uint32_t>& numbers) : numbers_(numbers) {}

  /// False: one has a number that none was given.
  [[nodiscard]] bool apply(Observations& part) {
    Report& report = part.report;
    for (Connection& connection : report.connections) {
      change(connection.number);
      change(connection.joined);
    }
    for (Handshake& handshake : report.handshakes) change(handshake.connection);
    for (MemoryRegion& region : report.memory_regions) {
      for (std::uint32_t& user : region.users) change(user);
    }
    for (CarriedProtocol& carried : report.commands.carried) change(carried.connection);
    for (CommandFailures& failures : report.commands.failures) change(failures.connection);
    for (Command& command : report.commands.commands) change(command.connection);
    for (CommandMoment& each : part.shard.commands) change(each.connection);
    TroublesByConnection troubles;
    for (auto& [number, its] : part.command_troubles) {
      std::uint32_t changed = number;
      change(changed);
      troubles.emplace(changed, std::move(its));
    }
    part.command_troubles = std::move(troubles);
    return good_;
  }

 private:
  void change(std::uint32_t& number) {
    if (number == 0) return;
    if (number > numbers_.size()) {
      good_ = false;
    } else {
      number = numbers_[number - 1];
    }
  }

  const std::vector<std::uint32_t>& numbers_;
  bool good_ = true;
};

bool renumber_commands(const std::vector<std::uint64_t>& numbers, CommandReport& report) {
  const auto change = [&](std::uint64_t& number) {
    if (number == 0 || number > numbers.size()) return false;
    number = numbers[number - 1];
    return true;
  };
  bool good = true;
  for (Command& command : report.commands) good = change(command.number) && good;
  for (CommandFailures& failures : report.failures) good = change(failures.first) && good;
  return good;
}

/// Whether a shard of `shard` follows what the sides of the handshake send each other.
bool has(const ShardFacts& shard, const Handshake& handshake) {
  return std::ranges::any_of(shard.numbers, [&](std::uint32_t number) {
    return Shard{number, shard.count}.has(handshake.sides[0].address, handshake.sides[1].address);
  });
}

/// All shards know all handshakes; the one that follows its connection knows most.
void add(std::vector<Handshake>&& from, const ShardFacts& shard, std::vector<Handshake>& to) {
  std::map<std::uint32_t, Handshake> all;
  for (Handshake& handshake : to) all.emplace(handshake.number, std::move(handshake));
  for (Handshake& handshake : from) {
    const std::uint32_t number = handshake.number;
    const auto known = all.find(number);
    if (known == all.end()) {
      all.emplace(number, std::move(handshake));
      continue;
    }
    const bool counts = known->second.counts || handshake.counts;
    if (has(shard, handshake)) known->second = std::move(handshake);
    known->second.counts = counts;
  }
  to.clear();
  for (auto& [number, handshake] : all) to.push_back(std::move(handshake));
}

void add(Observations&& part, Observations& to) {
  Report& from = part.report;
  Report& report = to.report;
  for (std::size_t i = 0; i < std::min(report.captures.size(), from.captures.size()); ++i)
    add(from.captures[i].totals, report.captures[i].totals);
  add(from.totals, report.totals);
  if (!report.start) report.start = from.start;
  for (std::size_t i = 0; i < std::min(report.capture_points.size(), from.capture_points.size()); ++i)
    report.capture_points[i].roce.add(from.capture_points[i].roce);
  add(from.protocols, report.protocols);
  report.untracked_protocols.add(from.untracked_protocols);
  add(from.operations, report.operations);
  append(std::move(from.flows), report.flows);
  report.untracked_flows.add(from.untracked_flows);
  append(std::move(part.other_flows), to.other_flows);
  add(std::move(from.commands), report.commands);
  to.command_troubles.merge(part.command_troubles);
  append(std::move(from.ud_flows), report.ud_flows);
  report.untracked_ud_flows.add(from.untracked_ud_flows);
  append(std::move(from.cm_events), report.cm_events);
  report.unlisted_cm_events += from.unlisted_cm_events;
  add(from.icrc, report.icrc);
  add(from.stops, report.stops);
  append(std::move(from.connections), report.connections);
  report.untracked_connection_packets += from.untracked_connection_packets;
  add(std::move(from.memory_regions), report.memory_regions);
  report.untracked_region_requests += from.untracked_region_requests;
  add(std::move(from.handshakes), part.shard, report.handshakes);
  report.unlisted_handshakes += from.unlisted_handshakes;
  report.rates.merge(from.rates);
  append(std::move(from.host_rates), report.host_rates);
  add(from.hosts, report.hosts);
  report.untracked_host_packets += from.untracked_host_packets;
  add(from.congestion, report.congestion);
  append(std::move(from.pauses), report.pauses);  // the first shard has them
  report.untracked_pause_frames += from.untracked_pause_frames;
  for (const Sighting& sighting : from.sightings.all()) report.sightings.interleave(sighting);
  for (const Breach& breach : from.breaches.all()) report.breaches.interleave(breach);
  append(std::move(part.shard.numbers), to.shard.numbers);
}

/// Puts the rows in their order.
void sort_rows(Observations& observations) {
  Report& report = observations.report;
  std::ranges::sort(report.connections, {}, &Connection::number);
  sort_protocols(report.protocols);
  FlowTable::sort(report.flows);
  FlowTable::sort(observations.other_flows);
  UdFlows::sort(report.ud_flows);
  HostTable::sort(report.host_rates);
  std::ranges::sort(report.cm_events, {}, &CmEvent::packet);
  if (report.cm_events.size() > CmLog::kDefaultMaxEvents) {
    report.unlisted_cm_events += report.cm_events.size() - CmLog::kDefaultMaxEvents;
    report.cm_events.resize(CmLog::kDefaultMaxEvents);
  }
  std::deque<Command>& commands = report.commands.commands;
  std::ranges::sort(commands, {}, &Command::number);
  if (commands.size() > CommandReport::kMostListed) {
    report.commands.unlisted += commands.size() - CommandReport::kMostListed;
    commands.resize(CommandReport::kMostListed);
  }
  std::ranges::sort(observations.shard.numbers);
}

/// Why they do not belong together.
std::optional<Error> find_misfit(const std::vector<Part>& parts) {
  const Part& first = parts.front();
  std::map<std::uint32_t, const Part*> shards;
  for (const Part& part : parts) {
    const ShardFacts& shard = part.observations.shard;
    if (shard.count == 0) {
      return Error{fmt::format("{} is no shard: only shards of the same captures are merged so far", part.name)};
    }
    const ShardFacts& other = first.observations.shard;
    if (shard.inputs != other.inputs) {
      return Error{fmt::format("{} and {} are not of the same captures and options: '{}' and '{}'", first.name,
                               part.name, other.inputs, shard.inputs)};
    }
    if (shard.count != other.count) {
      return Error{
          fmt::format("{} is one of {} shards, and {} one of {}", first.name, other.count, part.name, shard.count)};
    }
    for (const std::uint32_t number : shard.numbers) {
      const auto [known, added] = shards.emplace(number, &part);
      if (added) continue;
      return Error{fmt::format("shard {}/{} is in {} and in {}", number, shard.count, known->second->name, part.name)};
    }
    // One that leaves all to the first shard stops reading there.
    const bool read_alike = part.observations.report.packets_read == first.observations.report.packets_read;
    if (shard.whole_for == other.whole_for && (read_alike || !shard.whole_for.empty())) continue;
    return Error{fmt::format("{} and {} did not read the same packets: the captures changed", first.name, part.name)};
  }
  return std::nullopt;
}

bool is_well_formed(const ShardFacts& shard) {
  return shard.count <= kHostParts && !shard.numbers.empty() && std::ranges::is_sorted(shard.numbers) &&
         shard.numbers.front() > 0 && shard.numbers.back() <= shard.count && std::ranges::is_sorted(shard.connections);
}

}  // namespace

Result<Observations> merge(std::vector<Part>& parts) {
  for (const Part& part : parts) {
    if (part.observations.shard.count > 0 && !is_well_formed(part.observations.shard))
      return Error{fmt::format("cannot read {}: its section 'shard' is damaged", part.name)};
  }
  if (parts.size() == 1) return std::move(parts.front().observations);
  if (std::optional<Error> error = find_misfit(parts)) return *std::move(error);
  const auto facts = [&](std::size_t part) -> ShardFacts& { return parts[part].observations.shard; };
  if (!facts(0).whole_for.empty()) {
    // The first shard has all.
    std::vector<std::uint32_t> numbers;
    const auto has_first = [](const Part& part) { return part.observations.shard.numbers.front() == 1; };
    auto whole = std::ranges::find_if(parts, has_first);
    if (whole == parts.end()) whole = parts.begin();
    for (Part& part : parts) append(std::move(part.observations.shard.numbers), numbers);
    Observations merged = std::move(whole->observations);
    std::ranges::sort(numbers);
    merged.shard.numbers = std::move(numbers);
    return merged;
  }
  // What begins with the first shard comes from there: what captures say of themselves.
  const auto connections = ranks_of<std::uint64_t>(
      parts.size(), [&](std::size_t part) { return facts(part).connections.size(); },
      [&](std::size_t part, std::uint64_t i) { return facts(part).connections[i]; });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].connections.assign(connections[i].begin(), connections[i].end());
    if (!Renumbering(parts[i].connections).apply(parts[i].observations))
      return Error{fmt::format("cannot read {}: it has a connection without a number", parts[i].name)};
  }
  using CommandKey = std::pair<std::uint64_t, std::uint32_t>;
  const auto command_key = [&](std::size_t part, std::uint64_t i) {
    const CommandMoment& each = facts(part).commands[i];
    return CommandKey(each.moment, each.moment < kMomentOpen ? 0 : each.connection);
  };
  const auto commands = ranks_of<CommandKey>(
      parts.size(), [&](std::size_t part) { return facts(part).commands.size(); }, command_key);
  std::vector<std::uint64_t> made;
  std::vector<std::pair<CommandKey, CommandMoment>> numbered;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    append(std::vector(facts(i).connections), made);
    for (std::uint64_t k = 0; k < facts(i).commands.size(); ++k)
      numbered.emplace_back(command_key(i, k), facts(i).commands[k]);
    if (!renumber_commands(commands[i], parts[i].observations.report.commands))
      return Error{fmt::format("cannot read {}: it has a command without a number", parts[i].name)};
  }
  std::ranges::sort(made);
  std::ranges::stable_sort(numbered, {}, [](const auto& each) { return each.first; });
  Observations merged = std::move(parts.front().observations);
  for (std::size_t i = 1; i < parts.size(); ++i) add(std::move(parts[i].observations), merged);
  merged.shard.connections = std::move(made);
  merged.shard.commands.clear();
  for (const auto& [key, moment] : numbered) merged.shard.commands.push_back(moment);
  sort_rows(merged);
  return merged;
}

std::vector<std::uint32_t> missing_shards(const Observations& observations) {
  std::vector<std::uint32_t> missing;
  for (std::uint32_t number = 1; number <= observations.shard.count; ++number) {
    if (!std::ranges::binary_search(observations.shard.numbers, number)) missing.push_back(number);
  }
  return missing;
}

std::optional<Error> complete(Observations& observations) {
  const ShardFacts shard = std::exchange(observations.shard, {});
  if (shard.count == 0 || !shard.whole_for.empty()) return std::nullopt;
  Report& report = observations.report;
  NodesByOrder nodes;
  list_nodes(report.protocols, 0, nodes);
  struct Table {
    std::string_view rows;
    std::uint64_t has = 0;
    std::uint64_t most = 0;
    std::uint64_t untracked = 0;
  };
  const Table tables[] = {
      {"connections", shard.connections.size(), shard.max_connections, report.untracked_connection_packets},
      {"flows", std::max(report.flows.size(), observations.other_flows.size()), FlowTable::kDefaultMaxFlows,
       report.untracked_flows.packets},
      {"flows of datagrams", report.ud_flows.size(), UdFlows::kDefaultMaxFlows, report.untracked_ud_flows.packets},
      {"memory regions", report.memory_regions.size(), RegionTable::kDefaultMaxRegions,
       report.untracked_region_requests},
      {"pairs of hosts", report.host_rates.size(), HostTable::kMostPairs, report.untracked_host_packets},
      {"protocols", nodes.size(), ProtocolTree::kDefaultMaxNodes, report.untracked_protocols.packets},
      {"kinds of commands", report.commands.totals.size(), CommandReport::kMostTotals, 0},
      {"connections with commands", report.commands.carried.size(), CommandReport::kMostCarried,
       report.commands.unlisted_carried},
  };
  for (const Table& table : tables) {
    if (table.has <= table.most && table.untracked == 0) continue;
    return Error{
        fmt::format("the shards have {} {} together: one analysis keeps {} at most, and which ones depends on all "
                    "packets. Analyze the captures without --shard",
                    table.has, table.rows, table.most)};
  }
  report.other_packets = other_packets_of(nodes);
  for (Connection& connection : report.connections) {
    const std::uint32_t place = std::max(connection.number, connection.joined);
    for (ConnectionSide& side : connection.sides) side.rates.limit(shard.rate_interval, HostTable::most_buckets(place));
  }
  std::vector<HostRates*> pairs;
  for (HostRates& pair : report.host_rates) pairs.push_back(&pair);
  std::ranges::sort(pairs, {}, [](const HostRates* pair) { return pair->order; });
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    pairs[i]->rates.limit(shard.rate_interval, HostTable::most_buckets(i + 1));
  }
  for (const Handshake& handshake : report.handshakes) HandshakeTable::add_last_sighting(handshake, report.sightings);
  if (shard.selects) std::erase_if(report.handshakes, [](const Handshake& handshake) { return !handshake.counts; });
  CommandLog::conclude(report.commands);
  return std::nullopt;
}

}  // namespace rocescope::partial
