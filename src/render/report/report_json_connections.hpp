// Connections in the JSON report.
#pragma once

#include "render/json_writer.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/eviction.hpp"

namespace rocescope::render {

void write_connection(const Connection& connection, JsonWriter& json);
/// Into an object that is open.
void write_connection_members(const Connection& connection, JsonWriter& json);
void write_evicted(const EvictedTotals& evicted, JsonWriter& json);

}  // namespace rocescope::render
