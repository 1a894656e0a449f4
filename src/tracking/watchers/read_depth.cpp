#include "tracking/watchers/read_depth.hpp"

#include <algorithm>

#include "tracking/connections/connection_state.hpp"

namespace rocescope {
namespace {

bool is_followed(const OpcodeInfo& opcode) {
  return opcode.operation == Operation::kReadRequest || opcode.operation == Operation::kCompareSwap ||
         opcode.operation == Operation::kFetchAdd;
}

}  // namespace

std::uint32_t ReadDepth::Side::ask(Psn end) {
  if (ends_.size() == kMostFollowed) return 0;
  ends_.push_back(end);
  return static_cast<std::uint32_t>(ends_.size());
}

void ReadDepth::Side::answer_before(Psn psn) {
  ends_.erase(ends_.begin(), std::ranges::find_if(ends_, [=](Psn end) { return !end.before(psn); }));
}

void ReadDepth::observe(const TrackedPacket& tracked) {
  // Neither is a packet of its receiver's: one with a wrong ICRC, and what the capture has twice.
  if (tracked.verdict.kind == VerdictKind::kNone) return;
  const Packet& packet = tracked.packet();
  const OpcodeInfo& opcode = *packet.roce.opcode;
  if (opcode.request && !is_followed(opcode)) return;
  Box<State>& state = tracked.state->reads;
  if (!opcode.request && state.get() == nullptr) return;  // nothing is outstanding
  Side& side = state.make()[tracked.requester];
  if (!opcode.request) {
    const bool last = opcode.position == Position::kLast || opcode.position == Position::kOnly;
    const bool answer = last && opcode.operation != Operation::kAcknowledge;
    return side.answer_before(packet.roce.psn + (answer ? 1 : 0));
  }
  const bool first_time = tracked.verdict.kind == VerdictKind::kInOrder || tracked.verdict.kind == VerdictKind::kGap;
  if (!first_time) return;
  const std::uint32_t bytes = tracked.reth ? tracked.reth->dma_length() : 0;
  const std::uint32_t outstanding = side.ask(end_of(packet.roce.psn, bytes, tracked.connection->path_mtu));
  Box<OutstandingReads>& most = tracked.connection->sides[tracked.requester].reads_outstanding;
  if (outstanding <= most->most) return;
  most.make() = {.most = outstanding, .packet = packet.frame.number, .time = packet.frame.timestamp};
}

}  // namespace rocescope
