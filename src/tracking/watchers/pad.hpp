// The bytes between the payload and the ICRC.
#pragma once

#include <cstdint>

#include "rocescope/bytes.hpp"
#include "rocescope/packet.hpp"

namespace rocescope {

/// As a number; 0 where there are none, or not all here (IBTA 9.2: they are zero, and at most three).
[[nodiscard]] inline std::uint64_t pad_of(const Packet& packet) noexcept {
  if (packet.roce.pad_length == 0) return 0;
  const Layer* pad = packet.find(HeaderKind::kPad);
  const bool whole = pad != nullptr && pad->length == packet.roce.pad_length;
  return whole ? load_big_endian(packet.frame.data.data() + pad->offset, pad->length) : 0;
}

}  // namespace rocescope
