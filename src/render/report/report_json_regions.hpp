// Memory regions in the JSON report.
#pragma once

#include <vector>

#include "render/json_writer.hpp"
#include "rocescope/memory_region.hpp"

namespace rocescope::render {

void write_regions(const std::vector<MemoryRegion>& regions, JsonWriter& json);

}  // namespace rocescope::render
