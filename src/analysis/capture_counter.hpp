// Packets, bytes and times of a capture.
#pragma once

#include <cstdint>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"
#include "tracking/express/express_packet.hpp"

namespace rocescope {

class CaptureCounter {
 public:
  void add(const PacketRecord& record) noexcept;
  void add(const ExpressPacket& packet) noexcept;
  [[nodiscard]] const CaptureTotals& totals() const noexcept { return totals_; }

 private:
  void observe(std::int64_t time) noexcept;

  CaptureTotals totals_;
  std::int64_t previous_time_ = 0;
};

}  // namespace rocescope
