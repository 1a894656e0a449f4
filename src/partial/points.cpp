#include "partial/points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "rocescope/text.hpp"
#include "sorting/sort.hpp"

namespace rocescope::partial {
namespace {

/// What results of the same captures have in common.
using Identity = std::tuple<std::int64_t, std::vector<std::string>, std::uint64_t>;

Identity identity_of(const std::vector<Part>& heads, const std::vector<std::size_t>& group) {
  Identity identity(std::numeric_limits<std::int64_t>::max(), {}, 0);
  auto& [start, paths, packets] = identity;
  for (const std::size_t i : group) {  // shards that leave all to another one know less
    const Report& report = heads[i].observations.report;
    if (paths.empty()) {
      for (const CaptureReport& capture : report.captures) paths.push_back(capture.info.path);
    }
    start = std::min(start, report.start.value_or(start));
    packets = std::max(packets, report.packets_read);
  }
  return identity;
}

using Groups = std::vector<std::vector<std::size_t>>;
using GroupsOfShards = std::map<std::string, std::size_t>;  // places in Groups, by what was asked of the shards

std::vector<std::uint32_t> missing_from(const std::vector<Part>& heads, const std::vector<std::size_t>& group) {
  Observations together;
  together.shard.count = heads[group.front()].observations.shard.count;
  if (together.shard.count > kHostParts) return {};  // merge() refuses it
  for (const std::size_t i : group) {
    const std::vector<std::uint32_t>& its = heads[i].observations.shard.numbers;
    together.shard.numbers.insert(together.shard.numbers.end(), its.begin(), its.end());
  }
  std::ranges::sort(together.shard.numbers);
  return missing_shards(together);
}

/// If shards of the group at `place` are missing: an error that names groups which the user may think belong to it.
std::optional<Error> find_other(const std::vector<Part>& heads, const Groups& groups, const GroupsOfShards& shards,
                                std::size_t place, bool needs_all) {
  const std::vector<std::size_t>& group = groups[place];
  const std::vector<std::uint32_t> missing = missing_from(heads, group);
  if (missing.empty()) return std::nullopt;
  const auto paths = [&](std::size_t other) { return std::get<1>(identity_of(heads, groups[other])); };
  const auto may_belong = [&](const auto& other) {
    return other.second != place && (needs_all || paths(other.second) == paths(place));
  };
  const auto other = std::ranges::find_if(shards, may_belong);
  if (other == shards.end()) return std::nullopt;
  const auto [first, second] = std::minmax(group.front(), groups[other->second].front());
  const ShardFacts& shard = heads[group.front()].observations.shard;
  return Error{
      fmt::format("{} and {} are not of the same captures and options: '{}' and '{}'; shard{} {} of {} of "
                  "'{}' {} missing",
                  heads[first].name, heads[second].name, heads[first].observations.shard.inputs,
                  heads[second].observations.shard.inputs, text::plural(missing.size(), "", "s"),
                  fmt::join(missing, ", "), shard.count, shard.inputs, text::plural(missing.size(), "is", "are"))};
}

}  // namespace

Result<std::vector<std::vector<std::size_t>>> group(const std::vector<Part>& heads, bool needs_all) {
  Groups groups;
  GroupsOfShards shards;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const ShardFacts& shard = heads[i].observations.shard;
    if (shard.count == 0) {
      groups.push_back({i});
      continue;
    }
    const auto [known, added] = shards.emplace(shard.inputs, groups.size());
    if (added) groups.emplace_back();
    groups[known->second].push_back(i);
  }
  for (const auto& [inputs, place] : shards) {
    if (std::optional<Error> error = find_other(heads, groups, shards, place, needs_all)) return *std::move(error);
  }
  for (std::vector<std::size_t>& group : groups) sorting::sort(group, {}, [&](std::size_t i) { return heads[i].name; });
  sorting::stable_sort(groups, {}, [&](const auto& group) { return identity_of(heads, group); });
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (identity_of(heads, groups[i - 1]) != identity_of(heads, groups[i])) continue;
    return Error{fmt::format("{} and {} are of the same captures: each is merged once",
                             heads[groups[i - 1].front()].name, heads[groups[i].front()].name)};
  }
  return groups;
}

/// The same in every run, so that every run chooses the same flows.
std::uint64_t SharedFlows::name_of(const FlowKey& key) noexcept {
  return mix(mix(mix(0, key.source), key.destination), key.dest_qp.value());
}

void SharedFlows::add(std::uint32_t group, const FlowKey& key, std::uint64_t messages) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  entries_.push_back({name_of(key), group, static_cast<std::uint32_t>(std::min(messages, kMost))});
}

std::uint64_t SharedFlows::choose(std::size_t most_flows, std::uint64_t most_messages) {
  sorting::sort(entries_, {}, [](const Entry& entry) { return std::tuple(entry.name, entry.group); });
  std::uint64_t messages = 0;
  for (auto first = entries_.begin(); first != entries_.end();) {
    const auto last =
        std::find_if(first, entries_.end(), [&](const Entry& entry) { return entry.name != first->name; });
    const bool is_shared = first->group != (last - 1)->group;
    std::uint64_t its = 0;
    for (auto entry = first; entry != last; ++entry) its += entry->messages;
    const bool fits = compared_.size() < most_flows && its <= most_messages - messages;
    if (is_shared) (fits ? compared_ : too_many_).push_back(first->name);
    if (is_shared && fits) messages += its;
    first = last;
  }
  entries_ = {};
  return messages;
}

SharedFlows::Choice SharedFlows::choice_of(const FlowKey& key) const {
  const std::uint64_t name = name_of(key);
  if (std::ranges::binary_search(compared_, name)) return Choice::kCompared;
  return std::ranges::binary_search(too_many_, name) ? Choice::kTooMany : Choice::kOfOnePoint;
}

}  // namespace rocescope::partial
