// Packets as the runs that a ladder folds them into.
#pragma once

#include "ladder/ladder_event.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// A packet of a connection as a run of its own: part of a message (kPart), or one with a verdict to tell (kPackets).
[[nodiscard]] PacketRun packet_run(const PacketRecord& record);

/// Whether it is an acknowledgement or response as it should be.
[[nodiscard]] bool is_plain_answer(const PacketRun& run);

/// Whether `packet` is one more of the same kind, with the same verdict.
[[nodiscard]] bool alike(const PacketRun& run, const PacketRun& packet);

/// Whether two whole messages differ in nothing but where they are.
[[nodiscard]] bool same_message(const PacketRun& run, const PacketRun& message);

/// Adds what comes next to a run.
void append(PacketRun& run, const PacketRun& next);

}  // namespace rocescope
