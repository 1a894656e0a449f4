// The whole report, and what is left of evicted connections.
#include "schema/make_column.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kEvictedFlowColumns = columns<EvictedFlows>(number<&EvictedFlows::flows>("flows", "how many").sum(),
                                                           members<&EvictedFlows::all>(kFlow).totals());
constexpr auto kEvictedUdFlowColumns = columns<EvictedUdFlows>(
    number<&EvictedUdFlows::flows>("flows", "how many").sum(), members<&EvictedUdFlows::all>(kUdFlow).totals());
constexpr auto kEvictedRegionColumns = columns<EvictedRegions>(
    number<&EvictedRegions::regions>("regions", "how many").sum(), members<&EvictedRegions::all>(kRegion).totals());
constinit const Rows<EvictedFlows> kEvictedFlows{
    {"evicted_flows", "the packets of evicted flows", kEvictedFlowColumns}};
constinit const Rows<EvictedUdFlows> kEvictedUdFlows{
    {"evicted_ud_flows", "the datagrams of evicted flows", kEvictedUdFlowColumns}};
constinit const Rows<EvictedRegions> kEvictedRegions{
    {"evicted_regions", "the requests to evicted memory regions", kEvictedRegionColumns}};

constexpr auto kEvictedColumns = columns<EvictedTotals>(
    number<&EvictedTotals::connections>("connections", "how many").sum(),
    number<&EvictedTotals::crowded>("crowded", "of these: not idle, but there were more than --max-connections").sum(),
    number<&EvictedTotals::handshakes>("handshakes", "evicted as well").sum(),
    number<&EvictedTotals::unlisted_findings>("unlisted_findings", "about them, too many to be listed").sum(),
    members<&EvictedTotals::sides>(kSide).totals().parts<kSide>(),
    object<&EvictedTotals::flows>("flows", kEvictedFlows, "flows that were evicted"),
    object<&EvictedTotals::ud_flows>("ud_flows", kEvictedUdFlows, "flows of datagrams that were evicted"),
    object<&EvictedTotals::regions>("memory_regions", kEvictedRegions, "memory regions that were evicted"));

/// What the tracker found is a part of the report.
template <auto member>
const auto& tracked(const Report& report) {
  return report.*member;
}

template <auto member>
const auto& commands(const Report& report) {
  return report.commands.*member;
}

/// A number of the tracker.
template <auto member>
constexpr auto tracked_number(std::string_view name, std::string_view help) {
  return number<&tracked<member>>(name, help)
      .template parts_by<[](Report& into, const Report& from) { into.*member += from.*member; }>();
}

constexpr auto kUntrackedColumns = columns<Report>(
    object<&Report::untracked_protocols>("protocols", kTraffic, "packets with further protocols").parts<kTraffic>(),
    object<&Report::untracked_flows>("flows", kTraffic, "packets of further flows").parts<kTraffic>(),
    object<&Report::untracked_ud_flows>("ud_flows", kTraffic, "further datagrams").parts<kTraffic>(),
    tracked_number<&Tracking::untracked_connection_packets>("connection_packets", "of further connections").packets(),
    tracked_number<&Tracking::untracked_region_requests>("memory_region_requests",
                                                         "requests to further memory regions"),
    tracked_number<&Tracking::untracked_host_packets>("host_packets", "of further pairs of hosts").packets(),
    tracked_number<&Tracking::untracked_pause_frames>("pause_frames", "of further ports").packets(),
    tracked_number<&Tracking::unlisted_handshakes>("handshake_messages", "of further handshakes"),
    number<&Report::unlisted_cm_events>("cm_messages", "further CM messages").sum(),
    number<&Report::commands, &CommandReport::unlisted>("commands", "that commands.csv leaves out; totals have them")
        .sum(),
    number<&Report::commands, &CommandReport::unlisted_carried>("carried",
                                                                "further connections whose protocol is known")
        .sum(),
    number<&Report::uncompared_packets>("point_comparison_packets",
                                        "of further flows that two capture points may have seen")
        .packets()
        .not_added());

constexpr auto kReportColumns = columns<Report>(
    text<[](const Report&) { return std::string_view("report"); }>("type", "report"),
    number<[](const Report&) { return kReportSchema; }>(
        "schema", "changes when a column changes its meaning or goes away, not when columns are added"),
    number<&Report::packets_read>("packets_read", "before -Y, --from, --to, --host, --qpn, --connection").packets(),
    object<&Report::totals>("totals", kCaptureTotals, "of all captures together, after narrowing"),
    array<&Report::captures>("captures", kCapture, "one a file"),
    array<&Report::capture_points>("capture_points", kCapturePoint,
                                   "where packets were seen: more than one where the captures show packets twice"),
    array<&Report::comparisons>("point_comparisons", kComparison, "of flows that two capture points saw"),
    array<&Report::protocols>("protocols", kProtocol, "the outermost ones"),
    array<&Report::other_packets>("other_packets", kOtherPackets, "packets without RoCE, by innermost protocol"),
    array<&Report::operations>("operations", kOperationCount, "by opcode"),
    array<&Report::findings>("findings", kFinding, "the worst connection first, of each the cause first"),
    array<&tracked<&Tracking::connections>>("connections", kConnection, "those with the most trouble first"),
    object<&Report::evicted>("evicted", kEvicted, "connections that were followed for a time, added up"),
    times<[](const Report& row) { return row.times.all(); }>(kTime,
                                                             "of all connections, evicted ones as well, by kind"),
    object<&tracked<&Tracking::rates>>("rates", kRates, "of all RoCE packets"),
    array<&tracked<&Tracking::host_rates>>("host_rates", kHostRates, "most bytes first"),
    array<&tracked<&Tracking::hosts>>("nic_counters", kHost, "what NICs would have counted, by address"),
    object<&tracked<&Tracking::congestion>>("congestion", kCongestionTotals, "of the whole capture"),
    array<&tracked<&Tracking::pauses>>("pauses", kPause, "PFC and PAUSE by port and class"),
    array<&tracked<&Tracking::memory_regions>>("memory_regions", kRegion, "most bytes moved first"),
    array<&commands<&CommandReport::carried>>("carried", kCarried, "what connections carry, by connection"),
    array<&commands<&CommandReport::totals>>("command_totals", kCommandTotals, "by protocol, operation and size"),
    array<&commands<&CommandReport::failures>>("command_failures", kCommandFailures, "the most frequent first"),
    array<&commands<&CommandReport::slowest>>("slowest_commands", kCommand,
                                              "ten of them, the slowest first; commands.csv has all"),
    array<&Report::flows>("flows", kFlow, "most bytes first"),
    array<&Report::ud_flows>("ud_flows", kUdFlow, "datagrams of applications, most messages first"),
    array<&tracked<&Tracking::handshakes>>("handshakes", kHandshake, "in the order of the capture"),
    array<&Report::cm_events>("cm_messages", kCmMessage, "in the order of the capture"),
    object<&Report::icrc>("icrc", kIcrc, "the invariant CRCs"),
    array<&Report::stops>("stops", kStop, "dissection that ended early, the most frequent first"),
    object<[](const Report& row) { return &row; }>("untracked", kUntracked, "what tables at their limit left out"));

}  // namespace

constinit const Rows<Report> kUntracked{
    {"untracked", "what tables left out that were at their limit", kUntrackedColumns}};
constinit const Rows<EvictedTotals> kEvicted{
    {"evicted", "connections that were followed for a time, added up", kEvictedColumns}};
constinit const Rows<Report> kReport{{"report", "all that analyze concludes", kReportColumns}};

}  // namespace rocescope::schema
