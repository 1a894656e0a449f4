// What goes wrong on connections, with the packets that show it.
#pragma once

#include "rocescope/finding.hpp"
#include "tracking/tracked_packet.hpp"

namespace rocescope {

/// Counts evidence for findings from the verdict on a packet and from what the packet says: in its connection, at the side whose
/// requests it is about.
class TroubleWatch {
 public:
  /// `others` is for packets of no connection.
  explicit TroubleWatch(Sightings& others) : others_(others) {}

  static constexpr unsigned kWants = traits::kUnusual | traits::kDamaged;
  void observe(const TrackedPacket& tracked);

 private:
  Sightings& others_;
};

}  // namespace rocescope
