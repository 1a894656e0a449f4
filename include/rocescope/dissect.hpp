// From the bytes of a frame to a Packet.
#pragma once

#include <array>
#include <cstdint>

#include "rocescope/frame.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// A mirror's bytes between GRE and the Ethernet frame, for switches that rocescope does not know.
struct GreSkip {
  std::uint16_t protocol = 0;  ///< GRE protocol
  std::uint16_t bytes = 0;     ///< from the end of GRE and its optional words to the Ethernet frame
};

struct DissectOptions {
  bool reliable_datagram = false;      ///< read opcodes 0x40-0x5F as RD instead of DC
  std::array<GreSkip, 8> gre_skips{};  ///< the first gre_skip_count; they go before what rocescope knows itself
  std::uint8_t gre_skip_count = 0;
};

/// Finds every header of `frame`. Never fails: what cannot be read ends up in packet.stop, beside all that could.
/// Allocates nothing, keeps nothing but what `packet` shows; packet.frame is a copy of `frame` and shares its bytes.
void dissect(const Frame& frame, Packet& packet, const DissectOptions& options = {}) noexcept;

}  // namespace rocescope
