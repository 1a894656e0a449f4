// Handshakes, messages of the CM and states of queue pairs in JSON.
#pragma once

#include <vector>

#include "render/json_writer.hpp"
#include "rocescope/connection.hpp"
#include "rocescope/handshake.hpp"

namespace rocescope::render {

void write_handshakes(const std::vector<Handshake>& handshakes, JsonWriter& json);
void write_cm_event(const CmEvent& event, JsonWriter& json);
void write_states(const std::vector<QpTransition>& states, JsonWriter& json);

}  // namespace rocescope::render
