// A live capture as NDJSON.
#pragma once

#include <string>

#include "model/live_update.hpp"

namespace rocescope::render {

/// Appends a line for the interval, one for each connection and finding.
void append_live_json(const LiveUpdate& update, std::string& out);
/// As report_json_documentation().
[[nodiscard]] const std::string& live_json_documentation();

}  // namespace rocescope::render
