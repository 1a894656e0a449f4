// Connections in the JSON report.
#pragma once

#include "json_writer.hpp"
#include "rocescope/connection.hpp"

namespace rocescope::render {

void write_connection(const Connection& connection, JsonWriter& json);

}  // namespace rocescope::render
