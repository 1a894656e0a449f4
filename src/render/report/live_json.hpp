// A live capture as NDJSON.
#pragma once

#include <string>
#include <string_view>

#include "analysis/live_update.hpp"

namespace rocescope::render {

/// Version of the lines, as kReportSchema.
inline constexpr int kLiveSchema = 1;

/// Appends a line for the interval, one for each connection and finding.
void append_live_json(const LiveUpdate& update, std::string& out);
/// As report_json_documentation().
[[nodiscard]] std::string_view live_json_documentation() noexcept;

}  // namespace rocescope::render
