#include "analysis/capture_counter.hpp"

#include <algorithm>

namespace rocescope {

void CaptureCounter::add(const PacketRecord& record) noexcept {
  const Packet& packet = *record.packet;
  const Frame& frame = packet.frame;
  totals_.traffic.add(packet.wire_length);
  if (packet.is_roce()) totals_.roce.add(packet.wire_length);
  totals_.captured_bytes += frame.data.size() - packet.record_header_length();
  if (packet.is_cut()) ++totals_.cut_packets;
  observe(frame.timestamp);
}

void CaptureCounter::observe(std::int64_t time) noexcept {
  if (totals_.first_time && time < previous_time_) ++totals_.out_of_order_packets;
  previous_time_ = time;
  totals_.first_time = std::min(totals_.first_time.value_or(time), time);
  totals_.last_time = std::max(totals_.last_time.value_or(time), time);
}

}  // namespace rocescope
