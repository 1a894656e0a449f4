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
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "metrics/live_metrics.hpp"
#include "metrics/metric_table.hpp"

namespace rocescope::metrics {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;

prometheus::MetricType type_of(Type type) {
  switch (type) {
    case Type::kCounter:
      return prometheus::MetricType::Counter;
    case Type::kGauge:
      return prometheus::MetricType::Gauge;
    case Type::kHistogram:
      break;
  }
  return prometheus::MetricType::Histogram;
}

/// By powers of two, from 8 microseconds to 8 seconds: so they are counted exactly.
ClientMetric::Histogram seconds(const Histogram& times) {
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

ClientMetric client_metric(Type type, const Labels& labels, Sample sample) {
  ClientMetric metric;
  for (const auto& [name, value] : labels) metric.label.push_back({std::string(name), std::string(value)});
  if (const auto* const times = std::get_if<const Histogram*>(&sample)) {
    metric.histogram = seconds(**times);
  } else {
    (type == Type::kGauge ? metric.gauge.value : metric.counter.value) =
        static_cast<double>(std::get<std::uint64_t>(sample));
  }
  return metric;
}

MetricFamily family_of(const Metric& metric, const Shown& shown) {
  MetricFamily family{"rocescope_" + std::string(metric.name), std::string(metric.help), type_of(metric.type), {}};
  metric.collect(shown, [&](const Labels& labels, Sample sample) {
    family.metric.push_back(client_metric(metric.type, labels, sample));
  });
  return family;
}

/// The current families. Threads of the server fetch them.
class Numbers final : public prometheus::Collectable {
 public:
  explicit Numbers(std::string_view version) { shown_.version = version; }

  void set(const LiveUpdate& update) {
    const std::scoped_lock lock(mutex_);
    shown_.total = update.total;
    shown_.commands = update.total_commands;
    shown_.active = update.connections.size();
    shown_.followed = update.followed;
    shown_.interfaces = update.interfaces;
    shown_.counters = update.counters;
    for (const Finding& finding : update.findings) ++shown_.findings[finding.info];
  }

  [[nodiscard]] std::vector<MetricFamily> Collect() const override {
    const std::scoped_lock lock(mutex_);
    std::vector<MetricFamily> families;
    for (const Source source : kSources) {
      for (const Metric& metric : metric_table()) {
        if (metric.source == source) families.push_back(family_of(metric, shown_));
      }
    }
    return families;
  }

 private:
  mutable std::mutex mutex_;
  Shown shown_;
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
