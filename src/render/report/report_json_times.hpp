// Times in the JSON report.
#pragma once

#include "render/json_writer.hpp"
#include "rocescope/times.hpp"

namespace rocescope::render {

/// Each kind that occurred, under its name.
void write_times(const TimeTable& times, JsonWriter& json);

}  // namespace rocescope::render
