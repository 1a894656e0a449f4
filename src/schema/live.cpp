// What is new in a live capture.
#include <optional>
#include <vector>

#include "schema/make_column.hpp"
#include "schema/per_second.hpp"
#include "schema/tables.hpp"

namespace rocescope::schema {
namespace {

constexpr auto kLiveTotalsColumns = columns<LiveTotals>(
    members<&LiveTotals::traffic>(kTraffic).parts<kTraffic>(),
    members<&LiveTotals::roce>(kTraffic, "roce_").parts<kTraffic>(),
    number<&LiveTotals::retransmitted_packets>("retransmitted_packets", "requests and READ responses sent again")
        .packets()
        .sum(),
    number<&LiveTotals::naks>("naks", "NAKs and RNR NAKs").packets().sum(),
    number<&LiveTotals::cnps>("cnps", "CNPs").packets().sum(),
    number<&LiveTotals::ce_packets>("ce_packets", "RoCE packets that a switch marked").packets().sum(),
    number<&LiveTotals::evicted_idle>("evicted_idle", "connections that were evicted because they were idle").sum(),
    number<&LiveTotals::evicted_crowded>("evicted_crowded",
                                         "connections that were evicted because of --max-connections")
        .sum());

constexpr auto kGoneColumns = columns<GoneConnection>(
    number<&GoneConnection::number>("number", "its number"),
    number<&GoneConnection::part_of>("part_of", "the connection that it is a direction of; absent: it was evicted")
        .unless_zero());

constexpr auto kLiveInterfaceColumns = columns<LiveInterface>(
    text<&LiveInterface::name>("name", "of the interface"),
    number<&LiveInterface::counters, &LiveCounters::received>("received_packets", "that passed the capture filter")
        .packets(),
    number<&LiveInterface::counters, &LiveCounters::dropped_by_kernel>("dropped_by_kernel",
                                                                       "of these, for which the buffer had no room")
        .packets(),
    number<&LiveInterface::counters, &LiveCounters::dropped_by_interface>("dropped_by_interface",
                                                                          "that the kernel never saw")
        .packets(),
    number<&LiveInterface::counters, &LiveCounters::not_analysed>("not_analysed", "that were written only").packets());

std::vector<LiveInterface> interfaces_of(const LiveUpdate& update) {
  std::vector<LiveInterface> interfaces;
  for (std::size_t i = 0; i < update.interfaces.size(); ++i) {
    interfaces.push_back({update.interfaces[i], update.counters[i]});
  }
  return interfaces;
}

template <auto member>
auto of_commands(const LiveCommandRates& row) {
  return row.commands.*member;
}
template <auto member>
std::uint64_t per_second_of(const LiveCommandRates& row) {
  return whole_per_second(row.commands.*member, row.duration);
}
std::optional<std::uint64_t> live_byte_rate_of(const LiveCommandRates& row) {
  return row.commands.unsized > 0 ? std::nullopt : std::optional(per_second_of<&LiveCommands::bytes>(row));
}
template <std::uint64_t per_mille>
std::optional<std::int64_t> latency_of(const LiveCommandRates& row) {
  const Histogram& times = row.commands.latency;
  return times.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(times.quantile(per_mille)));
}

constexpr auto kLiveCommandColumns = columns<LiveCommandRates>(
    text<&of_commands<&LiveCommands::protocol>>("protocol", "NVMe-oF ..."),
    text<&of_commands<&LiveCommands::operation>>("operation", "Read, Write ...; empty: not known"),
    number<&of_commands<&LiveCommands::over>>("commands", "that were over in the interval: their response came"),
    number<&of_commands<&LiveCommands::failed>>("failed", "of them, with a status other than success"),
    number<&of_commands<&LiveCommands::bytes>>("bytes", "of data of those that succeeded, except those of unsized")
        .bytes(),
    number<&of_commands<&LiveCommands::unsized>>("unsized",
                                                 "of those that succeeded: the capture cut how many bytes they name"),
    number<&per_second_of<&LiveCommands::over>>("commands_per_second", "of the interval, rounded"),
    number<&live_byte_rate_of>("bytes_per_second", "of the interval, rounded; absent: some are unsized").bytes(),
    duration<&latency_of<500>>("latency_p50", "of them: half take no longer"),
    duration<&latency_of<990>>("latency_p99", "99 in 100 take no longer"),
    number<&of_commands<&LiveCommands::outstanding>>("outstanding",
                                                     "commands without a response at the end of the interval"));

std::vector<LiveCommandRates> commands_of(const LiveUpdate& update) {
  std::vector<LiveCommandRates> rows;
  for (const LiveCommands& commands : update.commands) rows.push_back({commands, update.duration});
  return rows;
}

constexpr auto kIntervalColumns = columns<LiveUpdate>(
    text<[](const LiveUpdate&) { return std::string_view("interval"); }>("type", "interval"),
    time<&LiveUpdate::time>("time", "of writing"),
    number<[](const LiveUpdate&) { return kLiveSchema; }>("schema", "as \"schema\" of the report"),
    duration<&LiveUpdate::duration>("duration", "of the interval"), members<&LiveUpdate::interval>(kLiveTotals),
    number<[](const LiveUpdate& row) { return row.connections.size(); }>("connections",
                                                                         "how many lines of that type follow"),
    number<[](const LiveUpdate& row) { return row.findings.size(); }>("findings", "how many lines of that type follow"),
    number<&LiveUpdate::followed>("followed", "connections that are followed now"),
    array<&LiveUpdate::gone>("gone", kGone, "connections of earlier lines that no later line has"),
    object<&LiveUpdate::total>("total", kLiveTotals, "since the start"),
    array<&interfaces_of>("interfaces", kLiveInterface, "since the start"),
    array<&commands_of>("commands", kLiveCommands, "by protocol and operation; empty: none is known"));

}  // namespace

constinit const Rows<LiveTotals> kLiveTotals{{"live_totals", "what was counted over some time", kLiveTotalsColumns}};
constinit const Rows<GoneConnection> kGone{
    {"gone", "a connection that is followed no longer; a later packet of one that was evicted begins another",
     kGoneColumns}};
constinit const Rows<LiveInterface> kLiveInterface{
    {"live_interface", "an interface and what it had since it was opened", kLiveInterfaceColumns}};
constinit const Rows<LiveCommandRates> kLiveCommands{
    {"live_commands", "the commands of one operation of a protocol", kLiveCommandColumns}};
constinit const Rows<LiveUpdate> kInterval{
    {"interval", "what is new since the line of this type before; the first of the lines of one time",
     kIntervalColumns}};

}  // namespace rocescope::schema
