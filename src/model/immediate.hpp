// Immediate data of a packet, whatever is known of them.
#pragma once

#include <cstdint>
#include <optional>

#include "rocescope/packet.hpp"

namespace rocescope {

/// Nothing: it has none.
[[nodiscard]] inline std::optional<std::uint32_t> immediate_of(const Packet& packet) noexcept {
  for (const HeaderKind kind : {HeaderKind::kImmDt, HeaderKind::kRsocketsImmDt, HeaderKind::kRtrsImmDt}) {
    if (const Layer* const layer = packet.find(kind); layer != nullptr)
      return static_cast<std::uint32_t>(load_big_endian(packet.bytes_with(*layer).data() + layer->offset, 4));
  }
  return std::nullopt;
}

}  // namespace rocescope
