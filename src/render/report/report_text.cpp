#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "render/report/report_sections.hpp"
#include "render/value_text.hpp"
#include "rocescope/render.hpp"
#include "rocescope/text.hpp"

namespace rocescope::render {
using text::count;
using text::duration;
using text::quantity;

void ReportPage::title(std::string_view text) {
  {
    const Toned toned(Tone::kTitle, options_.color, out_);
    out_ += text;
  }
  out_ += '\n';
}

void ReportPage::section(std::string_view title_text) {
  out_ += '\n';
  title(title_text);
}

void ReportPage::fact(std::string_view label, std::string_view text, Tone tone) {
  fmt::format_to(std::back_inserter(out_), "  {:<10} ", label);
  {
    const Toned toned(tone, options_.color, out_);
    out_ += text;
  }
  out_ += '\n';
}

void ReportPage::note(std::string_view text) { fmt::format_to(std::back_inserter(out_), "  {}\n", text); }

void ReportPage::rest(std::size_t rows, std::string_view what) {
  const std::size_t left = rows - shown(rows);
  if (left > 0) note(fmt::format("... and {} more {} (-v shows all)", count(left), what));
}

std::string bytes(std::uint64_t number) { return quantity(static_cast<double>(number), "B"); }

std::string duration_text(const CaptureTotals& totals) {
  constexpr std::uint64_t kLongest = std::numeric_limits<std::int64_t>::max();
  return duration(static_cast<std::int64_t>(std::min(totals.duration(), kLongest)));
}

SecondsSince::SecondsSince(const Report& report)
    : start_(report.start.value_or(report.totals.first_time.value_or(0))),
      decimals_(report.totals.duration() < 1'000'000'000 ? 6 : 3) {}

std::string SecondsSince::operator()(std::int64_t time) const {
  std::string text;
  // Modulo 2^64: hostile time stamps may lie further apart than 63 bits of nanoseconds.
  const auto since = static_cast<std::int64_t>(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(start_));
  append_seconds(since, decimals_, text);
  return text;
}

std::string safe_text(std::string_view text) {
  std::string out;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): char and uint8_t alias
  append_text({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, out);
  return out;
}

void append_report_text(const Report& report, std::string& out, const ReportTextOptions& options) {
  ReportPage page(options, out);
  append_summary(report, page);
  append_findings(report, page);
  append_connections(report, page);
  append_comparisons(report, page);
  if (options.detail) append_states(report, page);
  append_ud_flows(report, page);
  append_handshakes(report, page);
  append_times(report, page);
  append_rates(report, page);
  if (options.detail) append_congestion(report, page);
  append_cm(report, page);
  if (options.detail) append_counters(report, page);
  if (options.detail) append_regions(report, page);
  const bool roce = report.totals.roce.packets > 0;
  const bool damaged = std::any_of(report.captures.begin(), report.captures.end(),
                                   [](const CaptureReport& capture) { return !capture.info.warnings.empty(); });
  if (options.detail || !roce || damaged) append_captures(report, page);
  if (options.detail || !roce) append_protocols(report, page);
  if (options.detail) append_operations(report, page);
  if (options.detail || report.connections.empty()) append_flows(report, page);
  append_stops(report, page);
}

}  // namespace rocescope::render
