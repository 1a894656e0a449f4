// A report as one JSON document.
#pragma once

#include <string>
#include <string_view>

#include "render/json_writer.hpp"
#include "rocescope/report.hpp"

namespace rocescope::render {

/// Version of the document: a new one whenever a member changes its meaning or goes away. New members do not change it.
inline constexpr int kReportSchema = 1;

/// Appends the report and a line feed. report_json_documentation() says what it holds.
void append_report_json(const Report& report, std::string& out, JsonSpace space = JsonSpace::kIndented);

/// Every member of the document, as text for the manual: paragraphs with an empty line between them; lines that start
/// with two spaces stand as they are.
[[nodiscard]] std::string_view report_json_documentation() noexcept;

}  // namespace rocescope::render
