// The sections of a page, each a JSON object of its own.
#pragma once

#include <cstdint>

#include "render/html/html_report.hpp"
#include "render/html/series_grid.hpp"
#include "render/json_writer.hpp"

namespace rocescope::render {

/// The grid of all series of the whole capture.
[[nodiscard]] Grid capture_grid(const Report& report, std::int64_t interval);

// Each writes the members of one section.
void write_summary(const Report& report, const OverviewRecorder& overview, JsonWriter& json);
void write_findings(const Report& report, JsonWriter& json);
void write_explanations(const Report& report, JsonWriter& json);
void write_pairs(const Report& report, OverviewRecorder& overview, JsonWriter& json);
void write_marks(const Report& report, OverviewRecorder& overview, JsonWriter& json);
void write_connection_rates(const Report& report, std::int64_t interval, JsonWriter& json);
/// Adds the section of each table.
void write_tables(const Report& report, OverviewRecorder& overview, PageDocument& page);

}  // namespace rocescope::render
