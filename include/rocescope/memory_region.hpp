// Memory regions, as far as requests for remote memory show them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rocescope/address.hpp"

namespace rocescope {

/// Bytes from the lowest to the highest that were touched, both included.
struct AddressRange {
  bool empty = true;
  std::uint64_t lowest = 0;
  std::uint64_t highest = 0;

  /// `length` bytes from `address` on; what would lie above the end of the address space is left out.
  void add(std::uint64_t address, std::uint64_t length) noexcept {
    if (length == 0) return;
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - address;
    const std::uint64_t last = address + std::min(length - 1, room);
    lowest = empty ? address : std::min(lowest, address);
    highest = empty ? last : std::max(highest, last);
    empty = false;
  }
  void add(const AddressRange& other) noexcept {
    if (other.empty) return;
    lowest = empty ? other.lowest : std::min(lowest, other.lowest);
    highest = empty ? other.highest : std::max(highest, other.highest);
    empty = false;
  }
  /// Bytes; 0 of the whole address space as well.
  [[nodiscard]] std::uint64_t span() const noexcept { return empty ? 0 : highest - lowest + 1; }
};

/// What requests with one R_Key did to the memory of one responder. A request counts once, however often it was sent.
struct MemoryRegion {
  /// Of how many connections the numbers are kept.
  static constexpr std::size_t kMostUsers = 64;

  IpAddress responder;
  std::uint32_t overlay_id = 0;  ///< innermost VNI; 0 outside tunnels
  std::uint32_t r_key = 0;

  AddressRange touched;  ///< by requests that were not refused
  std::uint64_t reads = 0;
  std::uint64_t read_bytes = 0;  ///< that READs asked for
  std::uint64_t writes = 0;      ///< with ATOMIC WRITEs
  std::uint64_t written_bytes = 0;
  std::uint64_t atomics = 0;  ///< CmpSwap, FetchAdd: 8 bytes each
  std::uint64_t flushes = 0;

  std::uint64_t refused = 0;  ///< requests that a NAK ended; counted nowhere else
  AddressRange refused_range;

  std::vector<std::uint32_t> users;         ///< numbers of the connections, in the order of their first requests
  std::vector<std::uint64_t> user_packets;  ///< of each the number of the frame that showed it
  bool more_users = false;                  ///< there were more than kMostUsers
  std::uint64_t first_packet = 0;           ///< number of the first frame of the first request
  std::int64_t first_time = 0;              ///< nanoseconds since 1970, of the first packet of a request
  std::int64_t last_time = 0;               ///< the same, of the last packet of a request

  [[nodiscard]] std::uint64_t requests() const noexcept { return reads + writes + atomics + flushes + refused; }
};

/// Regions that were evicted.
struct EvictedRegions {
  std::uint64_t regions = 0;
  MemoryRegion all;  ///< their requests, added up; nothing else

  void add(const MemoryRegion& region);
};

}  // namespace rocescope
