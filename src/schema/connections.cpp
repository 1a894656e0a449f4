// Connections, their sides, and the states of their queue pairs.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kStateColumns = columns<QpTransition>(
    text<&QpTransition::state>("state", "INIT, RTR, RTS, ERR, RESET; never SQD or SQE, which no packet shows"),
    boolean<&QpTransition::observed>(
        "observed",
        "a packet of the queue pair itself shows it; false: concluded from packets of the other side, or from silence"),
    number<&QpTransition::packet>("packet", "the number of the packet that shows it"),
    time<&QpTransition::time>("time", "of that packet"));

void add_operations(ConnectionSide& into, const ConnectionSide& from) {
  for (const OperationTotals& totals : from.operations.all()) {
    merge(kOperation, into.operations.at(totals.operation), totals);
  }
}

const Congestion& congestion_of(const ConnectionSide& side) { return *side.congestion; }
bool has_congestion(const ConnectionSide& side) { return side.congestion->marked + side.congestion->cnps > 0; }
void add_congestion(ConnectionSide& into, const ConnectionSide& from) {
  if (from.congestion.get() == nullptr) return;
  Congestion& sum = into.congestion.make();
  merge(kCongestion, sum, congestion_of(from));
}

void add_damaged(ConnectionSide& into, const ConnectionSide& from) {
  if (const Sighting* const bad = from.sightings.find(FindingId::kIcrcBad)) into.sightings.merge(*bad);
}

constexpr auto kSideColumns = columns<ConnectionSide>(
    address<&ConnectionSide::address>("address", "of the side"),
    qpn<&ConnectionSide::qpn>("qpn", "its queue pair; absent while no packet to it was seen"),
    members<&ConnectionSide::traffic>(kTraffic).parts<kTraffic>(),
    number<&ConnectionSide::cnp_packets>("cnp_packets", "CNPs that it sent").packets().sum().titled("CNP"),
    number<&ConnectionSide::ce_packets>("ce_packets", "packets of it that a switch marked")
        .packets()
        .sum()
        .titled("CE"),
    number<[](const ConnectionSide& side) { return side.damaged_packets(); }>(
        "damaged_packets", "packets of it that were damaged on their way here: their ICRC is wrong")
        .packets()
        .parts_by<&add_damaged>()
        .titled("damaged"),
    counts<Ecn, 0, &ConnectionSide::ecn, &EcnCounts::packets>("data_ecn", "its data packets by mark (ECN)")
        .packets()
        .sum()
        .not_in_csv(),
    number<&ConnectionSide::class_changes>("class_changes", "data packets in another DSCP or PCP than the one before")
        .packets()
        .sum()
        .not_in_csv(),
    object<&congestion_of>("congestion", kCongestion, "congestion of its data")
        .parts_by<&add_congestion>()
        .where<&has_congestion>()
        .not_in_csv(),
    object<&ConnectionSide::rates>("rates", kRates, "of all that it sent").not_in_csv(),
    times<[](const ConnectionSide& row) { return row.times.all(); }>(kTime, "of its requests, and of its CNPs, by kind")
        .parts_by<[](ConnectionSide& into, const ConnectionSide& from) { into.times.merge(from.times); }>()
        .not_in_csv(),
    object<&ConnectionSide::requests>("requests", kStream, "its requests, and the responses to them").parts<kStream>(),
    array<[](const ConnectionSide& row) { return row.operations.all(); }>("operations", kOperation,
                                                                          "its messages by operation")
        .parts_by<&add_operations>()
        .not_in_csv(),
    array<&ConnectionSide::states>("states", kState, "that its queue pair went to").not_in_csv());

constexpr auto kConnectionColumns = columns<Connection>(
    number<&Connection::number>("number", "from 1, in the order of their first packets").titled("no."),
    text<&Connection::transport>("transport", "RC, UC or XRC").titled("transport"),
    text<&Connection::paired_by>(
        "paired_by",
        "how its two directions were found: cm, exchange, oob, psn, port, unpaired: the strongest evidence first")
        .titled("paired"),
    number<&Connection::overlay_id>("overlay_id", "VNI, 0 outside tunnels"),
    number<&Connection::handshake>("handshake", "the number of the handshake that set it up")
        .unless_zero()
        .not_in_csv(),
    number<&Connection::path_mtu>("path_mtu", "from the CM or from packets").bytes().unless_zero().titled("MTU"),
    number<&Connection::capture_point>("capture_point", "where it was seen: a number of capture_points")
        .titled("point"),
    boolean<[](const Connection& row) { return row.repeated; }>(
        "repeated", "another capture point sees these two hosts as well: totals of hosts count them there"),
    boolean<[](const Connection& row) { return row.unsure; }>(
        "unsure",
        "copies of its packets are not known from packets that were sent again: what is counted is an estimate"),
    time<&Connection::first_time>("first_time", "of its first packet"),
    time<&Connection::last_time>("last_time", "of its last packet"),
    array<&Connection::sides>("sides", kSide, "two: each sends to the queue pair of the other").csv("side"));

}  // namespace

constinit const Rows<QpTransition> kState{{"state", "a state that a queue pair went to", kStateColumns}};
constinit const Rows<ConnectionSide> kSide{{"side", "what one side of a connection sent", kSideColumns}};
constinit const Rows<Connection> kConnection{{"connection", "a pair of queue pairs", kConnectionColumns}};

}  // namespace rocescope::schema
