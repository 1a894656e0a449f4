// Packets, bytes and times of a capture.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "tracking/express/express_packet.hpp"

namespace rocescope {

class CaptureCounter {
 public:
  void add(const PacketRecord& record) noexcept;
  void add(const ExpressPacket& packet) noexcept {
    totals_.traffic.add(packet.wire_length);
    totals_.roce.add(packet.wire_length);
    totals_.captured_bytes += packet.captured;
    if (packet.is_cut()) ++totals_.cut_packets;
    if (!totals_.first_time || packet.time < previous_time_) return observe(packet.time);
    previous_time_ = packet.time;
    totals_.last_time = std::max(*totals_.last_time, packet.time);
  }
  [[nodiscard]] const CaptureTotals& totals() const noexcept { return totals_; }

 private:
  void observe(std::int64_t time) noexcept;

  CaptureTotals totals_;
  std::int64_t previous_time_ = 0;
};

}  // namespace rocescope
