// Between which hosts packets were lost before they were captured.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "rocescope/address.hpp"
#include "rocescope/connection.hpp"

namespace rocescope {

/// What connections show at their end. Bounded.
struct LosingWays {
  static constexpr std::size_t kMostLosing = 8'192;
  static constexpr std::size_t kMostAskedFor = 65'536;  ///< connections
  /// From one host to another, as far as a capture point: all connections between them take it.
  struct Way {
    IpAddress from;
    IpAddress to;
    std::uint32_t overlay_id = 0;
    std::uint16_t capture_point = 1;
    friend auto operator<=>(const Way&, const Way&) noexcept = default;
  };

  /// `is_asked_for`: has() will be asked for it.
  void add(const Connection& connection, bool is_asked_for);
  /// Whether packets that `side` of the connection with this number sent, or others on the same way, were lost.
  [[nodiscard]] bool has(std::uint32_t connection, std::size_t side) const;

  std::vector<Way> losing;            ///< sorted
  std::map<std::uint32_t, Way> ways;  ///< of connections that are asked for, from side 0
};

}  // namespace rocescope
