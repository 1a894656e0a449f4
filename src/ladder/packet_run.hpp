// Runs of packets, into which a ladder folds.
#pragma once

#include "ladder/ladder_event.hpp"
#include "rocescope/record.hpp"

namespace rocescope {

/// A packet of a connection as a run of its own: part of a message (kPart), or a packet with a verdict to report (kPackets).
[[nodiscard]] PacketRun packet_run(const PacketRecord& record);

/// The same as an event, without what goes before.
[[nodiscard]] LadderEvent packet_event(const PacketRecord& record, std::uint8_t sender);

/// Whether it is an acknowledgement or response without trouble.
[[nodiscard]] bool is_plain_answer(const PacketRun& run);

/// Whether `packet` is one more of the same kind, with the same verdict.
[[nodiscard]] bool alike(const PacketRun& run, const PacketRun& packet);

/// Whether two whole messages differ only in their place, and may share a run.
[[nodiscard]] bool same_message(const PacketRun& run, const PacketRun& message);

/// Adds the next packets to a run.
void append(PacketRun& run, const PacketRun& next);

}  // namespace rocescope
