#include <cstddef>
#include <string>
#include <vector>

#include "metrics/live_metrics.hpp"
#include "metrics/metric_table.hpp"
#include "text/wrap.hpp"

namespace rocescope::metrics {
namespace {

std::string full_name(const Metric& metric) { return "rocescope_" + std::string(metric.name); }

/// Appends the meaning beside `name`, or below it where the name is too long for its column.
void append_metric(const std::string& name, std::string_view meaning, std::string& out) {
  constexpr std::size_t kNameWidth = 26;
  constexpr std::size_t kMeaningWidth = 51;
  const std::string new_line = "\n" + std::string(2 + kNameWidth, ' ');
  out += "\n  " + name;
  if (meaning.empty()) return;
  std::string before = name.size() < kNameWidth ? std::string(kNameWidth - name.size(), ' ') : new_line;
  for (const std::string& line : text::wrap(meaning, kMeaningWidth)) {
    out += before + line;
    before = new_line;
  }
}

}  // namespace

const std::string& documentation() {
  static const std::string kText = [] {
    std::string text = R"(
http://ADDRESS:PORT/metrics serves these, updated once a second or as often as --every says. Labels have few values:
the interfaces of the capture, the IDs of findings, and protocols above RoCE with their operations. Counters count the
packets of the report, since the start.
)";
    const std::span<const Metric> metrics = metric_table();
    for (auto metric = metrics.begin(); metric != metrics.end(); ++metric) {
      std::string name = full_name(*metric);
      const auto next = metric + 1;
      const bool share_line = metric->manual.empty() && next != metrics.end() && next->manual.empty();
      if (share_line) name += ", " + full_name(*++metric);
      append_metric(name, metric->manual, text);
    }
    return text;
  }();
  return kText;
}

}  // namespace rocescope::metrics
