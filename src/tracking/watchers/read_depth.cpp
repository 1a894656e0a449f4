#include "tracking/watchers/read_depth.hpp"

#include <algorithm>

#include "tracking/connections/connection_state.hpp"
#include "tracking/connections/path_mtu.hpp"

namespace rocescope {
namespace {

bool is_followed(const OpcodeInfo& opcode) {
  return opcode.operation == Operation::kReadRequest || opcode.operation == Operation::kCompareSwap ||
         opcode.operation == Operation::kFetchAdd;
}

/// The last PSN that its responses take; with an unknown path MTU the first.
Psn end_of(const TrackedPacket& tracked, std::uint32_t mtu) {
  const Psn psn = tracked.packet().roce.psn;
  const auto& reth = tracked.reth;
  if (!reth || mtu == 0) return psn;
  return psn + (packets_for(reth->dma_length(), mtu) - 1);
}

}  // namespace

void ReadDepth::observe(const TrackedPacket& tracked) {
  // Neither is a packet of its receiver's: one with a wrong ICRC, and what the capture has twice.
  if (tracked.verdict.kind == VerdictKind::kNone) return;
  const Packet& packet = tracked.packet();
  const OpcodeInfo& opcode = *packet.roce.opcode;
  if (opcode.request && !is_followed(opcode)) return;
  Box<State>& state = tracked.state->reads;
  if (!opcode.request && state.get() == nullptr) return;  // nothing is outstanding
  Side& side = state.make()[tracked.requester];
  std::vector<Psn>& ends = side.ends;
  if (!opcode.request) {
    // Responses come in the order of the requests.
    const bool last = opcode.position == Position::kLast || opcode.position == Position::kOnly;
    const bool answer = last && opcode.operation != Operation::kAcknowledge;
    const Psn until = packet.roce.psn + (answer ? 1 : 0);
    const auto open = std::find_if(ends.begin(), ends.end(), [&](Psn end) { return !end.before(until); });
    ends.erase(ends.begin(), open);
    return;
  }
  const bool first_time = tracked.verdict.kind == VerdictKind::kInOrder || tracked.verdict.kind == VerdictKind::kGap;
  if (!first_time || ends.size() == kMostFollowed) return;
  ends.push_back(end_of(tracked, tracked.connection->path_mtu));
  const auto outstanding = static_cast<std::uint32_t>(ends.size());
  Box<OutstandingReads>& most = tracked.connection->sides[tracked.requester].reads_outstanding;
  if (outstanding <= most->most) return;
  most.make() = {.most = outstanding, .packet = packet.frame.number, .time = packet.frame.timestamp};
}

}  // namespace rocescope
