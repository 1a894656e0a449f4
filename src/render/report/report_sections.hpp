// The sections of the report for people.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "render/style.hpp"
#include "rocescope/render.hpp"

namespace rocescope::render {

/// What sections are written on.
class ReportPage {
 public:
  ReportPage(const ReportTextOptions& options, std::string& out) : options_(options), out_(out) {}
  virtual ~ReportPage() = default;
  ReportPage(const ReportPage&) = delete;
  ReportPage& operator=(const ReportPage&) = delete;

  /// The first line.
  virtual void title(std::string_view text);
  /// An empty line and the section's title.
  void section(std::string_view title);
  /// `  Label      text`; without a label it goes on with the fact before.
  void fact(std::string_view label, std::string_view text, Tone tone = Tone::kPlain);
  /// What stands at the right of a fact: `rnr  1.2 to 3.4 s`.
  struct Aside {
    std::string text;
    std::size_t column = 0;  ///< where it begins at least, from where the text of facts begins
  };
  /// Puts the aside at the end of the text's last line, or on a line of its own if it does not fit there.
  virtual void fact(std::string_view label, std::string_view text, Tone tone, const Aside& aside);
  /// Text that must not be wrapped: to be copied.
  void copied(std::string_view text);
  /// A line below a table.
  void note(std::string_view text);
  [[nodiscard]] std::string& out() noexcept { return out_; }

  /// Columns of the terminal; 0: no limit.
  [[nodiscard]] std::size_t width() const noexcept { return options_.width; }
  /// Columns for the text of a fact; none: no limit.
  [[nodiscard]] std::optional<std::size_t> fact_width() const noexcept;

  /// Whether the user wants more than what happened.
  [[nodiscard]] bool detail() const noexcept { return options_.detail; }
  /// Whether the user wants all there is.
  [[nodiscard]] bool all() const noexcept { return options_.all; }
  /// How many of `rows` rows a list shows.
  [[nodiscard]] std::size_t shown(std::size_t rows) const noexcept {
    return options_.all ? rows : std::min(rows, kReportRows);
  }
  /// `... and 93 more flows (-v shows all)`, where shown() left some out.
  void rest(std::size_t rows, std::string_view what);

 private:
  void line(std::string_view label, std::string_view text, Tone tone, std::string_view aside);

  const ReportTextOptions& options_;
  std::string& out_;
};

/// `1.23 MB`
[[nodiscard]] std::string bytes(std::uint64_t number);
/// Times as seconds since the first packet, with enough decimals to distinguish the packets of the capture.
class SecondsSince {
 public:
  explicit SecondsSince(const Report& report);
  [[nodiscard]] std::string operator()(std::int64_t time) const;

 private:
  std::int64_t start_;
  int decimals_;
};
/// From the first to the last packet: `33.8 s`.
[[nodiscard]] std::string duration_text(const CaptureTotals& totals);
/// Text of the capture or of the user, safe on a terminal.
[[nodiscard]] std::string safe_text(std::string_view text);

void append_summary(const Report& report, ReportPage& page);
void append_findings(const Report& report, ReportPage& page);
void append_captures(const Report& report, ReportPage& page);
void append_protocols(const Report& report, ReportPage& page);
void append_operations(const Report& report, ReportPage& page);
void append_points(const Report& report, ReportPage& page);
void append_comparisons(const Report& report, ReportPage& page);
void append_connections(const Report& report, ReportPage& page);
void append_commands(const Report& report, ReportPage& page);
void append_states(const Report& report, ReportPage& page);
void append_regions(const Report& report, ReportPage& page);
void append_times(const Report& report, ReportPage& page);
void append_rates(const Report& report, ReportPage& page);
void append_counters(const Report& report, ReportPage& page);
void append_congestion(const Report& report, ReportPage& page);
void append_flows(const Report& report, ReportPage& page);
void append_ud_flows(const Report& report, ReportPage& page);
void append_handshakes(const Report& report, ReportPage& page);
void append_cm(const Report& report, ReportPage& page);
void append_stops(const Report& report, ReportPage& page);

}  // namespace rocescope::render
