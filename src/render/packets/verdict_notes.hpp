// The tracker's verdict on a packet, in words.
#pragma once

#include <cstdint>
#include <string>

#include "render/packets/notes.hpp"
#include "render/packets/renumbered_frames.hpp"
#include "rocescope/record.hpp"

namespace rocescope::render {

/// How the frames are told that a verdict names.
struct VerdictFrames {
  /// Where packets go into a new file: which numbers they have there. `retransmission of 1204 (here 12)`
  const RenumberedFrames* renumbered = nullptr;
  /// Of several packets with the same verdict: Verdict::related of the last one. `retransmission of 1204-1210`
  std::uint64_t last_related = 0;
};

/// Nothing for a packet that is just the next one.
void add_verdict_notes(const Verdict& verdict, Notes& notes, const VerdictFrames& frames = {});

/// The comment for a packet in a new file, in which it is the next frame: the verdict, and whether its ICRC is bad. Empty
/// for a packet of which there is nothing to say. `frame 1215: retransmission of 1204 (here 12) after the NAK in 1210`.
[[nodiscard]] std::string verdict_comment(const PacketRecord& record, const RenumberedFrames& renumbered);

}  // namespace rocescope::render
