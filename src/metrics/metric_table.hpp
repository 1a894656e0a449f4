// Every metric once: the exporter and the manual walk one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/live_update.hpp"

namespace rocescope::metrics {

/// What the metrics show: the last update, and what is counted over all.
struct Shown {
  std::string version;  ///< of the program
  LiveTotals total;
  std::vector<LiveCommands> commands;
  std::size_t active = 0;    ///< connections
  std::size_t followed = 0;  ///< connections
  std::vector<std::string> interfaces;
  std::vector<LiveCounters> counters;  ///< of the interfaces
  std::map<const FindingInfo*, std::uint64_t> findings;
};

enum class Type : std::uint8_t { kCounter, kGauge, kHistogram };

/// What a metric is about. The exporter serves metrics of one source together, in this order.
enum class Source : std::uint8_t { kCapture, kFindings, kInterfaces, kCommands, kCommandTimes };
inline constexpr Source kSources[] = {Source::kCapture, Source::kFindings, Source::kInterfaces, Source::kCommands,
                                      Source::kCommandTimes};

/// Names with their values.
using Labels = std::vector<std::pair<std::string_view, std::string_view>>;
/// A number, or the times of a histogram.
using Sample = std::variant<std::uint64_t, const Histogram*>;
using AddSample = std::function<void(const Labels& labels, Sample sample)>;

struct Metric {
  std::string_view name;  ///< behind `rocescope_`
  Type type = Type::kCounter;
  Source source = Source::kCapture;
  std::string_view help;    ///< for Prometheus
  std::string_view manual;  ///< labels and meaning, for the manual; empty: the name says it all
  void (*collect)(const Shown& shown, const AddSample& add) = nullptr;
};

/// In the order of the manual.
[[nodiscard]] std::span<const Metric> metric_table() noexcept;

}  // namespace rocescope::metrics
