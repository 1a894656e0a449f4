// What the JSON document of a report holds.
#pragma once

#include <string>

#include "render/json_writer.hpp"
#include "rocescope/report.hpp"

namespace rocescope::render {

/// Every member of the document that append_report_json() writes, as text for the manual: paragraphs with an empty line
/// between them; lines that start with two spaces stand as they are.
[[nodiscard]] const std::string& report_json_documentation();

/// The members of the document.
void write_report(const Report& report, JsonWriter& json);

}  // namespace rocescope::render
