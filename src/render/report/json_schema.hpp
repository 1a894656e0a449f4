// The JSON Schema of a report (json-schema.org, draft 2020-12), by the tables of rows.
#pragma once

#include <string>

namespace rocescope::render {

/// Appends the schema of the document that append_report_json() writes, and a line feed. It has a definition for each table. A
/// member that a row does not have is absent, so none is required; later versions may add members.
void append_report_schema(std::string& out);

}  // namespace rocescope::render
