#include "partial/sums.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/cm_log.hpp"
#include "analysis/flow_table.hpp"
#include "analysis/ud_flows.hpp"
#include "partial/members.hpp"
#include "schema/tables.hpp"
#include "sorting/sort.hpp"
#include "tracking/moment.hpp"
#include "tracking/watchers/host_table.hpp"
#include "tracking/watchers/region_table.hpp"

namespace rocescope::partial {
namespace {

using schema::merge;

// The tables of the rows say how their columns add up. The rest is here: which rows belong together, and members without
// a column.

/// Adds each row to the one of the same key, or behind all.
template <class Row, class Key, class Add>
void add_rows(const std::vector<Row>& from, std::vector<Row>& to, Key key_of, Add add_row) {
  for (const Row& row : from) {
    const auto known = std::ranges::find(to, key_of(row), key_of);
    if (known == to.end()) {
      to.push_back(row);
    } else {
      add_row(*known, row);
    }
  }
}
template <const auto& rows>
constexpr auto kByColumns = [](auto& into, const auto& from) { merge(rows, into, from); };

void add(const std::vector<ProtocolNode>& from, std::vector<ProtocolNode>& to) {
  const auto key_of = [](const ProtocolNode& node) { return node.protocol; };
  add_rows(from, to, key_of, [](ProtocolNode& known, const ProtocolNode& node) {
    merge(schema::kProtocol, known, node);
    known.first_packet = std::min(known.first_packet, node.first_packet);
    known.other_packets += node.other_packets;
    add(node.children, known.children);
  });
}

void sort_protocols(std::vector<ProtocolNode>& nodes) {
  sorting::sort(nodes, [](const ProtocolNode& a, const ProtocolNode& b) {
    return std::pair(b.traffic.packets, a.first_packet) < std::pair(a.traffic.packets, b.first_packet);
  });
  for (ProtocolNode& node : nodes) sort_protocols(node.children);
}

void add(const std::vector<OperationCount>& from, std::vector<OperationCount>& to) {
  const auto key_of = [](const OperationCount& count) { return count.opcode->code; };
  add_rows(from, to, key_of, kByColumns<schema::kOperationCount>);
  sorting::sort(to, {}, key_of);
}

void add(const std::vector<StopCount>& from, std::vector<StopCount>& to) {
  const auto key_of = [](const StopCount& count) { return std::pair(count.reason, count.layer); };
  add_rows(from, to, key_of, kByColumns<schema::kStop>);
  sorting::sort(to, [](const StopCount& a, const StopCount& b) {
    return std::pair(b.packets, a.first_packet) < std::pair(a.packets, b.first_packet);
  });
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
  merge(schema::kRegion, to, from);
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
  sorting::stable_sort(users, [](const auto& a, const auto& b) {
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
  const auto totals_key = [](const CommandTotals& row) {
    return std::tuple(row.protocol, row.operation, row.at_least);
  };
  add_rows(from.totals, to.totals, totals_key, kByColumns<schema::kCommandTotals>);
  sorting::sort(to.totals, {}, totals_key);
  const auto failures_key = [](const CommandFailures& row) {
    return std::tuple(row.protocol, row.operation, row.status, row.status_name);
  };
  add_rows(from.failures, to.failures, failures_key, [](CommandFailures& known, const CommandFailures& failures) {
    const std::uint64_t commands = known.commands + failures.commands;
    if (failures.first < known.first) known = failures;
    known.commands = commands;
  });
  for (const Command& command : from.commands) to.commands.push_back(command);
}

void sort(CommandReport& report) {
  std::vector<Command> commands;
  for (const Command& command : report.commands) commands.push_back(command);
  sorting::sort(commands, {}, &Command::number);
  report.commands.clear();
  for (const Command& command : commands) {
    if (report.commands.size() < CommandReport::kMostListed) {
      report.commands.push_back(command);
    } else {
      ++report.unlisted;
    }
  }
}

/// The shard that follows its connection knows most of a handshake.
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
    if (shard.follows(handshake)) known->second = std::move(handshake);
    known->second.counts = counts;
  }
  to.clear();
  for (auto& [number, handshake] : all) to.push_back(std::move(handshake));
}

}  // namespace

void add(Observations&& part, Observations& to) {
  // Members that are not added are the same in all shards, empty in shards, or drawn from the others later.
  static_assert(detail::members_in<Observations>() == 5, "a member of Observations that is not added");
  static_assert(detail::members_in<Report>() == 26, "a member of Report that is not added");
  static_assert(detail::members_in<Tracking>() == 15, "a member of Tracking that is not added");
  static_assert(detail::members_in<CommandReport>() == 7, "a member of CommandReport that is not added");
  Report& from = part.report;
  Report& report = to.report;
  for (std::size_t i = 0; i < std::min(report.captures.size(), from.captures.size()); ++i)
    merge(schema::kCaptureTotals, report.captures[i].totals, from.captures[i].totals);
  merge(schema::kCaptureTotals, report.totals, from.totals);
  merge(schema::kUntracked, report, from);
  if (!report.start) report.start = from.start;
  for (std::size_t i = 0; i < std::min(report.capture_points.size(), from.capture_points.size()); ++i)
    report.capture_points[i].roce.add(from.capture_points[i].roce);
  add(from.protocols, report.protocols);
  add(from.operations, report.operations);
  append(std::move(from.flows), report.flows);
  append(std::move(part.other_flows), to.other_flows);
  add(std::move(from.commands), report.commands);
  to.command_troubles.merge(part.command_troubles);
  append(std::move(from.ud_flows), report.ud_flows);
  append(std::move(from.cm_events), report.cm_events);
  merge(schema::kIcrc, report.icrc, from.icrc);
  add(from.stops, report.stops);
  append(std::move(from.connections), report.connections);
  add(std::move(from.memory_regions), report.memory_regions);
  add(std::move(from.handshakes), part.shard, report.handshakes);
  report.rates.merge(from.rates);
  append(std::move(from.host_rates), report.host_rates);
  add(from.hosts, report.hosts);
  merge(schema::kCongestionTotals, report.congestion, from.congestion);
  append(std::move(from.pauses), report.pauses);  // the first shard has them
  for (const Sighting& sighting : from.sightings.all()) report.sightings.interleave(sighting);
  for (const Breach& breach : from.breaches.all()) report.breaches.interleave(breach);
  to.shard.icrc_flows += part.shard.icrc_flows;
  append(std::move(part.shard.numbers), to.shard.numbers);
}

void sort_rows(Observations& observations) {
  Report& report = observations.report;
  sorting::sort(report.connections, {}, &Connection::number);
  sort_protocols(report.protocols);
  FlowTable::sort(report.flows);
  FlowTable::sort(observations.other_flows);
  UdFlows::sort(report.ud_flows);
  HostTable::sort(report.host_rates);
  sorting::sort(report.cm_events, {}, &CmEvent::packet);
  if (report.cm_events.size() > CmLog::kDefaultMaxEvents) {
    report.unlisted_cm_events += report.cm_events.size() - CmLog::kDefaultMaxEvents;
    report.cm_events.resize(CmLog::kDefaultMaxEvents);
  }
  sort(report.commands);
  std::ranges::sort(observations.shard.numbers);
}

}  // namespace rocescope::partial
