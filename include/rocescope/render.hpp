// A report as text and as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "rocescope/report.hpp"

namespace rocescope::render {

struct ReportTextOptions {
  bool detail = false;  ///< every section; otherwise only the main ones
  bool all = false;     ///< long lists in full
  bool color = false;   ///< ANSI colors
  /// Columns of the terminal: longer lines are wrapped, and tables leave columns out. 0: lines may have any length.
  std::size_t width = 0;
};

/// Rows of a list that are shown without ReportTextOptions::all.
inline constexpr std::size_t kReportRows = 20;

/// Appends what `rocescope analyze` prints: a summary to be read at one glance, what went wrong, then a section for each
/// table. The summary of a capture without RoCE is `no RoCE packets; 176 TCP, 8 UDP`.
void append_report_text(const Report& report, std::string& out, const ReportTextOptions& options = {});

struct ReportJsonOptions {
  bool indented = true;  ///< by two spaces a level; otherwise all in one line, as NDJSON wants it
};

/// Appends what `rocescope analyze --json` prints: one document in UTF-8 and a line feed. The manual page
/// rocescope-analyze(1) describes every member. Times are nanoseconds since 1970-01-01 UTC.
void append_report_json(const Report& report, std::string& out, const ReportJsonOptions& options = {});

}  // namespace rocescope::render
