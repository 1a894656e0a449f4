// What findings rest on.
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "rocescope/capture.hpp"
#include "rocescope/eviction.hpp"
#include "rocescope/flow.hpp"
#include "rocescope/handshake.hpp"
#include "rocescope/report.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope {

/// A view of what the rules read: of a whole report, of what changed since the last look at a live capture, or of what was
/// evicted.
struct Evidence {
  const Tracking& tracking;
  std::uint64_t dropped = 0;                ///< packets that whoever captured says were lost by it
  CaptureTotals totals{};                   ///< of all packets
  std::span<const StopCount> stops{};       ///< as Report has them, and so on
  const std::deque<Flow>* flows = nullptr;  ///< null: none
  const std::deque<Flow>* other_flows =
      nullptr;  ///< of packets that do not count: what holds for all of a host holds for them too
  std::span<const CmEvent> cm_events{};
  const EvictedTotals* evicted = nullptr;
};

/// Packets that whoever captured says were lost by it.
[[nodiscard]] std::uint64_t dropped_packets(const CaptureInfo& capture) noexcept;

}  // namespace rocescope
