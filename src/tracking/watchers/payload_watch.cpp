#include "tracking/watchers/payload_watch.hpp"

#include "tracking/connections/connection_state.hpp"
#include "tracking/connections/flow_key.hpp"
#include "tracking/express/express_packet.hpp"
#include "tracking/watchers/pad.hpp"

namespace rocescope {
namespace {

bool has_own_payload(const OpcodeInfo& opcode) {
  return opcode.operation == Operation::kSend || opcode.operation == Operation::kWrite ||
         opcode.operation == Operation::kAtomicWrite;
}

}  // namespace

PayloadWatch::Remembered& PayloadWatch::place_of(std::uint64_t stream, Psn psn) {
  std::vector<Remembered>& packets = parts_[part_of(stream)];
  if (packets.empty()) packets.resize(kPackets);
  return packets[(mix(0, stream) + psn.value()) % kPackets];
}

void PayloadWatch::remember(const ExpressPacket& packet, std::uint64_t identity, std::size_t sender) {
  const std::uint64_t stream = stream_of(identity, sender);
  Remembered& now = place_of(stream, packet.psn);
  now.stream = stream;
  now.frame = packet.frame;
  now.psn = packet.psn.value();
  now.bytes = packet.payload + packet.pad();
  now.icrc = packet.icrc;
  now.headers = packet.icrc_headers;
}

void PayloadWatch::observe(const TrackedPacket& tracked) {
  // Only a good ICRC proves that the sender sent these bytes.
  if (tracked.record.icrc.status != IcrcStatus::kGood) return;
  const Packet& packet = tracked.packet();
  const VerdictKind kind = tracked.verdict.kind;
  if (!has_own_payload(*packet.roce.opcode) || kind == VerdictKind::kNone) return;
  if (pad_of(packet) != 0) return;  // some senders put anything into the pad, and receivers ignore it

  const IcrcCheck& icrc = tracked.record.icrc;
  const std::uint64_t stream = stream_of(tracked.state->identity, tracked.sender);
  const Remembered now{.stream = stream,
                       .frame = packet.frame.number,
                       .psn = packet.roce.psn.value(),
                       .bytes = packet.roce.payload_length + packet.roce.pad_length,
                       .icrc = icrc.found,
                       .headers = icrc.headers};
  Remembered& first = place_of(stream, packet.roce.psn);
  // Of these kinds `related` is the packet that it repeats.
  const bool again =
      kind == VerdictKind::kRetransmission || kind == VerdictKind::kCaptureDuplicate || kind == VerdictKind::kUsedPsn;
  if (!again || tracked.verdict.related == 0 || first.stream != stream || first.psn != now.psn) {
    first = now;
    return;
  }
  const IcrcCheck before{.found = first.icrc, .headers = first.headers};
  if (first.bytes == now.bytes && same_payload(before, icrc, now.bytes)) return;
  Sightings& sightings = tracked.connection->sides[tracked.sender].sightings;
  const bool known = sightings.find(FindingId::kPayloadConflict) != nullptr;
  sightings.add(FindingId::kPayloadConflict, now.frame, packet.frame.timestamp, known ? 0 : first.frame);
}

}  // namespace rocescope
