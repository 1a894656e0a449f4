// Metrics through prometheus-cpp.
#include <prometheus/client_metric.h>
#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/metric_family.h>
#include <prometheus/metric_type.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "metrics/live_metrics.hpp"

namespace rocescope::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

/// The current families. Threads of the server fetch them.
class Numbers final : public prometheus::Collectable {
 public:
  explicit Numbers(std::string_view version) : version_(version) {}

  void set(const LiveUpdate& update) {
    const std::scoped_lock lock(mutex_);
    total_ = update.total;
    commands_ = update.total_commands;
    active_ = update.connections.size();
    followed_ = update.followed;
    interfaces_ = update.interfaces;
    counters_ = update.counters;
    for (const Finding& finding : update.findings) ++findings_[finding.info];
  }

  [[nodiscard]] std::vector<MetricFamily> Collect() const override {
    const std::scoped_lock lock(mutex_);
    std::vector<MetricFamily> families = {
        counter("packets_total", "Packets", total_.traffic.packets),
        counter("bytes_total", "Bytes of packets on the wire", total_.traffic.bytes),
        counter("roce_packets_total", "RoCE packets", total_.roce.packets),
        counter("roce_bytes_total", "Bytes of RoCE packets on the wire", total_.roce.bytes),
        counter("retransmitted_packets_total", "Requests and READ responses that were sent again",
                total_.retransmitted_packets),
        counter("naks_total", "NAKs and RNR NAKs", total_.naks),
        counter("cnps_total", "Congestion notification packets", total_.cnps),
        counter("ce_packets_total", "RoCE packets that a switch marked", total_.ce_packets),
    };
    MetricFamily active = family("active_connections", "With packets in the last interval", MetricType::Gauge);
    add(active, {}, active_);
    MetricFamily followed = family("followed_connections", "That are not evicted", MetricType::Gauge);
    add(followed, {}, followed_);
    MetricFamily evicted =
        family("evicted_connections_total", "Connections that are not followed any more", MetricType::Counter);
    add(evicted, {{"reason", "idle"}}, total_.evicted_idle);
    add(evicted, {{"reason", "crowded"}}, total_.evicted_crowded);
    MetricFamily build = family("build_info", "Always 1", MetricType::Gauge);
    add(build, {{"version", version_}}, 1);
    families.insert(families.end(), {std::move(active), std::move(followed), std::move(evicted), std::move(build),
                                     findings(), received(), dropped()});
    add_commands(families);
    return families;
  }

 private:
  static MetricFamily family(const std::string& name, std::string help, MetricType type) {
    return {"rocescope_" + name, std::move(help), type, {}};
  }
  static void add(MetricFamily& family, Labels labels, std::uint64_t value) {
    ClientMetric metric;
    metric.label = std::move(labels);
    (family.type == MetricType::Gauge ? metric.gauge.value : metric.counter.value) = static_cast<double>(value);
    family.metric.push_back(std::move(metric));
  }
  static MetricFamily counter(const std::string& name, std::string help, std::uint64_t value) {
    MetricFamily result = family(name, std::move(help), MetricType::Counter);
    add(result, {}, value);
    return result;
  }

  [[nodiscard]] MetricFamily findings() const {
    MetricFamily result =
        family("findings_total", "Findings, once for each connection and direction", MetricType::Counter);
    for (const auto& [info, count] : findings_) {
      add(result, {{"id", std::string(info->name)}, {"severity", std::string(to_string(info->severity))}}, count);
    }
    return result;
  }
  void add_commands(std::vector<MetricFamily>& families) const {
    MetricFamily over = family("commands_total", "Commands of protocols above RoCE that are over", MetricType::Counter);
    MetricFamily failed =
        family("failed_commands_total", "Of these, with a status other than success", MetricType::Counter);
    MetricFamily bytes = family("command_bytes_total", "Bytes of data of commands that succeeded", MetricType::Counter);
    MetricFamily unsized = family("unsized_commands_total",
                                  "Commands that succeeded, where the capture cut how many bytes", MetricType::Counter);
    MetricFamily outstanding = family("outstanding_commands", "Without a response", MetricType::Gauge);
    MetricFamily latency =
        family("command_latency_seconds", "From the first packet of a command to its response", MetricType::Histogram);
    for (const LiveCommands& each : commands_) {
      const Labels labels = {{"protocol", std::string(to_string(each.protocol))},
                             {"operation", each.operation.empty() ? "unknown" : std::string(each.operation)}};
      add(over, labels, each.over);
      add(failed, labels, each.failed);
      add(bytes, labels, each.bytes);
      add(unsized, labels, each.unsized);
      add(outstanding, labels, each.outstanding);
      latency.metric.push_back({.label = labels, .histogram = seconds(each.latency)});
    }
    families.insert(families.end(), {std::move(over), std::move(failed), std::move(bytes), std::move(unsized),
                                     std::move(outstanding), std::move(latency)});
  }
  /// By powers of two, from 8 microseconds to 8 seconds: so they are counted exactly.
  static ClientMetric::Histogram seconds(const Histogram& times) {
    constexpr double kSecond = 1e9;
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 13U;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 33U;
    ClientMetric::Histogram histogram;
    histogram.sample_count = times.count();
    histogram.sample_sum = static_cast<double>(times.sum()) / kSecond;
    const std::vector<Histogram::Octave> octaves = times.octaves();
    auto octave = octaves.begin();
    std::uint64_t below = 0;
    for (std::uint64_t bound = kLeast; bound <= kMost; bound *= 2) {
      for (; octave != octaves.end() && octave->at_least < bound; ++octave) below += octave->count;
      histogram.bucket.push_back({.cumulative_count = below, .upper_bound = static_cast<double>(bound) / kSecond});
    }
    histogram.bucket.push_back(
        {.cumulative_count = histogram.sample_count, .upper_bound = std::numeric_limits<double>::infinity()});
    return histogram;
  }
  [[nodiscard]] MetricFamily received() const {
    MetricFamily result =
        family("interface_received_packets_total", "Packets that passed the filter", MetricType::Counter);
    for (std::size_t i = 0; i < interfaces_.size(); ++i)
      add(result, {{"interface", interfaces_[i]}}, counters_[i].received);
    return result;
  }
  [[nodiscard]] MetricFamily dropped() const {
    MetricFamily result =
        family("interface_dropped_packets_total", "Packets that the capture lost", MetricType::Counter);
    for (std::size_t i = 0; i < interfaces_.size(); ++i) {
      add(result, {{"interface", interfaces_[i]}, {"by", "kernel"}}, counters_[i].dropped_by_kernel);
      add(result, {{"interface", interfaces_[i]}, {"by", "interface"}}, counters_[i].dropped_by_interface);
      add(result, {{"interface", interfaces_[i]}, {"by", "analysis"}}, counters_[i].not_analysed);
    }
    return result;
  }

  mutable std::mutex mutex_;
  std::string version_;
  LiveTotals total_;
  std::vector<LiveCommands> commands_;
  std::size_t active_ = 0;
  std::size_t followed_ = 0;
  std::vector<std::string> interfaces_;
  std::vector<LiveCounters> counters_;
  std::map<const FindingInfo*, std::uint64_t> findings_;
};

class PrometheusMetrics final : public LiveMetrics {
 public:
  /// Throws what prometheus-cpp throws.
  PrometheusMetrics(const std::string& host, const std::string& port, std::string_view version)
      : numbers_(std::make_shared<Numbers>(version)), exposer_(host + ":" + port, kThreads) {
    exposer_.RegisterCollectable(numbers_);
    const std::vector<int> ports = exposer_.GetListeningPorts();
    url_ = "http://" + host + ":" + (ports.empty() ? port : std::to_string(ports.front())) + "/metrics";
  }

  void show(const LiveUpdate& update) override { numbers_->set(update); }
  [[nodiscard]] const std::string& url() const override { return url_; }

 private:
  static constexpr std::size_t kThreads = 2;

  std::shared_ptr<Numbers> numbers_;
  prometheus::Exposer exposer_;
  std::string url_;
};

bool is_port(std::string_view text) {
  constexpr int kLast = 65535;
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
         std::stoi(std::string(text)) <= kLast;
}

}  // namespace

Result<std::unique_ptr<LiveMetrics>> serve(const std::string& address, std::string_view version) {
  const std::size_t colon = address.rfind(':');
  const std::string port = colon == std::string::npos ? address : address.substr(colon + 1);
  std::string host = colon == std::string::npos ? "" : address.substr(0, colon);
  if (host.empty()) host = "127.0.0.1";
  if (!is_port(port)) return Error{"metrics need ADDRESS:PORT such as 127.0.0.1:9417, not '" + address + "'"};
  try {
    return std::unique_ptr<LiveMetrics>(std::make_unique<PrometheusMetrics>(host, port, version));
  } catch (const std::exception&) {  // its text speaks of a null context only
    // No header says whether civetweb has IPv6: it depends on its build.
    const char* why = host.starts_with('[')
                          ? "this host does not have the address, the port is in use, or the web server of this build "
                            "(civetweb) was made without IPv6"
                          : "this host does not have the address, or the port is in use";
    return Error{"cannot serve metrics at " + host + ":" + port + ": " + why};
  }
}

}  // namespace rocescope::metrics
