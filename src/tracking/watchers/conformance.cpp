#include "tracking/watchers/conformance.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tracking/connections/connection_state.hpp"
#include "tracking/connections/path_mtu.hpp"
#include "tracking/watchers/header_rules.hpp"

namespace rocescope {
namespace {

bool begins(const OpcodeInfo& opcode) {
  return opcode.position == Position::kFirst || opcode.position == Position::kOnly;
}
bool ends(const OpcodeInfo& opcode) { return opcode.position == Position::kLast || opcode.position == Position::kOnly; }

void note(const TrackedPacket& tracked, Breach breach) {
  const Frame& frame = tracked.packet().frame;
  breach.uncompared = tracked.has_compared_icrc() ? 0 : 1;
  tracked.connection->sides[tracked.sender].breaches.add(breach, frame.number, frame.timestamp);
}

/// Whether the lengths of the packet are known: its headers are all here, and so is the end of the message in this frame.
bool has_lengths(const Packet& packet) { return packet.roce.payload_offset != 0 && !packet.roce.fragmented; }

/// The PSNs that a request takes; 0: unknown, as the path MTU is.
std::uint32_t span_of(const TrackedPacket& tracked, std::uint32_t mtu) {
  if (tracked.packet().roce.opcode->operation != Operation::kReadRequest) return 1;
  const auto& reth = tracked.reth;
  if (!reth) return 0;
  if (reth->dma_length() <= kSmallestMtu) return 1;
  return mtu == 0 ? 0 : packets_for(reth->dma_length(), mtu);
}

}  // namespace

void Conformance::observe(const TrackedPacket& tracked) {
  // The receiver of a packet with a wrong ICRC drops it, and so may any bit of it be wrong. A copy was judged before.
  if (tracked.record.icrc.status == IcrcStatus::kBad) return;
  if (tracked.verdict.kind == VerdictKind::kCaptureDuplicate) return;
  Breaches& breaches = tracked.connection ? tracked.connection->sides[tracked.sender].breaches : others_;
  check_headers(tracked, breaches);
  if (tracked.connection != nullptr) check_connection(tracked);
}

void Conformance::check_connection(const TrackedPacket& tracked) {
  const Packet& packet = tracked.packet();
  const OpcodeInfo& opcode = *packet.roce.opcode;
  if (opcode.operation == Operation::kCnp || opcode.operation == Operation::kReserved) return;
  State& state = tracked.state->conformance;
  if (!check_transport(tracked, state)) return;
  if (tracked.verdict.kind == VerdictKind::kUsedPsn && tracked.record.icrc.status == IcrcStatus::kGood) {
    note(tracked, {.kind = BreachKind::kUsedPsn, .value = opcode.code, .other = tracked.verdict.related});
  }

  const std::uint16_t p_key = tracked.bth().p_key();
  if (!state.p_key) state.p_key = p_key;
  constexpr unsigned kWithoutMembership = 0x7FFF;
  if (((p_key ^ *state.p_key) & kWithoutMembership) != 0) {
    note(tracked, {.kind = BreachKind::kPkey, .value = p_key, .other = *state.p_key});
  }
  if (has_lengths(packet)) check_lengths(tracked, state.mtus[tracked.sender]);
  check_order(tracked, state);
}

/// False: the packet is of another transport, and says nothing of the connection's.
bool Conformance::check_transport(const TrackedPacket& tracked, State& state) {
  const Transport transport = tracked.connection->transport;
  if (state.transport && *state.transport != transport) state = {};
  state.transport = transport;
  const auto note_stray = [&](const Stray& of) {
    const Breach breach{.kind = BreachKind::kOtherTransport,
                        .value = of.opcode->code,
                        .other = static_cast<std::uint64_t>(transport),
                        .uncompared = of.uncompared};
    tracked.connection->sides[of.sender].breaches.add(breach, of.frame, of.time);
  };
  const Frame& frame = tracked.packet().frame;
  const OpcodeInfo* opcode = tracked.packet().roce.opcode;
  if (opcode->transport == transport) {
    if (state.stray.get() != nullptr) note_stray(*state.stray);  // the queue pair is what it was before
    state.stray = {};
    return true;
  }
  const Stray stray{.sender = tracked.sender,
                    .frame = frame.number,
                    .time = frame.timestamp,
                    .opcode = opcode,
                    .uncompared = tracked.has_compared_icrc() ? 0U : 1U};
  if (tracked.connection->paired_by == PairedBy::kCm) {
    note_stray(stray);
    state.stray = {};
  } else {
    state.stray.make() = stray;
  }
  return false;
}

void Conformance::check_lengths(const TrackedPacket& tracked, std::uint32_t& sender_mtu) {
  const OpcodeInfo& opcode = *tracked.packet().roce.opcode;
  if (!opcode.has_payload) return;
  const std::uint32_t payload = tracked.packet().roce.payload_length;
  const bool full = opcode.position == Position::kFirst || opcode.position == Position::kMiddle;
  // What was learned from packets may be of a queue pair that had the number before.
  if (tracked.verdict.kind == VerdictKind::kGap) sender_mtu = 0;
  if (full && sender_mtu == 0 && is_mtu(payload)) sender_mtu = payload;
  const std::uint32_t known = tracked.connection->path_mtu;
  const std::uint32_t mtu = known != 0 ? known : sender_mtu;
  if (full && mtu == 0) {
    note(tracked, {.kind = BreachKind::kNoMtu, .value = payload});
  } else if (full && payload != mtu) {
    note(tracked, {.kind = BreachKind::kNotPathMtu, .value = payload, .other = mtu});
  } else if (const std::uint32_t most = mtu != 0 ? mtu : kLargestMtu; !full && payload > most) {
    note(tracked, {.kind = BreachKind::kAbovePathMtu, .value = payload, .other = most});
  } else if (opcode.position == Position::kLast && payload == 0) {
    note(tracked, {.kind = BreachKind::kEmptyLast});
  }
}

void Conformance::check_order(const TrackedPacket& tracked, State& state) {
  const RocePacket& roce = tracked.packet().roce;
  const OpcodeInfo& opcode = *roce.opcode;
  const bool read_response = opcode.operation == Operation::kReadResponse;
  if (!opcode.request && !read_response) return;
  Sender& sender = state.senders[tracked.sender];
  Chain& chain = read_response ? sender.read_responses.make() : sender.requests;
  const bool follows = chain.last && chain.next == roce.psn;
  if (follows) {
    const OpcodeInfo& last = opcode_info(*chain.last);
    const bool open = !ends(last);
    const bool continues = open && last.operation == opcode.operation;
    // A READ that is asked for again goes on with a First or Only where its responses were cut short.
    if (begins(opcode) ? open && !read_response : !continues) {
      note(tracked, {.kind = BreachKind::kOpcodeOrder, .value = opcode.code, .other = last.code});
    }
  }
  check_dma_length(tracked, chain, follows);

  const std::uint32_t known = tracked.connection->path_mtu;
  const std::uint32_t learned = std::max(state.mtus[0], state.mtus[1]);
  const std::uint32_t span = span_of(tracked, known != 0 ? known : learned);
  chain.last = span == 0 ? std::nullopt : std::optional(opcode.code);
  chain.next = roce.psn + span;
}

/// The payloads of a WRITE add up to what its First or Only says.
void Conformance::check_dma_length(const TrackedPacket& tracked, Chain& chain, bool follows) {
  const Packet& packet = tracked.packet();
  const OpcodeInfo& opcode = *packet.roce.opcode;
  if (begins(opcode)) {
    const bool writes = opcode.operation == Operation::kWrite || opcode.operation == Operation::kAtomicWrite;
    const auto& reth = tracked.reth;
    chain.bytes = 0;
    chain.has_dma_length = writes && reth;
    chain.dma_length = chain.has_dma_length ? reth->dma_length() : 0;
  } else if (!follows) {
    chain.has_dma_length = false;
  }
  if (!has_lengths(packet)) chain.has_dma_length = false;
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  chain.bytes += std::min(packet.roce.payload_length, kMost - chain.bytes);
  if (ends(opcode) && chain.has_dma_length && chain.dma_length != chain.bytes) {
    note(tracked, {.kind = BreachKind::kDmaLength, .value = chain.bytes, .other = chain.dma_length});
  }
}

}  // namespace rocescope
