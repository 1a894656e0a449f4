// The tracker's verdict on a packet, in words.
#pragma once

#include <cstdint>
#include <string>

#include "render/packets/notes.hpp"
#include "render/packets/renumbered_frames.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

/// How to write the frames that a verdict names.
struct VerdictFrames {
  /// The numbers of packets in a new file, if they are written to one: `retransmission of 1204 (here 12)`.
  const RenumberedFrames* renumbered = nullptr;
  /// Verdict::related of the last of several packets with the same verdict: `retransmission of 1204-1210`.
  std::uint64_t last_related = 0;
};

/// Adds nothing for a packet that is in order.
void add_verdict_notes(const Verdict& verdict, Notes& notes, const VerdictFrames& frames = {});

/// The comment for a packet that becomes the next frame of a new file: its verdict, and whether its ICRC is bad. Empty for a
/// packet in order. `frame 1215: retransmission of 1204 (here 12), asked for by the NAK in 1210`.
[[nodiscard]] std::string verdict_comment(const PacketRecord& record, const RenumberedFrames& renumbered);

}  // namespace rocescope::render
