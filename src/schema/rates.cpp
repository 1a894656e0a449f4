// How much was sent when.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kSentColumns = columns<Sent>(
    number<&Sent::packets>("packets", "packets").packets().sum(),
    number<&Sent::wire_bytes>("wire_bytes", "whole frames").bytes().sum(),
    number<&Sent::payload_bytes>("payload_bytes", "of messages, without headers and pad").bytes().sum(),
    number<&Sent::goodput_bytes>("goodput_bytes", "payload of what had not been seen before").bytes().sum(),
    number<&Sent::resent_bytes>("resent_bytes", "payload of what had been seen before").bytes().sum(),
    number<&Sent::messages>("messages", "messages that ended").messages().sum());

constexpr auto kBucketColumns = columns<RateSeries>(
    time<[](const RateSeries& row) { return row.start(); }>("start", "when the first bucket starts"),
    duration<[](const RateSeries& row) { return row.width(); }>("interval", "the width of a bucket"),
    series<[](const RateSeries& row) { return row.buckets(); }>(kSent, "the same sums over each bucket, as arrays"));

std::optional<std::int64_t> first_time(const RateSeries& row) {
  return row.empty() ? std::nullopt : std::optional(row.first_time());
}
std::optional<std::int64_t> last_time(const RateSeries& row) {
  return row.empty() ? std::nullopt : std::optional(row.last_time());
}

constexpr auto kRateColumns = columns<RateSeries>(
    members<[](const RateSeries& row) { return row.total(); }>(kSent),
    time<&first_time>("first_time", "of the first packet"), time<&last_time>("last_time", "of the last packet"),
    object<[](const RateSeries& row) { return &row; }>("buckets", kBuckets, "over time")
        .where<[](const RateSeries& row) { return !row.empty(); }>());

constexpr auto kHostRateColumns = columns<HostRates>(
    address<&HostRates::source>("source", "who sent"), address<&HostRates::destination>("destination", "to whom"),
    number<&HostRates::overlay_id>("overlay_id", "VNI, 0 outside tunnels"), members<&HostRates::rates>(kRates));

const ConnectionSide& sender(const SideBucket& row) { return row.connection.sides[row.side]; }
const ConnectionSide& receiver(const SideBucket& row) { return row.connection.sides[1 - row.side]; }

constexpr auto kSideBucketColumns =
    columns<SideBucket>(number<[](const SideBucket& row) { return row.connection.number; }>("connection", "its number"),
                        number<&SideBucket::side>("side", "0 or 1, who sent"),
                        address<[](const SideBucket& row) { return sender(row).address; }>("source", "who sent"),
                        address<[](const SideBucket& row) { return receiver(row).address; }>("destination", "to whom"),
                        time<&SideBucket::start>("start", "when the bucket starts"),
                        duration<&SideBucket::width>("interval", "the width of the bucket"),
                        members<[](const SideBucket& row) -> const Sent& { return row.sent; }>(kSent));

constexpr auto kHostBucketColumns = columns<HostBucket>(
    address<[](const HostBucket& row) { return row.hosts.source; }>("source", "who sent"),
    address<[](const HostBucket& row) { return row.hosts.destination; }>("destination", "to whom"),
    number<[](const HostBucket& row) { return row.hosts.overlay_id; }>("overlay_id", "VNI, 0 outside tunnels"),
    time<&HostBucket::start>("start", "when the bucket starts"),
    duration<&HostBucket::width>("interval", "the width of the bucket"),
    members<[](const HostBucket& row) -> const Sent& { return row.sent; }>(kSent));

}  // namespace

constinit const Rows<Sent> kSent{
    {"sent", "what was sent in a length of time; copies that the capture made are left out", kSentColumns}};
constinit const Rows<RateSeries> kBuckets{{"buckets", "sums over equal lengths of time", kBucketColumns}};
constinit const Rows<RateSeries> kRates{{"rates", "how much was sent when", kRateColumns}};
constinit const Rows<HostRates> kHostRates{{"host_rates", "what one host sent another", kHostRateColumns}};
constinit const Rows<SideBucket> kSideBucket{
    {"rate", "what one side of a connection sent in a bucket of time", kSideBucketColumns}};
constinit const Rows<HostBucket> kHostBucket{
    {"host_rate", "what one host sent another in a bucket of time", kHostBucketColumns}};

}  // namespace rocescope::schema
