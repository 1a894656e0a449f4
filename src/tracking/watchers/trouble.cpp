#include "tracking/watchers/trouble.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "rocescope/detail/elapsed.hpp"
#include "tracking/connections/flow_key.hpp"

namespace rocescope {
namespace {

/// Refused requests of one side that are kept.
constexpr std::size_t kMostRefused = 4;

std::optional<FindingId> finding_of_answer(const Aeth& aeth) {
  if (aeth.kind() == AethKind::kAck && credits_of(aeth.value()) == 0U) return FindingId::kCreditStall;
  if (aeth.kind() == AethKind::kRnrNak) return FindingId::kRnr;
  if (aeth.kind() != AethKind::kNak) return std::nullopt;
  switch (static_cast<NakCode>(aeth.value())) {
    case NakCode::kPsnSequenceError:
      return FindingId::kNakSequence;
    case NakCode::kInvalidRequest:
    case NakCode::kInvalidRdRequest:
      return FindingId::kNakInvalidRequest;
    case NakCode::kRemoteAccessError:
      return FindingId::kNakRemoteAccess;
    case NakCode::kRemoteOperationalError:
      return FindingId::kNakRemoteOperational;
  }
  return std::nullopt;
}

void note_verdict(const TrackedPacket& tracked, Sightings& sightings) {
  const Verdict& verdict = tracked.verdict;
  const Frame& frame = tracked.packet().frame;
  const auto note = [&](FindingId id, std::uint64_t amount = 0) {
    sightings.add(id, frame.number, frame.timestamp, amount);
  };
  switch (verdict.kind) {
    case VerdictKind::kRetransmission:
      note(FindingId::kRetransmissions, tracked.packet().roce.payload_length);
      if (verdict.cause == ResendCause::kTimeout) note(FindingId::kTimeoutRecovery);
      if (verdict.acknowledged) note(FindingId::kSpuriousRetransmission);
      if (verdict.lost == LostWhere::kBefore) note(FindingId::kPacketLossBefore);
      if (verdict.lost_response == LostWhere::kBefore) note(FindingId::kReadResponseLossBefore, verdict.lost_responses);
      if (verdict.lost_response == LostWhere::kAfter) note(FindingId::kReadResponseLossAfter, verdict.lost_responses);
      return;
    case VerdictKind::kOutOfOrder:
      return note(FindingId::kReordering);
    case VerdictKind::kCaptureDuplicate:
      return note(FindingId::kCaptureDuplicates);
    case VerdictKind::kAckOfUnseen:
      return note(FindingId::kCaptureLoss, verdict.missing);
    case VerdictKind::kResponse:
      if (verdict.lost == LostWhere::kAfter) note(FindingId::kPacketLossAfter);
      return;
    default:
      return;
  }
}

}  // namespace

/// Two copies of one damaged packet have the same damage. A packet that is sent again has not.
bool TroubleWatch::has_seen(const TrackedPacket& damaged) noexcept {
  constexpr std::int64_t kSoon = 250'000;  // ns
  const Packet& packet = damaged.packet();
  std::uint64_t hash = mix(mix(0, packet.source), packet.destination);
  hash = mix(hash, std::uint64_t{packet.overlay_id} << 32U | packet.frame.capture_point);
  hash = mix(hash, packet.roce.dest_qp.value());
  hash = mix(hash, std::uint64_t{packet.roce.psn.value()} << 32U | damaged.record.icrc.found);
  const std::int64_t time = packet.frame.timestamp;
  const bool seen = std::ranges::any_of(
      damaged_, [&](const Damaged& each) { return each.hash == hash && std::abs(elapsed(each.time, time)) < kSoon; });
  if (seen) return true;
  damaged_[next_] = {hash, time};
  next_ = (next_ + 1) % damaged_.size();
  return false;
}

void TroubleWatch::observe(const TrackedPacket& tracked) {
  const Frame& frame = tracked.packet().frame;
  if (tracked.record.icrc.status == IcrcStatus::kBad && !(tracked.verdict.damaged && has_seen(tracked))) {
    Sightings& sender = tracked.connection ? tracked.connection->sides[tracked.sender].sightings : others_;
    const FindingId id = tracked.verdict.damaged ? FindingId::kIcrcBad : FindingId::kIcrcBadAllTx;
    sender.add(id, frame.number, frame.timestamp);
  }
  if (tracked.connection == nullptr || tracked.verdict.damaged) return;
  ConnectionSide& side = tracked.connection->sides[tracked.requester];
  note_verdict(tracked, side.sightings);
  if (const LostAck& lost = tracked.lost_ack; lost.where != LostWhere::kNowhere) {
    const bool before = lost.where == LostWhere::kBefore;
    side.sightings.add(before ? FindingId::kAckLossBefore : FindingId::kAckLossAfter, lost.frame, lost.time);
  }
  if (const NeedlessCopy& copy = tracked.needless; copy.frame != 0) {
    Sighting needless{.id = FindingId::kSpuriousRetransmission, .amount = 1};
    needless.seen.add(copy.frame, copy.time);
    side.sightings.interleave(needless);  // others came since
  }
  for (const Message& message : tracked.ended) {
    if (message.outcome == MessageOutcome::kRefused && side.refused->size() < kMostRefused) {
      side.refused.make().push_back(message);
    }
  }
  const bool judged = tracked.verdict.kind != VerdictKind::kNone;  // a NAK of another transport refuses nothing
  if (!judged || tracked.is_nak_copy || tracked.packet().roce.opcode->request) return;
  const auto& aeth = tracked.aeth;
  if (const auto id = aeth ? finding_of_answer(*aeth) : std::nullopt)
    side.sightings.add(*id, frame.number, frame.timestamp);
}

}  // namespace rocescope
