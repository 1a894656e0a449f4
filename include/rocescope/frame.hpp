// What a capture delivers: the bytes of one frame and what the capture says about them.
#pragma once

#include <cstdint>

#include "rocescope/bytes.hpp"

namespace rocescope {

/// Link types as pcap files number them (LINKTYPE_ values, www.tcpdump.org/linktypes.html).
namespace link_type {
inline constexpr std::uint32_t kNull = 0;
inline constexpr std::uint32_t kEthernet = 1;
inline constexpr std::uint32_t kRaw = 101;
inline constexpr std::uint32_t kLoop = 108;
inline constexpr std::uint32_t kLinuxSll = 113;
inline constexpr std::uint32_t kErf = 197;
inline constexpr std::uint32_t kIpv4 = 228;
inline constexpr std::uint32_t kIpv6 = 229;
inline constexpr std::uint32_t kInfiniBand = 247;
inline constexpr std::uint32_t kLinuxSll2 = 276;
}  // namespace link_type

/// One frame. The bytes belong to the capture and last until the next frame is read.
struct Frame {
  Bytes data;                         ///< the bytes captured
  std::uint32_t original_length = 0;  ///< bytes on the wire, as the capture states; some captures state it wrongly
  std::uint32_t link_type = link_type::kEthernet;
  std::int64_t timestamp = 0;      ///< nanoseconds since 1970-01-01 UTC
  std::uint64_t number = 0;        ///< 1 for the first frame read
  std::uint32_t interface_id = 0;  ///< index into the interfaces of its capture
  std::uint32_t capture_id = 0;    ///< index into FrameSource::info(): several files may be read as one
  std::uint8_t capture_point = 1;  ///< where on its way it was seen: CapturePoint::number
};

}  // namespace rocescope
