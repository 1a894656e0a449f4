// A report for people.
#pragma once

#include <cstddef>
#include <string>

#include "rocescope/report.hpp"

namespace rocescope::render {

struct ReportTextOptions {
  bool detail = false;  ///< every section; otherwise those that tell what happened
  bool all = false;     ///< long lists in full
  bool color = false;   ///< ANSI colours
};

/// Rows of a list that are shown without ReportTextOptions::all.
inline constexpr std::size_t kReportRows = 20;

/// Appends the report: a summary to be read at one glance, what went wrong, then a section for each table. The summary of a capture
/// without RoCE is `no RoCE packets; 176 TCP, 8 UDP`.
void append_report_text(const Report& report, const ReportTextOptions& options, std::string& out);

}  // namespace rocescope::render
