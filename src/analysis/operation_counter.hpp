// How often each opcode occurred.
#pragma once

#include <array>
#include <vector>

#include "rocescope/record.hpp"
#include "rocescope/report.hpp"

namespace rocescope {

class OperationCounter {
 public:
  /// `record` is of a RoCE packet; others are ignored.
  void add(const PacketRecord& record);
  void add(const OpcodeInfo& opcode, const Traffic& traffic, std::uint64_t payload_bytes);
  /// The opcodes that occurred, by code, which sorts them by transport.
  [[nodiscard]] std::vector<OperationCount> counts() const;

 private:
  friend struct StateMembers;
  std::array<OperationCount, 256> by_code_{};
};

}  // namespace rocescope
