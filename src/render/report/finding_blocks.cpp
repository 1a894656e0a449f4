#include "render/report/finding_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "rocescope/text.hpp"

namespace rocescope::render {
namespace {

/// So many connections with the same cause are shown each by itself.
constexpr std::size_t kFew = 3;

std::uint32_t owner_of(const Finding& finding) {
  return finding.connection != 0 ? finding.connection : finding.handshake;
}

/// Those of each connection stand together in the report.
std::vector<FindingBlock> single_blocks(const Report& report, bool notes) {
  std::vector<FindingBlock> blocks;
  const Finding* before = nullptr;
  for (const Finding& finding : report.findings) {
    if (!notes && finding.info->severity == Severity::kNote) continue;
    const bool goes_on = before != nullptr && owner_of(finding) != 0 && owner_of(*before) == owner_of(finding) &&
                         (before->connection == 0) == (finding.connection == 0);
    before = &finding;
    if (!goes_on) blocks.emplace_back();
    FindingBlock& block = blocks.back();
    block.severity = std::max(block.severity, finding.info->severity);
    if (!goes_on && owner_of(finding) != 0) block.owners.push_back(owner_of(finding));
    block.lines.push_back({.finding = &finding,
                           .weakest = &finding,
                           .number = 1,
                           .weight = finding.weight,
                           .strength = finding.strength,
                           .seen = finding.seen});
  }
  return blocks;
}

/// The connections that are those of others at another capture point: by number, the smaller one first.
std::map<std::uint32_t, std::uint32_t> first_numbers(const Report& report) {
  std::map<std::uint32_t, std::uint32_t> first;
  for (const FlowComparison& row : report.comparisons) {
    if (row.by_messages) continue;  // the other connection is in another report
    const auto [lower, higher] = std::minmax(row.from_connection, row.to_connection);
    if (lower == 0 || lower == higher) continue;
    const auto known = first.emplace(higher, lower).first;
    known->second = std::min(known->second, lower);
  }
  return first;
}

bool is_same(const FindingLine& line, const FindingLine& other) {
  return line.finding->info == other.finding->info && line.weight == other.weight && line.strength == other.strength &&
         line.finding->path->from == other.finding->path->from;
}

/// Reports once what several points saw of one connection: leaves it out of the block of the second point.
void join_points(const Report& report, std::vector<FindingBlock>& blocks) {
  const std::map<std::uint32_t, std::uint32_t> first = first_numbers(report);
  if (first.empty()) return;
  std::map<std::uint32_t, FindingBlock*> by_connection;
  for (FindingBlock& block : blocks) {
    if (!block.owners.empty() && block.lines.front().finding->connection != 0)
      by_connection[block.owners.front()] = &block;
  }
  for (const auto& [number, lower] : first) {
    const auto second = by_connection.find(number);
    const auto its = by_connection.find(lower);
    if (second == by_connection.end() || its == by_connection.end()) continue;
    FindingBlock& block = *second->second;
    its->second->elsewhere.push_back(block.lines.front().finding);
    std::erase_if(block.lines, [&](const FindingLine& line) {
      return std::ranges::any_of(its->second->lines, [&](const FindingLine& other) { return is_same(line, other); });
    });
    if (!block.lines.empty()) block.elsewhere.push_back(its->second->lines.front().finding);
  }
  std::erase_if(blocks, [](const FindingBlock& block) { return block.lines.empty(); });
}

enum class Over : std::uint8_t { kHostPair, kAllHosts };

/// Blocks with the same key can be summed up.
using Key = std::tuple<Severity, const FindingInfo*, bool, std::uint8_t, IpAddress, IpAddress>;

Key key_of(const FindingBlock& block, Over over) {
  const Finding& cause = *block.lines.front().finding;
  const bool of_pair = over == Over::kHostPair && cause.path;
  return {block.severity,
          cause.info,
          cause.connection != 0,
          cause.capture_point,
          of_pair ? cause.path->from : IpAddress(),
          of_pair ? cause.path->to : IpAddress()};
}

void add(FindingBlock& into, const FindingBlock& block) {
  into.owners.insert(into.owners.end(), block.owners.begin(), block.owners.end());
  std::set<const FindingInfo*> counted;  // both sides of a connection may have one
  for (const FindingLine& line : block.lines) {
    const auto same = [&](const FindingLine& each) {
      return each.finding->info == line.finding->info && each.finding->cause == line.finding->cause;
    };
    const auto found = std::find_if(into.lines.begin(), into.lines.end(), same);
    if (found == into.lines.end()) {
      into.lines.push_back(line);
      counted.insert(line.finding->info);
      continue;
    }
    if (counted.insert(line.finding->info).second) ++found->number;
    found->weight += line.weight;
    if (line.strength > found->strength) found->weakest = line.weakest;
    found->strength = std::max(found->strength, line.strength);
    found->seen.merge(line.seen);
  }
}

std::size_t hosts_of(const std::vector<const FindingBlock*>& blocks) {
  std::set<IpAddress> hosts;
  for (const FindingBlock* block : blocks) {
    const auto& path = block->lines.front().finding->path;
    if (path) hosts.insert({path->from, path->to});
  }
  return hosts.size();
}

/// Of many blocks with one key, one that sums them up stands where the worst was.
std::vector<FindingBlock> summed_up(const std::vector<FindingBlock>& blocks, Over over) {
  std::map<Key, std::vector<const FindingBlock*>> by_key;
  for (const FindingBlock& block : blocks) {
    if (!block.owners.empty()) by_key[key_of(block, over)].push_back(&block);
  }
  std::vector<FindingBlock> result;
  for (const FindingBlock& block : blocks) {
    const auto same = block.owners.empty() ? by_key.end() : by_key.find(key_of(block, over));
    if (same == by_key.end() || same->second.size() <= kFew) {
      result.push_back(block);
      continue;
    }
    if (same->second.front() != &block) continue;
    FindingBlock sum{.severity = block.severity, .lines = {}, .owners = {}};
    for (const FindingBlock* each : same->second) add(sum, *each);
    const std::size_t hosts = hosts_of(same->second);
    sum.hosts = over == Over::kHostPair ? 0 : hosts;
    result.push_back(std::move(sum));
  }
  return result;
}

std::size_t count_unsure(const Report& report) {
  const auto is_unsure = [](const Connection& connection) { return connection.unsure; };
  return static_cast<std::size_t>(std::ranges::count_if(report.connections, is_unsure));
}

}  // namespace

Silence silence(const Report& report) {
  const std::size_t unsure = count_unsure(report);
  if (unsure == 0) return Silence::kGood;
  return unsure < report.connections.size() ? Silence::kOthers : Silence::kUnknown;
}

std::string unsure_connections(const Report& report) {
  const std::size_t unsure = count_unsure(report);
  if (unsure == 0) return {};
  return fmt::format("{} of {}", text::count(unsure), text::count(report.connections.size(), "connection"));
}

std::vector<FindingBlock> finding_blocks(const Report& report, const BlockOptions& options) {
  std::vector<FindingBlock> blocks = single_blocks(report, options.notes);
  join_points(report, blocks);
  if (options.each) return blocks;
  std::vector<FindingBlock> by_pair = summed_up(blocks, Over::kHostPair);
  return by_pair.size() <= options.most ? by_pair : summed_up(blocks, Over::kAllHosts);
}

}  // namespace rocescope::render
