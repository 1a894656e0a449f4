// Packets, bytes and times of a capture.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

class CaptureCounter {
 public:
  void add(const PacketRecord& record) noexcept;
  /// Packets of RoCE that took the express lane, all together.
  struct Express {
    Traffic traffic;
    std::uint64_t captured_bytes = 0;
    std::uint64_t cut_packets = 0;
  };
  void add(const Express& packets) noexcept {
    totals_.traffic.add(packets.traffic);
    totals_.roce.add(packets.traffic);
    totals_.captured_bytes += packets.captured_bytes;
    totals_.cut_packets += packets.cut_packets;
  }
  /// The time of a packet: of the next one.
  void observe(std::int64_t time) noexcept;
  /// The same for several packets, none earlier than the one before it. `time`: of the last packet.
  void advance(std::int64_t time) noexcept {
    previous_time_ = time;
    totals_.last_time = std::max(totals_.last_time.value_or(time), time);
  }
  [[nodiscard]] const CaptureTotals& totals() const noexcept { return totals_; }

 private:
  friend struct StateMembers;
  CaptureTotals totals_;
  std::int64_t previous_time_ = 0;
};

}  // namespace rocescope
