#include "tracking/watchers/payload_watch.hpp"

#include <algorithm>
#include <utility>

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

/// Its start too: queue pairs are used again.
std::uint64_t PayloadWatch::identity_of(const Connection& connection) noexcept {
  const auto& [one, other] = connection.sides;
  std::uint64_t hash = mix(mix(0, one.address), other.address);
  hash = mix(hash, std::uint64_t{connection.overlay_id} << 32U | connection.capture_point);
  for (const ConnectionSide& side : connection.sides) hash = mix(hash, side.qpn ? side.qpn->value() : 0);
  hash = mix(hash, static_cast<std::uint64_t>(connection.first_time));
  return hash / 2 / kHostParts * kHostParts + host_part(one.address, other.address);
}

PayloadWatch::Remembered& PayloadWatch::place_of(std::uint64_t stream, Psn psn) {
  std::vector<Remembered>& packets = parts_[part_of(stream)];
  if (packets.empty()) packets.resize(kFewest);
  return packets[(mix(0, stream) + psn.value()) & (packets.size() - 1)];  // a power of 2 of them
}

bool PayloadWatch::grow(std::vector<Remembered>& packets) {
  constexpr std::size_t kTimes = 4;
  if (packets.size() >= kMost) return false;
  const std::vector<Remembered> before =
      std::exchange(packets, std::vector<Remembered>(std::min(packets.size() * kTimes, kMost)));
  for (const Remembered& each : before) {
    if (each.stream != 0) place_of(each.stream, Psn(each.psn)) = each;
  }
  return true;
}

void PayloadWatch::put(const Remembered& packet) {
  Remembered& before = place_of(packet.stream, Psn(packet.psn));
  const bool wraps = before.stream == packet.stream && before.psn != packet.psn;
  if (wraps && grow(parts_[part_of(packet.stream)])) {
    place_of(packet.stream, Psn(packet.psn)) = packet;
  } else {
    before = packet;
  }
}

void PayloadWatch::remember(const ExpressPacket& packet, std::uint64_t identity, std::size_t sender) {
  put({.stream = stream_of(identity, sender),
       .frame = packet.frame,
       .psn = packet.psn.value(),
       .bytes = packet.payload + packet.pad(),
       .icrc = packet.icrc,
       .headers = packet.icrc_headers});
}

void PayloadWatch::observe(const TrackedPacket& tracked) {
  // Only a good ICRC proves that the sender sent these bytes.
  if (tracked.record.icrc.status != IcrcStatus::kGood) return;
  const Packet& packet = tracked.packet();
  const VerdictKind kind = tracked.verdict.kind;
  if (!has_own_payload(*packet.roce.opcode) || kind == VerdictKind::kNone) return;
  if (pad_of(packet) != 0) return;  // some senders put anything into the pad, and receivers ignore it

  const IcrcCheck& icrc = tracked.record.icrc;
  const std::uint64_t stream = stream_of(identity_of(*tracked.connection), tracked.sender);
  const Remembered now{.stream = stream,
                       .frame = packet.frame.number,
                       .psn = packet.roce.psn.value(),
                       .bytes = packet.roce.payload_length + packet.roce.pad_length,
                       .icrc = icrc.found,
                       .headers = icrc.headers};
  const Remembered& first = place_of(stream, packet.roce.psn);
  // In verdicts of these kinds, `related` is the packet that this one repeats.
  const bool again =
      kind == VerdictKind::kRetransmission || kind == VerdictKind::kCaptureDuplicate || kind == VerdictKind::kUsedPsn;
  const bool repeats = again && tracked.verdict.related != 0;
  const bool is_there = first.stream == stream && first.psn == now.psn;
  if (!repeats || !is_there) {
    if (repeats) static_cast<void>(grow(parts_[part_of(stream)]));
    put(now);
    return;
  }
  const IcrcCheck before{.found = first.icrc, .headers = first.headers};
  if (first.bytes == now.bytes && same_payload(before, icrc, now.bytes)) return;
  Sightings& sightings = tracked.connection->sides[tracked.sender].sightings;
  const bool known = sightings.find(FindingId::kPayloadConflict) != nullptr;
  sightings.add(FindingId::kPayloadConflict, now.frame, packet.frame.timestamp, known ? 0 : first.frame);
}

}  // namespace rocescope
