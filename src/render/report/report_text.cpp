#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "render/report/report_sections.hpp"
#include "render/value_text.hpp"
#include "rocescope/render.hpp"
#include "rocescope/text.hpp"
#include "text/append.hpp"
#include "text/wrap.hpp"

namespace rocescope::render {
using text::count;
using text::duration;
using text::quantity;

namespace {

constexpr std::size_t kLabel = 10;
constexpr std::size_t kFactColumn = kLabel + 3;  // two spaces before it, one behind
/// A terminal that is narrower wraps by itself.
constexpr std::size_t kLeastWidth = 40;

}  // namespace

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

void ReportPage::line(std::string_view label, std::string_view text, Tone tone, std::string_view aside) {
  text::append(out_, "  {:<{}} ", label, kLabel);
  const auto append = [&](std::string_view part, Tone part_tone) {
    if (part.empty()) return;
    const Toned toned(part_tone, options_.color, out_);
    out_ += part;
  };
  append(text, tone);
  append(aside, Tone::kDim);
  out_ += '\n';
}

std::optional<std::size_t> ReportPage::fact_width() const noexcept {
  if (options_.width == 0) return std::nullopt;
  return std::max(options_.width, kLeastWidth) - kFactColumn;
}

void ReportPage::fact(std::string_view label, std::string_view text, Tone tone) { fact(label, text, tone, {}); }

/// What begins with a dash goes on behind it.
void ReportPage::fact(std::string_view label, std::string_view text, Tone tone, const Aside& aside) {
  const std::size_t hang = text.starts_with("- ") ? 2 : 0;
  const std::optional<std::size_t> room = fact_width();
  std::vector<std::string> lines{std::string(text)};
  if (room && text.size() > *room) lines = text::wrap(text.substr(hang), *room - hang);
  for (std::size_t i = 0; i < lines.size() && lines.size() > 1 && hang > 0; ++i)
    lines[i].insert(0, i == 0 ? "- " : "  ");
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) line(i == 0 ? label : "", lines[i], tone, {});
  label = lines.size() == 1 ? label : "";
  if (aside.text.empty()) return line(label, lines.back(), tone, {});
  constexpr std::size_t kBetween = 2;
  const std::size_t begin = std::max(aside.column, lines.back().size() + kBetween);
  if (!room || begin + aside.text.size() <= *room) {
    return line(label, lines.back(), tone, std::string(begin - lines.back().size(), ' ') + aside.text);
  }
  line(label, lines.back(), tone, {});
  const std::size_t rightmost = *room - std::min(*room, aside.text.size());
  line("", "", tone, std::string(std::min(aside.column, rightmost), ' ') + aside.text);
}

void ReportPage::copied(std::string_view text) { line("", text, Tone::kPlain, {}); }

void ReportPage::note(std::string_view text) {
  const std::size_t room = options_.width == 0 ? text.size() : std::max(options_.width, kLeastWidth) - 2;
  for (const std::string& each : text::wrap(text, room)) text::append(out_, "  {}\n", each);
}

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
  append_commands(report, page);
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
