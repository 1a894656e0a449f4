// Capture points, and what two of them saw of the same packets.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kPointColumns = columns<CapturePoint>(
    number<&CapturePoint::number>("number", "from 1, in the order of their first packets").titled("point"),
    list<&CapturePoint::places>("places", Type::kText,
                                "the files, interfaces, encapsulations or copies that belong to it"),
    members<&CapturePoint::roce>(kTraffic, "roce_"));

template <unsigned per_mille>
std::optional<std::int64_t> delay(const FlowComparison& row) {
  return row.delays.empty() ? std::nullopt : std::optional(row.delays.quantile(per_mille));
}

constexpr auto kComparisonColumns = columns<FlowComparison>(
    address<&FlowComparison::source>("source", "sender of the packets").titled("source"),
    address<&FlowComparison::destination>("destination", "receiver of the packets").titled("destination"),
    qpn<&FlowComparison::dest_qp>("dest_qp", "the queue pair to which they go").titled("QP"),
    number<&FlowComparison::from>("from_point", "the capture point that they pass first, where that is known")
        .not_added()
        .titled("from"),
    number<&FlowComparison::to>("to_point", "the other capture point").not_added().titled("to"),
    boolean<&FlowComparison::ordered>("ordered", "whether it is known that they pass from_point first"),
    boolean<&FlowComparison::by_messages>(
        "by_messages",
        "whether messages were compared, not packets: requests and READ responses; the numbers of lost packets are lower bounds"),
    number<&FlowComparison::from_connection>("from_connection", "its number at from_point").not_added().unless_zero(),
    number<&FlowComparison::to_connection>("to_connection", "its number at to_point").not_added().unless_zero(),
    number<&FlowComparison::both>("both_packets", "packets that both saw").packets().sum().titled("both"),
    number<&FlowComparison::only_from>(
        "only_from_packets",
        "packets that only from_point saw; where ordered: lost between the points, damaged beyond recognition, or missed by the capture at to_point")
        .packets()
        .sum()
        .titled("only at first"),
    number<&FlowComparison::only_to>(
        "only_to_packets", "packets that only to_point saw; where ordered: missed by the capture at from_point")
        .packets()
        .sum()
        .titled("missed"),
    number<&FlowComparison::uncompared>(
        "uncompared_packets",
        "packets that one point saw before the other saw any, or after the last that the other saw; also further copies that only from_point saw and the host did not send")
        .packets()
        .sum()
        .titled("not compared"),
    number<&FlowComparison::duplicated>("duplicated_packets", "packets that only to_point saw as further copies")
        .packets()
        .sum()
        .titled("duplicated"),
    number<&FlowComparison::reordered>("reordered_packets",
                                       "packets that to_point saw after packets which followed them at from_point")
        .packets()
        .sum()
        .titled("reordered"),
    number<&FlowComparison::damaged>("damaged_packets",
                                     "packets that had a right ICRC at from_point and a wrong one at to_point")
        .packets()
        .sum()
        .titled("damaged"),
    duration<&delay<500>>("delay_p50", "median time from from_point to to_point by their clocks").titled("delay p50"),
    duration<&delay<990>>("delay_p99", "99th percentile of the same").titled("p99"),
    duration<&delay<1000>>("delay_max", "longest of the same").titled("max"),
    duration<&FlowComparison::clock_difference>(
        "clock_difference",
        "how far the clock of to_point is ahead, estimated from both directions as if both took the same time"),
    boolean<&FlowComparison::one_clock>(
        "one_clock", "both points are in one file, and no delay shows that it was merged from files of two clocks"));

}  // namespace

constinit const Rows<CapturePoint> kCapturePoint{{"capture_point", "where packets were seen", kPointColumns}};
constinit const Rows<FlowComparison> kComparison{
    {"point_comparison", "one direction of a queue pair that two capture points saw", kComparisonColumns}};

}  // namespace rocescope::schema
