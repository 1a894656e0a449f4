#include "analysis/operation_counter.hpp"

#include <algorithm>
#include <iterator>

namespace rocescope {

void OperationCounter::add(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  if (!packet.is_roce()) return;
  add(*packet.roce.opcode, {1, packet.wire_length}, packet.roce.payload_length);
}

void OperationCounter::add(const OpcodeInfo& opcode, const Traffic& traffic, std::uint64_t payload_bytes) {
  OperationCount& count = by_code_[opcode.code];
  count.opcode = &opcode;
  count.traffic.packets += traffic.packets;
  count.traffic.bytes += traffic.bytes;
  count.payload_bytes += payload_bytes;
}

std::vector<OperationCount> OperationCounter::counts() const {
  std::vector<OperationCount> counts;
  std::copy_if(by_code_.begin(), by_code_.end(), std::back_inserter(counts),
               [](const OperationCount& count) { return count.opcode != nullptr; });
  return counts;
}

}  // namespace rocescope
