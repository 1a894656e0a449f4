#include "metrics/metric_table.hpp"

namespace rocescope::metrics {
namespace {

using enum Type;
using enum Source;

/// A member of the totals.
template <auto member>
void total(const Shown& shown, const AddSample& add) {
  add({}, shown.total.*member);
}

Sample sample_of(std::uint64_t number) { return number; }
Sample sample_of(const Histogram& times) { return &times; }

/// A member of each operation's commands.
template <auto member>
void of_commands(const Shown& shown, const AddSample& add) {
  for (const LiveCommands& each : shown.commands) {
    const std::string_view operation = each.operation.empty() ? "unknown" : each.operation;
    const Labels labels = {{"protocol", to_string(each.protocol)}, {"operation", operation}};
    add(labels, sample_of(each.*member));
  }
}

void findings(const Shown& shown, const AddSample& add) {
  for (const auto& [info, count] : shown.findings) {
    add({{"id", info->name}, {"severity", to_string(info->severity)}}, count);
  }
}

void evicted(const Shown& shown, const AddSample& add) {
  add({{"reason", "idle"}}, shown.total.evicted_idle);
  add({{"reason", "crowded"}}, shown.total.evicted_crowded);
}

void received(const Shown& shown, const AddSample& add) {
  for (std::size_t i = 0; i < shown.interfaces.size(); ++i) {
    add({{"interface", shown.interfaces[i]}}, shown.counters[i].received);
  }
}

void dropped(const Shown& shown, const AddSample& add) {
  for (std::size_t i = 0; i < shown.interfaces.size(); ++i) {
    const LiveCounters& counters = shown.counters[i];
    add({{"interface", shown.interfaces[i]}, {"by", "kernel"}}, counters.dropped_by_kernel);
    add({{"interface", shown.interfaces[i]}, {"by", "interface"}}, counters.dropped_by_interface);
    add({{"interface", shown.interfaces[i]}, {"by", "analysis"}}, counters.not_analysed);
  }
}

constexpr Metric kMetrics[] = {
    {"packets_total", kCounter, kCapture, "Packets", "",
     [](const Shown& shown, const AddSample& add) { add({}, shown.total.traffic.packets); }},
    {"bytes_total", kCounter, kCapture, "Bytes of packets on the wire", "",
     [](const Shown& shown, const AddSample& add) { add({}, shown.total.traffic.bytes); }},
    {"roce_packets_total", kCounter, kCapture, "RoCE packets", "",
     [](const Shown& shown, const AddSample& add) { add({}, shown.total.roce.packets); }},
    {"roce_bytes_total", kCounter, kCapture, "Bytes of RoCE packets on the wire", "",
     [](const Shown& shown, const AddSample& add) { add({}, shown.total.roce.bytes); }},
    {"retransmitted_packets_total", kCounter, kCapture, "Requests and READ responses that were sent again",
     "requests and READ responses sent again", total<&LiveTotals::retransmitted_packets>},
    {"naks_total", kCounter, kCapture, "NAKs and RNR NAKs", "RNR NAKs included", total<&LiveTotals::naks>},
    {"cnps_total", kCounter, kCapture, "Congestion notification packets", "", total<&LiveTotals::cnps>},
    {"ce_packets_total", kCounter, kCapture, "RoCE packets that a switch marked", "that a switch marked",
     total<&LiveTotals::ce_packets>},
    {"findings_total", kCounter, kFindings, "Findings, once for each connection and direction",
     "label id: its name, as `rocescope explain` has it; label severity: note, warning, error. Each is counted once "
     "for each connection and direction.",
     findings},
    {"commands_total", kCounter, kCommands, "Commands of protocols above RoCE that are over",
     "labels protocol, operation: commands that are over, such as Read of NVMe-oF. None of these six has a value "
     "before a connection is known to carry them.",
     of_commands<&LiveCommands::over>},
    {"failed_commands_total", kCounter, kCommands, "Of these, with a status other than success",
     "the same labels: with a status other than success", of_commands<&LiveCommands::failed>},
    {"command_bytes_total", kCounter, kCommands, "Bytes of data of commands that succeeded",
     "the same labels: data of those that succeeded, without those of the next", of_commands<&LiveCommands::bytes>},
    {"unsized_commands_total", kCounter, kCommands, "Commands that succeeded, where the capture cut how many bytes",
     "the same labels: that succeeded, where the capture (-s) cut how many bytes they name",
     of_commands<&LiveCommands::unsized>},
    {"command_latency_seconds", kHistogram, kCommandTimes, "From the first packet of a command to its response",
     "the same labels: histogram of the times from the first packet of a command to its response. Bounds are powers of "
     "two: 8.192 us to 8.59 s.",
     of_commands<&LiveCommands::latency>},
    {"outstanding_commands", kGauge, kCommands, "Without a response", "gauge, the same labels: without a response",
     of_commands<&LiveCommands::outstanding>},
    {"active_connections", kGauge, kCapture, "With packets in the last interval",
     "gauge: that had packets in the last interval",
     [](const Shown& shown, const AddSample& add) { add({}, shown.active); }},
    {"followed_connections", kGauge, kCapture, "That are not evicted", "gauge: that are not evicted",
     [](const Shown& shown, const AddSample& add) { add({}, shown.followed); }},
    {"evicted_connections_total", kCounter, kCapture, "Connections that are not followed any more",
     "label reason: idle (--idle-timeout), crowded (--max-connections)", evicted},
    {"interface_received_packets_total", kCounter, kInterfaces, "Packets that passed the filter",
     "label interface: that passed the filter, whatever the report is about", received},
    {"interface_dropped_packets_total", kCounter, kInterfaces, "Packets that the capture lost",
     "labels interface; by: kernel, interface, analysis (they are written, with -w, but came too fast)", dropped},
    {"build_info", kGauge, kCapture, "Always 1", "gauge, always 1; label version",
     [](const Shown& shown, const AddSample& add) {
       add({{"version", shown.version}}, std::uint64_t{1});
     }},
};

}  // namespace

std::span<const Metric> metric_table() noexcept { return kMetrics; }

}  // namespace rocescope::metrics
