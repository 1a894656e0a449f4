// What goes wrong on connections, with the packets that show it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocescope/finding.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Counts evidence for findings from the verdict on a packet and from what the packet says: in its connection, at the side whose
/// requests it is about.
class TroubleWatch {
 public:
  /// `others` is for packets of no connection.
  explicit TroubleWatch(Sightings& others) : others_(others) {}

  static constexpr unsigned kWants = traits::kUnusual | traits::kDamaged | traits::kApart;
  void observe(const TrackedPacket& tracked);

 private:
  friend struct StateMembers;
  struct Damaged {
    std::uint64_t hash = 0;
    std::int64_t time = 0;
  };
  [[nodiscard]] bool has_seen(const TrackedPacket& damaged) noexcept;

  Sightings& others_;
  std::array<Damaged, 64> damaged_{};  // the last ones
  std::size_t next_ = 0;
};

}  // namespace rocescope
