// How long a packet was on the wire.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rocescope/packet.hpp"

namespace rocescope {

/// Bytes of the frame on the wire. Some captures cut the original length as well as the packet; then the packet's own
/// length tells more.
[[nodiscard]] inline std::uint64_t wire_length(const Packet& packet) noexcept {
  const std::uint64_t shown = std::max<std::uint64_t>(packet.frame.original_length, packet.frame.data.size());
  return std::max<std::uint64_t>(shown, packet.roce.end_offset) - packet.record_header_length();
}

}  // namespace rocescope
