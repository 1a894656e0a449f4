// The invariant CRC (IBTA 7.8.1, A16.5, A17.3.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rocescope/packet.hpp"

namespace rocescope {

enum class IcrcStatus : std::uint8_t {
  kNone,  ///< no RoCE packet
  kGood,
  kBad,
  kUnverifiable,  ///< the bytes it covers are not all here: see IcrcCheck::obstacle
};

/// "good", "bad", "unverifiable"; empty for kNone.
[[nodiscard]] constexpr std::string_view to_string(IcrcStatus status) noexcept {
  constexpr std::string_view kNames[] = {"", "good", "bad", "unverifiable"};
  return kNames[static_cast<std::size_t>(status)];
}

struct IcrcCheck {
  IcrcStatus status = IcrcStatus::kNone;
  StopReason obstacle = StopReason::kNone;  ///< why it could not be verified: truncated, malformed, fragment
  std::uint32_t expected = 0;  ///< the right ICRC, its four bytes in the order of the wire, first byte highest
  std::uint32_t found = 0;     ///< the one in the packet, in the same order: `infiniband.invariant.crc`
  std::uint32_t headers = 0;   ///< the CRC where the payload starts, for same_payload()
};

/// Verifies the ICRC of the packet. `source_port`, where given, stands in for the UDP source port that the capture
/// shows: some captures rewrite it.
[[nodiscard]] IcrcCheck check_icrc(const Packet& packet, std::optional<std::uint16_t> source_port = {}) noexcept;

/// Whether two packets with good ICRCs have the same payload and pad, of `bytes` bytes each, whatever their headers are: the
/// payloads need not be at hand any more. False is certain; true is wrong once in 2^32.
[[nodiscard]] bool same_payload(const IcrcCheck& a, const IcrcCheck& b, std::uint32_t bytes) noexcept;

/// The UDP source port with which the ICRC of a RoCEv2 packet comes out right, or nothing: no port does, or the
/// packet's ICRC cannot be verified. By chance it finds one for one corrupt packet in 65,536: let a second packet of
/// the flow confirm.
[[nodiscard]] std::optional<std::uint16_t> find_source_port(const Packet& packet) noexcept;

}  // namespace rocescope
