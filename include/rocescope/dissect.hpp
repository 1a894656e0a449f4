// From the bytes of a frame to a Packet.
#pragma once

#include "rocescope/frame.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

struct DissectOptions {
  bool reliable_datagram = false;  ///< read opcodes 0x40-0x5F as RD instead of DC
};

/// Finds every header of `frame`. Never fails: what cannot be read ends up in packet.stop, beside all that could.
/// Allocates nothing, keeps nothing but what `packet` shows; packet.frame is a copy of `frame` and shares its bytes.
void dissect(const Frame& frame, Packet& packet, const DissectOptions& options = {}) noexcept;

}  // namespace rocescope
