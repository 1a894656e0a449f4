// A finding as JSON.
#pragma once

#include "render/json_writer.hpp"
#include "rocescope/finding.hpp"

namespace rocescope::render {

void write_finding(const Finding& finding, JsonWriter& json);
/// Into an object that is open.
void write_finding_members(const Finding& finding, JsonWriter& json);

}  // namespace rocescope::render
