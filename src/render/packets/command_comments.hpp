// What packets say of commands that they begin or end, as comments of a new capture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ladder/command_spans.hpp"
#include "render/packets/renumbered_frames.hpp"

namespace rocescope::render {

/// One a command that the frame begins or ends, and how many more there are:
/// `NVMe-oF Read, command 17: issued in packet 12 (here 3), completed here after 1.20 ms (43.0 us target), Success`.
/// None for most frames.
[[nodiscard]] std::vector<std::string> command_comments(std::uint64_t frame, const CommandSpans& commands,
                                                        const RenumberedFrames& renumbered);

}  // namespace rocescope::render
