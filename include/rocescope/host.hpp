// What one host sent to another, counted as a NIC would.
#pragma once

#include <cstdint>

#include "rocescope/address.hpp"

namespace rocescope {

/// RoCE packets in one direction. Copies that the capture made are left out.
struct WireCounts {
  std::uint64_t packets = 0;
  std::uint64_t bad_icrc = 0;
  std::uint64_t marked = 0;  ///< with CE
  std::uint64_t cnps = 0;
  std::uint64_t write_requests = 0;  ///< RDMA WRITEs by their First or Only packet, every copy
  std::uint64_t read_requests = 0;
  std::uint64_t atomic_requests = 0;
  std::uint64_t duplicate_requests = 0;  ///< request packets that their responder had carried out before
  std::uint64_t sequence_naks = 0;
  std::uint64_t rnr_naks = 0;
  std::uint64_t access_naks = 0;       ///< remote access error
  std::uint64_t invalid_naks = 0;      ///< invalid request
  std::uint64_t operational_naks = 0;  ///< remote operational error
  std::uint64_t timeouts = 0;          ///< times that the sender sent again because its ACK timer ran out
  std::uint64_t implied_naks = 0;      ///< times that the sender asked again for responses to a READ

  WireCounts& operator+=(const WireCounts& other) noexcept;
};

/// A host, by its address.
struct Host {
  IpAddress address;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels
  WireCounts sent;
  WireCounts received;
};

}  // namespace rocescope
