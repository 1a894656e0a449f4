// Marks, CNPs, classes and pauses in the JSON report.
#pragma once

#include <vector>

#include "render/json_writer.hpp"
#include "rocescope/congestion.hpp"
#include "rocescope/connection.hpp"

namespace rocescope::render {

/// Of the whole capture.
void write_congestion(const CongestionTotals& congestion, JsonWriter& json);
/// Of the data that one side sends.
void write_congestion(const ConnectionSide& side, JsonWriter& json);
void write_pauses(const std::vector<PauseTotals>& pauses, JsonWriter& json);

}  // namespace rocescope::render
