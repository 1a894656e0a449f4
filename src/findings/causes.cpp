#include "findings/causes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <utility>

#include "findings/findings.hpp"
#include "sorting/sort.hpp"

namespace rocescope {
namespace {

/// Findings that stand together.
using Group = std::span<Finding>;

/// The connection, else the attempt to connect.
std::pair<std::uint32_t, std::uint32_t> owner_of(const Finding& finding) noexcept {
  return {finding.connection, finding.connection == 0 ? finding.handshake : 0};
}

/// Sorts the findings by their owners, and calls `use` with those of each. One of the whole capture is a group of its own.
template <class Use>
void for_each_group(std::vector<Finding>& findings, Use use) {
  sorting::stable_sort(findings, [](const Finding& a, const Finding& b) { return owner_of(a) < owner_of(b); });
  for (auto first = findings.begin(); first != findings.end();) {
    const auto owner = owner_of(*first);
    const bool is_owned = owner != std::pair<std::uint32_t, std::uint32_t>();
    const auto end =
        is_owned ? std::find_if(first, findings.end(), [&](const Finding& each) { return owner_of(each) != owner; })
                 : std::next(first);
    use(Group(first, end));
    first = end;
  }
}

/// Whether the other side is gone, so that what was sent again was of no use.
bool is_peer_gone(const Finding& finding) noexcept {
  if (finding.info->id == FindingId::kRetryExhausted) return true;
  // The second packet of the evidence is the last retry: see find_outstanding().
  return finding.info->id == FindingId::kTornDownOutstanding && finding.seen.packets[1] != 0;
}

/// Whether the responder answers this breach with NAK (invalid request), IBTA 9.7.4.
bool is_invalid_request(FindingId id) noexcept {
  switch (id) {
    case FindingId::kOpcodeOrder:
    case FindingId::kLengthMtu:
    case FindingId::kPad:
    case FindingId::kTransportOperation:
    case FindingId::kReadDepthExceeded:
      return true;
    default:
      return false;
  }
}

/// No responder misses those.
bool is_loss_of_acks(FindingId id) noexcept {
  return id == FindingId::kAckLossBefore || id == FindingId::kAckLossAfter;
}

/// What makes a requester send again.
bool is_trouble_of_packets(FindingRole role) noexcept {
  return role == FindingRole::kDamage || role == FindingRole::kLoss || role == FindingRole::kReordering ||
         role == FindingRole::kNotReady;
}

/// Of findings of the same connection. What happens to the requests of one side explains nothing of those of the other, but
/// damaged packets of either side may be its answers.
bool can_explain(const Finding& cause, const Finding& what) noexcept {
  const FindingRole role = cause.info->role;
  const bool is_same_side = cause.side == what.side;
  const bool is_damage = role == FindingRole::kDamage;
  switch (what.info->id) {
    case FindingId::kRetransmissions:
    case FindingId::kGoBackNWaste:
      return is_damage || (is_same_side && (is_trouble_of_packets(role) || is_peer_gone(cause)));
    case FindingId::kTimeoutRecovery:
      return is_damage || (is_same_side && (role == FindingRole::kLoss || is_peer_gone(cause)));
    case FindingId::kNakSequence:
      return is_same_side && is_trouble_of_packets(role) && !is_loss_of_acks(cause.info->id);
    case FindingId::kSpuriousRetransmission:
      return is_same_side ? role == FindingRole::kReordering || cause.info->id == FindingId::kAckLossAfter : is_damage;
    case FindingId::kRnrTimerNotHonoured:
      return is_same_side && role == FindingRole::kNotReady;
    case FindingId::kRetryExhausted:  // its evidence is the last RNR NAK, or the last retry
      return is_same_side && role == FindingRole::kNotReady && cause.seen.last_time >= what.seen.first_time;
    case FindingId::kPacketLossAfter:  // the same packets, seen by one point only
      return is_same_side && cause.info->id == FindingId::kPacketLossBetween && cause.weight >= what.weight;
    case FindingId::kNakInvalidRequest:
      return is_same_side && is_invalid_request(cause.info->id) && cause.seen.first_time <= what.seen.first_time;
    default:
      return false;
  }
}

/// Of those that can explain it: what was seen most often, since each time asks for a recovery; a peer that is gone only where
/// nothing else can. Null: none.
const Finding* cause_of(const Finding& what, Group group) noexcept {
  const auto weight_of = [&](const Finding& cause) {
    return std::tuple(!is_peer_gone(cause), cause.side == what.side, cause.seen.count);
  };
  const Finding* best = nullptr;
  for (const Finding& cause : group) {
    if (!can_explain(cause, what)) continue;
    if (best == nullptr || weight_of(cause) > weight_of(*best)) best = &cause;
  }
  return best;
}

/// The place in its group of the finding that it goes back to: its cause, the cause of that, and so on. Its own: it has none.
std::size_t root_of(std::size_t place, Group group) noexcept {
  const Finding& finding = group[place];
  if (finding.cause == nullptr) return place;
  std::size_t found = place;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i].info != finding.cause) continue;
    if (found == place || group[i].side == finding.side) found = i;
  }
  return found == place ? place : root_of(found, group);
}

/// The rank of a root cause and its consequences among the roots of a group: the greater stands first.
struct RootRank {
  Severity severity = Severity::kNote;
  bool has_end = false;
  std::size_t findings = 0;

  void add(const Finding& finding) noexcept {
    // A consequence whose cause nobody saw says less than a cause, whatever its severity.
    const bool is_stray = finding.cause == nullptr && finding.info->role == FindingRole::kConsequence;
    severity =
        std::max(severity, is_stray ? std::min(finding.info->severity, Severity::kWarning) : finding.info->severity);
    has_end = has_end || finding.info->role == FindingRole::kEnd;
    ++findings;
  }
  auto operator<=>(const RootRank&) const = default;
};

void sort_group(Group group) {
  if (group.size() == 1) return;
  struct Place {
    std::size_t own;
    std::size_t root;
  };
  std::vector<Place> places;
  std::vector<RootRank> ranks(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    places.push_back({i, root_of(i, group)});
    ranks[places.back().root].add(group[i]);
  }
  const auto is_before = [&](const Place& a, const Place& b) {
    const FindingInfo& of_a = *group[a.own].info;
    const FindingInfo& of_b = *group[b.own].info;
    if (a.root == b.root) {
      return std::tuple(a.own != a.root, of_b.severity, of_a.id) < std::tuple(b.own != b.root, of_a.severity, of_b.id);
    }
    const FindingInfo& root_a = *group[a.root].info;
    const FindingInfo& root_b = *group[b.root].info;
    return std::tuple(ranks[b.root], root_a.role, root_b.severity, root_a.id, a.root) <
           std::tuple(ranks[a.root], root_b.role, root_a.severity, root_b.id, b.root);
  };
  sorting::stable_sort(places, is_before);
  std::vector<Finding> sorted;
  for (const Place& place : places) sorted.push_back(std::move(group[place.own]));
  std::ranges::move(sorted, group.begin());
}

/// How the findings of a connection compare with those of others: the greater stand first.
struct GroupRank {
  Severity severity = Severity::kNote;
  bool stands_still = false;  ///< it ended, or pauses stop it
  std::uint64_t weight = 0;   ///< of the worst finding
  std::size_t first = 0;      ///< where they were
  std::size_t size = 0;

  [[nodiscard]] bool is_before(const GroupRank& other) const noexcept {
    return std::tuple(severity, stands_still, weight) > std::tuple(other.severity, other.stands_still, other.weight);
  }
};

GroupRank rank_of(Group group, std::size_t first) noexcept {
  GroupRank rank{.first = first, .size = group.size()};
  for (const Finding& finding : group) {
    const FindingInfo& info = *finding.info;
    const bool is_storm = info.severity == Severity::kError && info.role == FindingRole::kCongestion;
    rank.stands_still = rank.stands_still || info.role == FindingRole::kEnd || is_storm;
    std::tie(rank.severity, rank.weight) =
        std::max(std::pair(rank.severity, rank.weight), std::pair(info.severity, finding.weight));
  }
  return rank;
}

}  // namespace

namespace findings {

void attribute(std::vector<Finding>& findings) {
  for_each_group(findings, [](Group group) {
    for (Finding& finding : group) {
      const Finding* const cause = cause_of(finding, group);
      finding.cause = cause == nullptr ? nullptr : cause->info;
    }
  });
}

}  // namespace findings

void sort_findings(std::vector<Finding>& findings) {
  std::vector<GroupRank> groups;
  std::size_t first = 0;
  for_each_group(findings, [&](Group group) {
    sort_group(group);
    groups.push_back(rank_of(group, std::exchange(first, first + group.size())));
  });
  sorting::stable_sort(groups, [](const GroupRank& a, const GroupRank& b) { return a.is_before(b); });
  std::vector<Finding> sorted;
  sorted.reserve(findings.size());
  for (const GroupRank& group : groups) {
    for (std::size_t i = 0; i < group.size; ++i) sorted.push_back(std::move(findings[group.first + i]));
  }
  findings = std::move(sorted);
}

}  // namespace rocescope
