#include "findings/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "findings/causes.hpp"
#include "findings/rules.hpp"
#include "rocescope/text.hpp"

namespace rocescope {
namespace findings {

void FindingList::add(FindingId id, const Direction& direction, const Occurrences& seen, Amount weight,
                      std::string what, std::string_view filter) {
  std::string whole = fmt::format("rocescope.connection == {}", direction.connection.number);
  if (!filter.empty()) whole += fmt::format(" && {}", filter);
  findings_.push_back({.info = &finding_info(id),
                       .connection = direction.connection.number,
                       .capture_point = direction.connection.capture_point,
                       .side = direction.side,
                       .path = Finding::Path{direction.sender().address, direction.receiver().address},
                       .seen = seen,
                       .weight = weight.value,
                       .strength = weight.strength,
                       .what = std::move(what),
                       .filter = std::move(whole)});
}

void FindingList::add(FindingId id, const Handshake& handshake, const Occurrences& seen, Amount weight,
                      std::string what) {
  std::string filter;
  if (handshake.transaction_id != 0)
    filter = fmt::format("infiniband.mad.transactionid == 0x{:x}", handshake.transaction_id);
  findings_.push_back({.info = &finding_info(id),
                       .connection = handshake.connection,
                       .handshake = handshake.number,
                       .path = Finding::Path{handshake.sides[0].address, handshake.sides[1].address},
                       .seen = seen,
                       .weight = weight.value,
                       .strength = weight.strength,
                       .what = std::move(what),
                       .filter = std::move(filter)});
}

void FindingList::add(FindingId id, const Occurrences& seen, Amount weight, std::string what, std::string filter) {
  findings_.push_back({.info = &finding_info(id),
                       .seen = seen,
                       .weight = weight.value,
                       .strength = weight.strength,
                       .what = std::move(what),
                       .filter = std::move(filter)});
}

std::string count(Amount amount, std::string_view noun) {
  return fmt::format("{}{}", in_words(amount.strength), text::count(amount.value, noun));
}

const Handshake* handshake_of(const Connection& connection, const Evidence& evidence) noexcept {
  const auto& handshakes = evidence.tracking.handshakes;
  const auto found = std::ranges::lower_bound(handshakes, connection.handshake, {}, &Handshake::number);
  return found == handshakes.end() || found->number != connection.handshake ? nullptr : &*found;
}

std::string frames(const Occurrences& seen) {
  std::string numbers;
  for (const std::uint64_t packet : seen.packets) {
    if (packet == 0) continue;
    if (!numbers.empty()) numbers += ", ";
    numbers += std::to_string(packet);
  }
  return numbers.empty() ? numbers : fmt::format("frame.number in {{{}}}", numbers);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part == whole) return "100 %";
  if (share < 0.1) return "under 0.1 %";
  // What is not all of it must not read as all of it.
  return share < 9.95 ? fmt::format("{:.1f} %", share) : fmt::format("{:.0f} %", std::min(share, 99.0));
}

}  // namespace findings

ComparisonsByConnection::ComparisonsByConnection(std::span<const FlowComparison> comparisons) {
  std::vector<std::pair<std::uint32_t, const FlowComparison*>> entries;
  for (const FlowComparison& row : comparisons) {
    entries.emplace_back(row.from_connection, &row);
    if (row.to_connection != row.from_connection) entries.emplace_back(row.to_connection, &row);
  }
  std::ranges::sort(entries);
  for (const auto& [number, row] : entries) {
    numbers_.push_back(number);
    rows_.push_back(row);
  }
}

std::span<const FlowComparison* const> ComparisonsByConnection::of(std::uint32_t connection) const {
  const auto [first, last] = std::equal_range(numbers_.begin(), numbers_.end(), connection);
  return std::span(rows_).subspan(static_cast<std::size_t>(first - numbers_.begin()),
                                  static_cast<std::size_t>(last - first));
}

std::vector<Finding> find_findings(const Evidence& input) {
  const ComparisonsByConnection compared(input.comparisons);
  Evidence evidence = input;
  evidence.compared = &compared;
  const findings::Limits limits(evidence);
  findings::FindingList list(limits);
  findings::find_capture_limits(evidence, list);
  findings::find_icrcs(evidence, list);
  findings::find_breaches(evidence, list);
  findings::find_one_port(evidence, list);
  findings::find_weaknesses(evidence, list);
  findings::find_capture_congestion(evidence, list);
  findings::find_setup(evidence, list);
  for (const Connection& connection : evidence.tracking.connections) {
    for (std::size_t side = 0; side < connection.sides.size(); ++side) {
      const findings::Direction direction{connection, side, limits};
      findings::find_damage(direction, list);
      if (connection.unsure) {
        findings::find_unsure(direction, list);
        findings::find_refusals(direction, evidence, list);
        findings::find_congestion(direction, list);
        continue;
      }
      findings::find_losses(direction, evidence, list);
      findings::find_read_losses(direction, list);
      findings::find_lost_acks(direction, list);
      findings::find_recoveries(direction, evidence, list);
      findings::find_refusals(direction, evidence, list);
      findings::find_breaches(direction, list);
      findings::find_advice(direction, list);
      findings::find_read_depth(direction, evidence, list);
      findings::find_conflicts(direction, list);
      findings::find_congestion(direction, list);
      findings::find_strays(direction, list);
      findings::find_outstanding(direction, evidence, list);
    }
  }
  findings::find_commands(evidence, list);
  std::vector<Finding> found = std::move(list).take();
  findings::tell_outstanding_commands(evidence, limits, found);
  findings::attribute(found);
  sort_findings(found);
  return found;
}

}  // namespace rocescope
