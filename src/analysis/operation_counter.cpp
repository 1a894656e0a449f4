#include "analysis/operation_counter.hpp"

#include <algorithm>
#include <iterator>

namespace rocescope {

void OperationCounter::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return;
  OperationCount& count = by_code_[packet.roce.opcode->code];
  count.opcode = packet.roce.opcode;
  count.traffic.add(packet.wire_length);
  count.payload_bytes += packet.roce.payload_length;
}

std::vector<OperationCount> OperationCounter::counts() const {
  std::vector<OperationCount> counts;
  std::copy_if(by_code_.begin(), by_code_.end(), std::back_inserter(counts),
               [](const OperationCount& count) { return count.opcode != nullptr; });
  return counts;
}

}  // namespace rocescope
