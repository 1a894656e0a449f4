#include "partial/merging.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "analysis/flow_table.hpp"
#include "analysis/protocol_tree.hpp"
#include "analysis/ud_flows.hpp"
#include "partial/sums.hpp"
#include "rocescope/icrc_verifier.hpp"
#include "sorting/sort.hpp"
#include "tracking/handshakes/handshake_table.hpp"
#include "tracking/moment.hpp"
#include "tracking/watchers/host_table.hpp"
#include "tracking/watchers/region_table.hpp"
#include "ulp/command_log.hpp"

namespace rocescope::partial {
namespace {

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
  sorting::stable_sort(others, std::greater<>(), &OtherPackets::packets);
  return others;
}

/// The new numbers of the numbers of each part, if all are sorted by `key_of(part, number less 1)`.
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
  sorting::stable_sort(entries, {}, &Entry::key);
  for (std::uint64_t rank = 0; rank < entries.size(); ++rank)
    ranks[entries[rank].part][entries[rank].number] = rank + 1;
  return ranks;
}

/// Gives the connections of a part the numbers that they have in the merged result.
class Renumbering {
 public:
  explicit Renumbering(const std::vector<std::uint32_t>& numbers) : numbers_(numbers) {}

  /// False: a connection has a number that was never assigned.
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
    report.commands.commands.change([&](Command& command) { change(command.connection); });
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
  report.commands.change([&](Command& command) { good = change(command.number) && good; });
  for (CommandFailures& failures : report.failures) good = change(failures.first) && good;
  return good;
}

Error changed_text(const Part& one, const Part& other) {
  return {fmt::format("{} and {} did not read the same packets: the captures changed, or others have their names",
                      one.name, other.name)};
}

/// The result if one part has everything, or leaves everything to another part. Leaves only the part that has
/// everything in `parts`, or nothing if that part is missing.
Observations merge_whole(std::vector<Part>& parts, std::vector<Part>::iterator whole) {
  std::vector<std::uint32_t> numbers;
  for (const Part& part : parts) std::ranges::copy(part.observations.shard.numbers, std::back_inserter(numbers));
  std::ranges::sort(numbers);
  Observations merged = std::move(whole->observations);
  merged.shard.numbers = std::move(numbers);
  parts.erase(std::next(whole), parts.end());
  parts.erase(parts.begin(), merged.shard.has_all ? whole : parts.end());
  return merged;
}

/// Why they do not belong together.
std::optional<Error> find_misfit(const std::vector<Part>& parts) {
  const Part& first = parts.front();
  // A part that has nothing stopped reading before the end.
  const auto has_read_all = [](const Part& part) {
    return part.observations.shard.whole_for.empty() || part.observations.shard.has_all;
  };
  const auto reads_other = [&](const Part& one, const Part& other) {
    return has_read_all(one) && has_read_all(other) &&
           one.observations.report.packets_read != other.observations.report.packets_read;
  };
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
      if (reads_other(*known->second, part)) return changed_text(*known->second, part);
      return Error{fmt::format("shard {}/{} is in {} and in {}", number, shard.count, known->second->name, part.name)};
    }
  }
  const auto read = std::ranges::find_if(parts, has_read_all);
  const auto differs = [&](const Part& part) { return has_read_all(part) && reads_other(*read, part); };
  const auto other = std::ranges::find_if(parts, differs);
  if (other != parts.end()) return changed_text(*read, *other);
  // The first shard also saw the packet that made it stop, and has everything.
  const auto has_nothing = std::ranges::find_if_not(parts, has_read_all);
  const auto has_all = [](const Part& part) { return part.observations.shard.has_all; };
  const bool is_left_to_first = has_nothing != parts.end() && std::ranges::none_of(parts, has_all);
  const auto left_to = shards.find(1);
  if (is_left_to_first && left_to != shards.end()) return changed_text(*left_to->second, *has_nothing);
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
  const auto has_all = [](const Part& part) { return part.observations.shard.has_all; };
  const auto leaves_all = [](const Part& part) { return !part.observations.shard.whole_for.empty(); };
  auto whole = std::ranges::find_if(parts, has_all);
  if (whole == parts.end()) whole = std::ranges::find_if(parts, leaves_all);
  if (whole != parts.end()) return merge_whole(parts, whole);
  // What captures say about themselves comes from the first shard.
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
    std::ranges::copy(facts(i).connections, std::back_inserter(made));
    for (std::uint64_t k = 0; k < facts(i).commands.size(); ++k)
      numbered.emplace_back(command_key(i, k), facts(i).commands[k]);
    if (!renumber_commands(commands[i], parts[i].observations.report.commands))
      return Error{fmt::format("cannot read {}: it has a command without a number", parts[i].name)};
  }
  std::ranges::sort(made);
  sorting::stable_sort(numbered, {}, [](const auto& each) { return each.first; });
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

std::optional<std::string> complete(Observations& observations) {
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
  // A packet whose source port was rewritten is right only where the flow is remembered.
  const std::uint64_t searched = report.icrc.rewritten > 0 ? shard.icrc_flows : 0;
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
      {"flows with a source port that may be rewritten", searched, IcrcVerifier::kDefaultMaxFlows, 0},
  };
  for (const Table& table : tables) {
    if (table.has <= table.most && table.untracked == 0) continue;
    return fmt::format(
        "the shards have {} {} together: one analysis keeps {} at most, and which ones depends on all packets",
        table.has, table.rows, table.most);
  }
  report.other_packets = other_packets_of(nodes);
  for (Connection& connection : report.connections) {
    const std::uint32_t place = std::max(connection.number, connection.joined);
    for (ConnectionSide& side : connection.sides) side.rates.limit(shard.rate_interval, HostTable::most_buckets(place));
  }
  std::vector<HostRates*> pairs;
  for (HostRates& pair : report.host_rates) pairs.push_back(&pair);
  sorting::sort(pairs, {}, [](const HostRates* pair) { return pair->order; });
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    pairs[i]->rates.limit(shard.rate_interval, HostTable::most_buckets(i + 1));
  }
  for (const Handshake& handshake : report.handshakes) HandshakeTable::add_last_sighting(handshake, report.sightings);
  if (shard.selects) std::erase_if(report.handshakes, [](const Handshake& handshake) { return !handshake.counts; });
  CommandLog::conclude(report.commands);
  return std::nullopt;
}

}  // namespace rocescope::partial
