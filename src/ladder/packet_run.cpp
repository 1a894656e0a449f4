#include "ladder/packet_run.hpp"

#include "model/immediate.hpp"
#include "rocescope/headers/extended_transport.hpp"
#include "tracking/watchers/packet_role.hpp"

namespace rocescope {
namespace {

using Extent = PacketRun::Extent;

bool is_as_it_should_be(const PacketRun& run) {
  const Verdict& verdict = run.verdict;
  if (run.bad_icrc || verdict.lost != LostWhere::kNowhere || verdict.lost_response != LostWhere::kNowhere) return false;
  if (run.aeth && *run.aeth != AethKind::kAck) return false;
  return verdict.kind == VerdictKind::kInOrder || verdict.kind == VerdictKind::kResponse;
}

void read_headers(const Packet& packet, PacketRun& run) {
  if (const auto aeth = packet.header<Aeth>()) {
    run.aeth = aeth->kind();
    run.aeth_value = aeth->value();
  }
  if (const auto reth = packet.header<Reth>()) {
    run.address = reth->virtual_address();
    run.r_key = reth->r_key();
    const bool has_no_payload =
        run.opcode->operation == Operation::kReadRequest || run.opcode->operation == Operation::kFlush;
    if (has_no_payload) run.bytes = reth->dma_length();
  } else if (const auto atomic = packet.header<AtomicEth>()) {
    run.address = atomic->virtual_address();
    run.r_key = atomic->r_key();
  }
  if (const auto immediate = immediate_of(packet)) run.immediate = *immediate;
}

}  // namespace

PacketRun packet_run(const PacketRecord& record) {
  const Packet& packet = *record.packet;
  const OpcodeInfo& opcode = *packet.roce.opcode;
  PacketRun run{.opcode = &opcode,
                .with_immediate = opcode.immediate,
                .with_invalidate = opcode.invalidate,
                .verdict = record.verdict,
                .packets = 1,
                .has_first = opcode.position == Position::kFirst || opcode.position == Position::kOnly,
                .has_last = opcode.position == Position::kLast || opcode.position == Position::kOnly,
                .bytes = packet.roce.payload_length,
                .first_psn = packet.roce.psn,
                .last_psn = packet.roce.psn,
                .last_related = record.verdict.related,
                .ce_packets = is_ce_marked(packet) ? 1U : 0U,
                .bad_icrc = record.icrc.status == IcrcStatus::kBad};
  read_headers(packet, run);
  run.command = command_mark(packet);
  run.apart = run.command.has_value();
  run.extent = is_as_it_should_be(run) ? Extent::kPart : Extent::kPackets;
  return run;
}

LadderEvent packet_event(const PacketRecord& record, std::uint8_t sender) {
  const Frame& frame = record.packet->frame;
  return {.time = frame.timestamp,
          .last_time = frame.timestamp,
          .frame = frame.number,
          .last_frame = frame.number,
          .sender = sender,
          .silence = {},
          .what = packet_run(record)};
}

bool is_plain_answer(const PacketRun& run) { return !run.opcode->request && is_as_it_should_be(run); }

bool alike(const PacketRun& run, const PacketRun& packet) {
  const bool same_kind = run.opcode->operation == packet.opcode->operation &&
                         run.opcode->transport == packet.opcode->transport &&
                         (run.extent == Extent::kPackets) == (packet.extent == Extent::kPackets);
  if (!same_kind || packet.extent != Extent::kPackets) return same_kind;
  if (!run.ends.empty() || !packet.ends.empty()) return false;
  const Verdict& a = run.verdict;
  const Verdict& b = packet.verdict;
  const bool same_verdict = a.kind == b.kind && a.cause == b.cause && a.lost == b.lost && a.evidence == b.evidence &&
                            a.missing == b.missing && run.bad_icrc == packet.bad_icrc;
  const bool same_answer = run.aeth == packet.aeth && run.aeth_value == packet.aeth_value;
  // What happened to a message stands alone.
  const bool is_trouble = run.bad_icrc || a.kind == VerdictKind::kRetransmission ||
                          a.kind == VerdictKind::kReadResponseRetransmission || a.lost != LostWhere::kNowhere;
  if (is_trouble && a.message != b.message) return false;
  // Packets sent again from the same PSN, or an earlier one, are another attempt.
  const bool goes_on = !packet.opcode->request || run.last_psn.before(packet.first_psn);
  return same_verdict && same_answer && goes_on;
}

bool same_message(const PacketRun& run, const PacketRun& message) {
  return !run.apart && !message.apart && run.packets / run.messages == message.packets &&
         run.bytes / run.messages == message.bytes && run.with_immediate == message.with_immediate &&
         run.with_invalidate == message.with_invalidate;
}

void append(PacketRun& run, const PacketRun& next) {
  if (run.extent != Extent::kMessages) {
    run.same_size &= next.same_size && run.bytes / run.packets == next.bytes / next.packets;
  }
  run.packets += next.packets;
  run.messages += next.messages;
  run.bytes += next.bytes;
  run.ce_packets += next.ce_packets;
  run.last_psn = next.last_psn;
  run.last_related = next.last_related;
  run.has_first |= next.has_first;
  run.has_last |= next.has_last;
  run.with_immediate |= next.with_immediate;
  run.with_invalidate |= next.with_invalidate;
  run.apart |= next.apart;
  if (!run.command) run.command = next.command;
  run.ends.insert(run.ends.end(), next.ends.begin(), next.ends.end());
  if (!run.immediate) run.immediate = next.immediate;
  if (!run.address) run.address = next.address;
  if (!run.r_key) run.r_key = next.r_key;
}

}  // namespace rocescope
