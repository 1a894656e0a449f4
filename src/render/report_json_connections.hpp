// Connections in the JSON report.
#pragma once

#include "json_writer.hpp"
#include "rocescope/connection.hpp"

namespace rocescope::render {

void write_connection(const Connection& connection, JsonWriter& json);
/// Into an object that is open.
void write_connection_members(const Connection& connection, JsonWriter& json);

}  // namespace rocescope::render
