// Findings with their evidence.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

std::optional<std::int64_t> first_seen(const Finding& row) {
  return row.seen.count > 0 ? std::optional(row.seen.first_time) : std::nullopt;
}
std::optional<std::int64_t> last_seen(const Finding& row) {
  return row.seen.count > 0 ? std::optional(row.seen.last_time) : std::nullopt;
}

/// The numbers of the first packets; those behind the last are 0.
std::span<const std::uint64_t> first_packets(const Finding& row) {
  const auto& packets = row.seen.packets;
  return {packets.begin(), std::find(packets.begin(), packets.end(), 0)};
}

std::optional<IpAddress> from(const Finding& row) { return row.path ? std::optional(row.path->from) : std::nullopt; }
std::optional<IpAddress> to(const Finding& row) { return row.path ? std::optional(row.path->to) : std::nullopt; }

std::optional<std::string_view> cause(const Finding& row) {
  return row.cause != nullptr ? std::optional(row.cause->name) : std::nullopt;
}

std::optional<std::string_view> filter(const Finding& row) {
  return row.filter.empty() ? std::nullopt : std::optional<std::string_view>(row.filter);
}

constexpr auto kFindingColumns = columns<Finding>(
    text<[](const Finding& row) { return row.info->name; }>("id", "its name, which explain takes"),
    text<[](const Finding& row) { return row.info->severity; }>("severity", "error, warning, note"),
    text<[](const Finding& row) { return row.info->title; }>("title", "a few words"),
    text<&Finding::what>("what", "a clause with its numbers"),
    number<&Finding::connection>("connection", "its number; absent: of the whole capture").unless_zero(),
    number<&Finding::side>("side", "0 or 1: whose requests it is about"),
    number<&Finding::capture_point>("capture_point", "where its connection was seen").unless_zero().not_in_csv(),
    number<&Finding::handshake>("handshake", "its number").unless_zero().not_in_csv(),
    address<&from>("from", "who sent what it is about").not_in_csv(), address<&to>("to", "to whom").not_in_csv(),
    text<&Finding::strength>("strength", "of weight, of count and of the numbers in what: exact, at_least, estimated"),
    number<&Finding::weight>("weight", "what it cost, to be compared among findings of one id"),
    number<&Finding::seen, &Occurrences::count>("count", "how often it was seen"),
    time<&first_seen>("first_time", "when it was seen first"), time<&last_seen>("last_time", "when it was seen last"),
    list<&first_packets>("packets", Type::kNumber, "the numbers of the first packets"),
    text<&filter>("filter", "a display filter that shows its packets"),
    text<[](const Finding& row) {
      return row.info->role;
    }>("role",
       "what it is: a cause (breach, end, damage, loss, reordering, not_ready, credits, congestion, capture), a consequence, other"),
    text<&cause>("cause",
                 "the id of the finding of its connection that it is a consequence of; absent: none is known"));

}  // namespace

constinit const Rows<Finding> kFinding{{"finding", "what an engineer should know", kFindingColumns}};

}  // namespace rocescope::schema
